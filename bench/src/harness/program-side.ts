// What a program started by `startProgram` does on its side. It imports nothing heavy: its memory is measured.
import { setTimeout as sleep } from 'node:timers/promises'

/** Asks a program to become idle and report its memory. */
export interface MemoryQuestion {
  /** Milliseconds to do nothing before garbage is collected. */
  readonly idleMs: number
}

/** Memory of a process at rest, in megabytes of a million bytes. */
export interface MemoryAtRest {
  readonly rssMb: number
  readonly heapMb: number
}

/** Tells the parent that the program is ready, and answers questions about its memory from then on. */
export function sendToParent(message: unknown): void {
  // Exits with its parent, so that no benchmark leaves a process behind.
  process.once('disconnect', () => process.exit())
  process.on('message', async ({ idleMs }: MemoryQuestion) => process.send?.(await memoryAtRest(idleMs)))
  process.send?.(message)
}

async function memoryAtRest(idleMs: number): Promise<MemoryAtRest> {
  if (!globalThis.gc) throw new Error('Start the program with --expose-gc to measure its memory.')
  await sleep(idleMs)
  // Twice, with a pause: the first collection runs finalizers and clears weak references, which release more memory.
  for (let pass = 0; pass < 2; pass++) {
    globalThis.gc()
    await sleep(50)
  }
  const { rss, heapUsed } = process.memoryUsage()
  return { rssMb: rss / 1e6, heapMb: heapUsed / 1e6 }
}
