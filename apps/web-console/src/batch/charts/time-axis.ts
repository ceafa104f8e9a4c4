const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The day on which summer time begins. */
const SHORTEST_DAY_MS = 23 * HOUR_MS

/** Possible distances between labels: round divisions of clock and calendar. */
const distances = [
  ...[15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 3, 7, 14, 28, 91].map((days) => days * DAY_MS),
]

/** The points of an axis, at equal distances. */
export interface TimeAxis {
  /** Milliseconds from one point to the next; 0 for a single point. */
  readonly step: number
  /** Whether a point is a day of the site. */
  readonly isDaily: boolean
  /** Milliseconds from the first point to the end of the last. */
  readonly span: number
}

/** The step and span of an axis. */
export function timeAxis(points: readonly { readonly at: string }[]): TimeAxis {
  const [first, second] = points
  const step = first && second ? Date.parse(second.at) - Date.parse(first.at) : 0
  return { step, isDaily: step >= SHORTEST_DAY_MS, span: points.length * step }
}

/** Which points carry a label: those at a round local time, so that two charts agree; at most `most`. */
export function labelledPoints(points: readonly { readonly at: string }[], most: number): ReadonlySet<number> {
  const { step, span, isDaily } = timeAxis(points)
  const distance = distances.find((one) => one >= step && span / one <= most) ?? span
  const isRound = (at: string) => {
    const time = isDaily ? Date.parse(at) : localTime(at)
    // The round time may lie within the point: not every zone is whole hours from UTC.
    return step > 0 && Math.ceil(time / distance) * distance < time + step
  }
  return new Set(points.flatMap(({ at }, index) => (isRound(at) ? index : [])))
}

/** Milliseconds as if the reader's clock showed UTC. */
const localTime = (at: string): number => Date.parse(at) - new Date(at).getTimezoneOffset() * MINUTE_MS
