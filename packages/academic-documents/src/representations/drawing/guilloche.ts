import { number, type PdfText } from '../pdf/syntax.ts'
import { MM } from './canvas.ts'
import { type Color, stroke } from './colors.ts'

type Point = readonly [x: number, y: number]

/** Hundredths of a point are finer than any printer. */
const fine = (value: number): PdfText => String(Math.round(value * MM * 100) / 100)
const points = (point: Point): PdfText => `${fine(point[0])} ${fine(point[1])}`

/**
 * A smooth curve: the direction at each point is that from the one before to the one after. The first and the last point
 * are only there for that.
 */
function smooth(through: readonly Point[]): PdfText {
  let path = `${points(through[1]!)} m`
  for (let at = 1; at < through.length - 2; at++) {
    const [a, b, c, d] = [through[at - 1]!, through[at]!, through[at + 1]!, through[at + 2]!]
    const leave: Point = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6]
    const arrive: Point = [c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6]
    path += ` ${points(leave)} ${points(arrive)} ${points(c)} c`
  }
  return `${path} S`
}

const STEPS = 12

/** A curve over one period, whose ends go on in the next. */
const period = (place: (share: number) => Point): PdfText =>
  smooth(Array.from({ length: STEPS + 3 }, (_, step) => place((step - 1) / STEPS)))

const STRANDS = 8

/** One period of interlaced waves, as on security paper: `length` wide, around the base line, in millimetres. */
export function waveCell(length: number, height: number, color: Color, line: number): PdfText {
  const waves = Array.from({ length: STRANDS }, (_, strand) => {
    const phase = (strand / STRANDS) * 2 * Math.PI
    return period((share) => {
      const angle = share * 2 * Math.PI
      const swell = 0.62 + 0.38 * Math.cos(angle)
      return [share * length, (height / 2) * swell * Math.sin(2 * angle + phase)]
    })
  })
  return `${stroke(color)} ${number(line)} w 1 J 1 j\n${waves.join('\n')}`
}

export interface Rosette {
  /** In millimetres. */
  readonly radius: number
  readonly petals: number
  readonly rings: number
  /** Share of the radius that the petals swing over. */
  readonly swing: number
}

/** Interlaced curves around the origin: one petal, turned again and again, which takes no room once it is compressed. */
export function rosette({ radius, petals, rings, swing }: Rosette, color: Color, line: number): PdfText {
  const petal = period((share) => {
    const angle = (share * 2 * Math.PI) / petals
    const distance = radius * (1 - swing / 2 + (swing / 2) * Math.cos(share * 2 * Math.PI))
    return [distance * Math.cos(angle), distance * Math.sin(angle)]
  })
  const turns = Array.from({ length: petals * rings }, (_, turn) => (turn / (petals * rings)) * 2 * Math.PI)
  const turned = turns.map((angle) => `q ${turnedBy(angle)} 0 0 cm ${petal} Q`)
  return `${stroke(color)} ${number(line)} w 1 J 1 j\n${turned.join('\n')}`
}

const turnedBy = (angle: number): PdfText =>
  [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle)].map((value) => value.toFixed(5)).join(' ')
