import Type from 'typebox'
import { DAY, HOUR, MINUTE, SECOND } from '../clock/index.ts'

// `30.00:00:00` or `00:20:00`. Without days the hours end at 23: some programs read 30:00:00 as thirty days.
const CLOCK = /^(?:(\d{1,5})\.)?([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/

// ISO 8601 without years and months, whose lengths differ.
const ISO = /^P(?=.)(?:(\d{1,4})W|(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?)$/

/** The milliseconds of a duration, `d.hh:mm:ss` or ISO 8601; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const clock = CLOCK.exec(text)
  if (clock) return sumOf(clock.slice(1), [DAY, HOUR, MINUTE, SECOND])
  const iso = ISO.exec(text)
  return iso ? sumOf(iso.slice(1), [7 * DAY, DAY, HOUR, MINUTE, SECOND]) : undefined
}

const sumOf = (counts: readonly (string | undefined)[], units: readonly number[]): number =>
  units.reduce((sum, unit, at) => sum + unit * Number(counts[at] ?? 0), 0)

/** The milliseconds of a setting of the kind `duration`, which was checked when it was read. */
export function durationOf(setting: string): number {
  const milliseconds = readDuration(setting)
  if (milliseconds === undefined) throw new Error(`${setting} is no duration.`)
  return milliseconds
}

/** A setting that is a span of time; the limits are written like its values, and belong to them. */
export function duration(range: { minimum: string; maximum: string; default: string }, description: string) {
  const { minimum, maximum } = range
  const [least, most] = [durationOf(minimum), durationOf(maximum)]
  const accepts = `a duration such as 00:20:00, 30.00:00:00 or PT20M, from ${minimum} to ${maximum}`
  return Type.Refine(
    Type.String({ default: range.default, description, accepts }),
    (text) => isWithin(readDuration(text), least, most),
    () => `must be ${accepts}`,
  )
}

const isWithin = (value: number | undefined, least: number, most: number): boolean =>
  value !== undefined && value >= least && value <= most
