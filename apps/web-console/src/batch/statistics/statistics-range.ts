/** The preset ranges, in days; any other range is a first and a last day. */
export const presets = { day: 1, week: 7, month: 30 } as const

export type Preset = keyof typeof presets

/** The range of the statistics, as in the URL. */
export interface StatisticsRange {
  readonly range?: Preset
  /** First day of the site, `yyyy-MM-dd`. */
  readonly from?: string
  /** Last day. */
  readonly to?: string
}

/** Reads the range from the URL. */
export function rangeFromSearch(search: Readonly<Record<string, unknown>>): StatisticsRange {
  const { range, from, to } = search
  if (isDay(from) && isDay(to)) return { from, to }
  return typeof range === 'string' && Object.hasOwn(presets, range) && range !== 'day' ? { range: range as Preset } : {}
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))

const DAY_MS = 24 * 3_600_000

/** The days to request. The last 24 hours span two days, of which `since` cuts off the older part. */
export function daysOf(
  range: StatisticsRange,
  now: number,
  timeZone: string,
): { from: string; to: string; since?: number } {
  const dayAt = siteDays(timeZone)
  const { range: preset = 'day', from, to } = range
  if (from !== undefined && to !== undefined) return { from, to }
  const since = now - DAY_MS
  if (preset === 'day') return { from: dayAt(since), to: dayAt(now), since }
  return { from: dayAt(now - (presets[preset] - 1) * DAY_MS), to: dayAt(now) }
}

/** The day of a moment at the site: not the reader's, and not that of UTC. */
function siteDays(timeZone: string): (time: number) => string {
  // The Swedish way to write a date is yyyy-MM-dd.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return (time) => format.format(time)
}

const HOUR_MS = 3_600_000

/** The buckets that have begun by `now` and, if `since` is given, end after it. */
export function bucketsWithin<Bucket extends { readonly at: string }>(
  buckets: readonly Bucket[],
  { since = 0, now }: { since?: number | undefined; now: number },
): readonly Bucket[] {
  return buckets
    .map((bucket) => [Date.parse(bucket.at), bucket] as const)
    .filter(([at]) => at <= now && at > since - HOUR_MS)
    .map(([, bucket]) => bucket)
}
