import type { Run } from './benchmark.ts'

/** Repeats one piece of work until the time is over or it finds nothing left to do (returns 0). */
export async function repeatFor(forMs: number, work: () => number | Promise<number>): Promise<Run> {
  const deadline = performance.now() + forMs
  let operations = 0
  while (performance.now() < deadline) {
    // Never `operations += await work()`: the left side is read before the wait, so that concurrent lanes overwrite
    // each other's counts. That once showed a database "collapsing" eightfold.
    const done = await work()
    if (done === 0) break
    operations += done
  }
  return { operations }
}
