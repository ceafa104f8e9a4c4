import { encode } from 'uqr'
import type { DrawingBox } from './drawing.ts'
import { refusePades } from './errors.ts'
import { number } from './operators.ts'

/** Modules that must stay light on each side (ISO/IEC 18004 §6.3.8). */
const QUIET_MODULES = 4

/** Operators that choose the colours of a QR code; with a light one it has its quiet zone. */
interface QrCodeColors {
  readonly dark: string
  readonly light?: string
}

/** Operators that fill the dark modules of a QR code in a square. */
export function qrCodeOperators(text: string, { x, y, width: side }: DrawingBox, colors: QrCodeColors): string {
  const quietZone = colors.light !== undefined
  const { size, data } = qrModules(text)
  const module = side / (size + (quietZone ? 2 * QUIET_MODULES : 0))
  const margin = quietZone ? QUIET_MODULES * module : 0
  const light = quietZone ? `${colors.light} ${number(x)} ${number(y)} ${number(side)} ${number(side)} re f\n` : ''
  let rectangles = ''
  data.forEach((row, down) => {
    const up = y + margin + (size - 1 - down) * module
    for (const [start, length] of darkRuns(row))
      rectangles += `${number(x + margin + start * module)} ${number(up)} ${number(length * module)} ${number(module)} re\n`
  })
  return `${light}${colors.dark}\n${rectangles}f\n`
}

/** Dark modules of one row that touch are one rectangle, so that no seams show. */
function darkRuns(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  for (let at = 0; at < row.length; at++) {
    if (!row[at]) continue
    const start = at
    while (row[at + 1]) at++
    runs.push([start, at - start + 1])
  }
  return runs
}

function qrModules(text: string): { size: number; data: boolean[][] } {
  try {
    return encode(text, { ecc: 'M', border: 0 })
  } catch (cause) {
    throw refusePades('pades.appearance', { reason: 'the text of the QR code is too long' }, cause)
  }
}
