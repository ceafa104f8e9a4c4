import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { refuseKey } from '../errors.ts'
import { startThread } from '../start-thread.ts'
import type { DigestAnswer, DigestTask } from './digest-worker.ts'

const MAX_WORKERS = Math.min(8, availableParallelism())

/** Tasks per thread: the next one is queued already when the first is done. */
const AHEAD = 2

interface Waiting {
  readonly task: DigestTask
  resolve(signature: Uint8Array): void
  reject(error: unknown): void
}

/** A thread and its tasks, in the order of its answers. */
interface Signing {
  readonly worker: Worker
  readonly given: Waiting[]
}

// Threads start with the first load and stay: starting one takes as long as a hundred signatures. An idle one does not
// keep the process alive.
const threads = new Set<Signing>()
const waiting: Waiting[] = []

/** Signs in a thread; waiting tasks are served in order of arrival. */
export const signInWorker = (task: DigestTask): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    waiting.push({ task, resolve, reject })
    handOut()
  })

function handOut(): void {
  while (waiting.length > 0) {
    const thread = freeThread()
    if (!thread) return
    const next = waiting.shift()!
    if (thread.given.length === 0) thread.worker.ref()
    thread.given.push(next)
    thread.worker.postMessage(next.task)
  }
}

/** The thread with the fewest tasks; a new one rather than a second task for a busy one. */
function freeThread(): Signing | undefined {
  let least: Signing | undefined
  for (const thread of threads) if (!least || thread.given.length < least.given.length) least = thread
  if (least?.given.length === 0) return least
  if (threads.size < MAX_WORKERS) return startSigning()
  return least && least.given.length < AHEAD ? least : undefined
}

function startSigning(): Signing {
  const worker = startThread('./digest-worker', import.meta.url)
  const thread: Signing = { worker, given: [] }
  threads.add(thread)
  worker.on('message', (answer: DigestAnswer) => {
    settle(thread.given.shift()!, answer)
    if (thread.given.length === 0) worker.unref()
    handOut()
  })
  let cause: unknown
  worker.once('error', (error) => {
    cause = error
  })
  worker.once('exit', () => {
    threads.delete(thread)
    for (const { reject } of thread.given) reject(refuseKey('key.failed', { reason: 'its thread ended' }, cause))
    handOut()
  })
  return thread
}

function settle({ resolve, reject }: Waiting, answer: DigestAnswer): void {
  if ('signature' in answer) resolve(answer.signature)
  else reject(refuseKey('key.failed', { reason: answer.reason }))
}
