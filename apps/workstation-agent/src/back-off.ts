export interface BackOff {
  /** Milliseconds before the first new attempt, about. */
  readonly first: number
  readonly longest: number
}

/** Milliseconds to wait before attempt number `failures + 1`: doubles each time, with jitter. */
export function waitAfter(failures: number, { first, longest }: BackOff, random: () => number = Math.random): number {
  const full = Math.min(longest, first * 2 ** Math.min(failures, 30))
  return full / 2 + random() * (full / 2)
}
