import type { SignatureReport, TimestampReport } from './report.ts'

/** The times that these timestamps prove: those of the valid ones. */
export const provenTimes = (timestamps: readonly TimestampReport[]): Date[] =>
  timestamps.flatMap(({ indication, time }) => (indication === 'valid' && time ? [time] : []))

/** What a signature covers existed then: the time of the latest valid content timestamp. */
export const contentStampedAt = (timestamps: readonly TimestampReport[]): Date | undefined =>
  provenTimes(timestamps.filter(({ kind }) => kind === 'content')).toSorted((a, b) => b.getTime() - a.getTime())[0]

/** The earliest of several times; undefined when there is none. */
export const earliest = (times: readonly Date[]): Date | undefined =>
  times.length > 0 ? new Date(Math.min(...times.map((time) => time.getTime()))) : undefined

/** When a signature is proven to have existed: at the earliest of these times, else only now. */
export function provenAt(times: readonly Date[], now: Date): SignatureReport['provenTime'] {
  const time = earliest(times)
  return time ? { time, by: 'timestamp' } : { time: now, by: 'now' }
}
