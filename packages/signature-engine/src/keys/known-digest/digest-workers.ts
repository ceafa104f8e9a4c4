import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { refuseKey } from '../errors.ts'
import { startThread } from '../start-thread.ts'
import type { DigestAnswer, DigestTask } from './digest-worker.ts'

const MAX_WORKERS = Math.min(8, availableParallelism())

/** Tasks a thread has at once: the next one waits there already when it is done with the first. */
const AHEAD = 2

interface Waiting {
  readonly task: DigestTask
  resolve(signature: Uint8Array): void
  reject(error: unknown): void
}

/** A thread and what it was given, in the order it will answer. */
interface Signing {
  readonly worker: Worker
  readonly given: Waiting[]
}

// Threads come with the first load and stay: starting one takes as long as a hundred signatures. None of them keeps the
// process alive while it has nothing to do.
const threads = new Set<Signing>()
const waiting: Waiting[] = []

/** Signs in a thread; many wait their turn, first come first served. */
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

/** The thread with the least to do; a new one rather than a second task for one that is busy. */
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
