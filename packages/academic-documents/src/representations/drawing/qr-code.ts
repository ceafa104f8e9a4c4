import { encode } from 'uqr'
import { number, type PdfText } from '../pdf/syntax.ts'

/** The dark modules of a QR code of one by one, from the bottom left corner, without the quiet zone. */
export function qrOperators(text: string): PdfText {
  const { size, data } = encode(text, { ecc: 'M', border: 0 })
  const rectangles = data.flatMap((row, down) =>
    darkRuns(row).map(([from, length]) => `${from} ${size - 1 - down} ${length} 1 re`),
  )
  // A form of one point by one has no use for three decimals: modules are whole numbers until the end.
  return `${(1 / size).toFixed(8)} 0 0 ${(1 / size).toFixed(8)} 0 0 cm ${number(0)} g\n${rectangles.join('\n')}\nf`
}

/** Dark modules of one row that touch are one rectangle, so that no seams show. */
function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  row.forEach((isDark, at) => {
    const last = runs.at(-1)
    if (!isDark) return
    if (last && last[0] + last[1] === at) last[1]++
    else runs.push([at, 1])
  })
  return runs
}
