// Those who write into a watched folder in place, as programs do that know nothing of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { halvesOf } from './site-files.ts'
import type { WriterKind, WriterPlan } from './site-plan.ts'

/** Runs a writer to its end. It never gives up: an open that waits for a lease waits. */
export const write = (plan: WriterPlan): Promise<void> => writers[plan.how](plan)

const writers: Readonly<Record<WriterKind, (plan: WriterPlan) => Promise<void>>> = {
  /** Half, a pause, the other half. */
  slow: (plan) => writeVersion(plan, 0, { pauseAfter: 'first half' }),
  /** Nothing for a while, then everything. */
  stalling: (plan) => writeVersion(plan, 0, { pauseAfter: 'opening' }),
  /** Slow, with an advisory lock on the file all the while. */
  locked,
  /** Done, and some time later done again: before the file is taken, while it is signed, or when it has gone. */
  rewriting: async (plan) => {
    await writeVersion(plan, 0, {})
    await setTimeout(plan.againMs)
    await writeVersion(plan, 1, { pauseAfter: 'first half' })
  },
  /** Opened and closed. */
  empty: async ({ path }) => (await open(path, 'w')).close(),
}

interface Pausing {
  readonly pauseAfter?: 'opening' | 'first half'
}

async function writeVersion(plan: WriterPlan, version: number, { pauseAfter }: Pausing): Promise<void> {
  const [first, second] = halvesOf(plan.number, version)
  const file = await open(plan.path, 'w')
  try {
    if (pauseAfter === 'opening') await setTimeout(plan.pauseMs)
    await writeAll(file, first)
    if (pauseAfter === 'first half') await setTimeout(plan.pauseMs)
    await writeAll(file, second)
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length; ) from += (await file.write(bytes, from)).bytesWritten
}

/** Node has no flock: the shell keeps the file open and locked on a descriptor of its own. */
async function locked({ path, number, pauseMs }: WriterPlan): Promise<void> {
  const [first, second] = halvesOf(number, 0)
  const script = 'exec 9>"$1"; flock 9; head -c "$2" >&9; sleep "$3"; cat >&9'
  const shell = spawn('sh', ['-c', script, 'sh', path, String(first.length), String(pauseMs / 1000)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  shell.stdin.end(Buffer.concat([first, second]))
  const [code] = await once(shell, 'exit')
  if (code !== 0) throw new Error(`A locked writer ended with ${code}.`)
}
