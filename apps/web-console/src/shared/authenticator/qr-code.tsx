import { useMemo } from 'react'
import { encode } from 'uqr'
import classes from './authenticator.module.css'

/** Width of the quiet zone around the code in modules, as the standard requires. */
const BORDER = 4

/** A QR code, drawn as dark runs on white. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: BORDER }), [text])
  return (
    <svg className={classes.qrCode} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img">
      <title>{label}</title>
      <rect width={size} height={size} fill="#fff" />
      {data.flatMap(darkRuns).map(({ x, y, width }) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={1} fill="#000" data-dark />
      ))}
    </svg>
  )
}

interface Run {
  readonly x: number
  readonly y: number
  width: number
}

/** Where the dark runs of a row begin, and how long they are. */
function darkRuns(row: readonly boolean[], y: number): readonly Run[] {
  const runs: Run[] = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (dark && last && last.x + last.width === x) last.width += 1
    else if (dark) runs.push({ x, y, width: 1 })
  })
  return runs
}
