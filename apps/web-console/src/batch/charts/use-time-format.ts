import { useFormats } from '../../shared/format/use-formats.ts'
import { timeAxis } from './time-axis.ts'

const TWO_DAYS_MS = 48 * 3_600_000

/** How an axis formats its times: hours up to two days, days beyond; a day of the service is formatted in UTC. */
export function useTimeFormat(points: readonly { readonly at: string }[]) {
  const { hour, day, dateAndMinute, dayUtc, dateUtc } = useFormats()
  const { isDaily, span } = timeAxis(points)
  if (isDaily) return { formatTick: dayUtc, formatPoint: dateUtc }
  return { formatTick: span > TWO_DAYS_MS ? day : hour, formatPoint: dateAndMinute }
}
