/** Middle and range of a measure over the rounds. */
export interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The middle value; the mean of the two middle ones when their number is even. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper
}

/** Median with the smallest and the largest value beside it. */
export const summarize = (values: readonly number[]): Summary => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

/**
 * Ratio to a reference measured in the same rounds: the median of the rounds' own ratios. A machine that is slow
 * for one round slows both sides of that round's ratio, where a ratio of medians would mix rounds.
 */
export function ratioByRound(values: readonly number[], reference: readonly number[]): Summary {
  if (values.length !== reference.length) throw new RangeError('A ratio needs both sides of every round.')
  return summarize(values.map((value, round) => value / (reference[round] ?? Number.NaN)))
}
