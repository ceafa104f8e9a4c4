import type { Run } from '../harness/benchmark.ts'

export const SLOWEST = 'p50 ms of the slowest'
export const P95 = 'p95 ms'
export const P99 = 'p99 ms'

/** Runs the queries in turn until the time is over, each at least once. */
export async function timedInTurn(
  forMs: number,
  queries: readonly string[],
  once: (query: string) => Promise<unknown>,
): Promise<Run> {
  const deadline = performance.now() + forMs
  const times = queries.map((): number[] => [])
  do
    for (const [at, query] of queries.entries()) {
      const begun = performance.now()
      await once(query)
      times[at]!.push(performance.now() - begun)
    }
  while (performance.now() < deadline)
  const all = times.flat()
  const slowest = Math.max(...times.map((some) => shareOf(some, 0.5)))
  return {
    operations: all.length,
    figures: { [SLOWEST]: slowest, [P95]: shareOf(all, 0.95), [P99]: shareOf(all, 0.99) },
  }
}

/** The time within which this share of the calls is done. */
export function shareOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
