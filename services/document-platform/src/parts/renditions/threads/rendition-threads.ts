import type { Worker } from 'node:worker_threads'
import { SECOND } from '@chancela/service-kernel/clock'
import { Semaphore, startThread } from '@chancela/service-kernel/concurrency'
import type { PdfTrouble } from '../read-pdf.ts'
import type { RenditionAnswer } from './rendition-thread.ts'
import type { RenditionTask } from './rendition-work.ts'

export interface ThreadLimits {
  /** Tasks that are worked on at the same time. */
  readonly threads: number
  /** Tasks that wait; more are turned away. */
  readonly maxQueued: number
  /** What JavaScript may hold in a thread, in megabytes. */
  readonly memoryMb: number
  /** How long a task may take, in seconds. */
  readonly seconds: number
}

/** How a task ended: done, refused for what the file is, not begun or broken off, or left by who wanted it. */
export type Outcome =
  | { readonly kind: 'done'; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'trouble'; readonly trouble: PdfTrouble }
  | { readonly kind: 'busy' }
  | { readonly kind: 'left' }

// Starting a thread takes longer than most of its tasks. One that has nothing to do waits for the next, whichever service
// of the process has it; it never keeps the process alive.
const resting = new Map<number, Worker[]>()
const MOST_RESTING = 2

/** Gives tasks to threads, as many at a time as are allowed. Whatever becomes of a thread, nobody else notices. */
export class RenditionThreads {
  readonly #limits: ThreadLimits
  readonly #places: Semaphore
  /** One for each task, waiting or under way. */
  readonly #leaving = new Set<AbortController>()
  #isStopped = false

  constructor(limits: ThreadLimits) {
    this.#limits = limits
    this.#places = new Semaphore(limits.threads)
  }

  /** Prepares the task when its turn has come: those who wait hold no files in memory. */
  async run(prepare: () => Promise<RenditionTask>, signal?: AbortSignal): Promise<Outcome> {
    if (this.#isStopped || this.#places.waiting >= this.#limits.maxQueued) return { kind: 'busy' }
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave, { once: true })
    this.#leaving.add(leaving)
    try {
      return await this.#inTurn(prepare, leaving.signal)
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#leaving.delete(leaving)
    }
  }

  /** Ends everything at once; who waits is turned away. */
  stop(): void {
    this.#isStopped = true
    for (const leaving of this.#leaving) leaving.abort()
  }

  async #inTurn(prepare: () => Promise<RenditionTask>, left: AbortSignal): Promise<Outcome> {
    const giveBack = await this.#places.take(left).catch(() => undefined) // gave up waiting
    if (!giveBack) return this.#ending()
    try {
      const task = await prepare()
      return left.aborted ? this.#ending() : await this.#work(task, left)
    } finally {
      giveBack()
    }
  }

  #ending(): Outcome {
    return { kind: this.#isStopped ? 'busy' : 'left' }
  }

  #work(task: RenditionTask, left: AbortSignal): Promise<Outcome> {
    const { memoryMb, seconds } = this.#limits
    const thread = restedThread(memoryMb) ?? newThread(memoryMb)
    return new Promise((resolve, reject) => {
      const settle = (whatNext: () => void, outcome: Outcome) => {
        clearTimeout(timer)
        left.removeEventListener('abort', leave)
        forget(thread)
        // Ending a thread may let it fail once more, which nobody waits for.
        thread.on('error', () => undefined)
        whatNext()
        resolve(outcome)
      }
      const end = () => void thread.terminate()
      const leave = () => settle(end, this.#ending())
      const timer = setTimeout(
        () => settle(end, tooComplex(`It takes longer than ${seconds} seconds.`)),
        seconds * SECOND,
      )
      left.addEventListener('abort', leave, { once: true })
      thread.on('message', (answer: RenditionAnswer) => {
        if ('bug' in answer) reject(new Error(answer.bug))
        settle(() => rest(thread, memoryMb), outcomeOf(answer))
      })
      thread.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error)
        settle(end, tooComplex(`It needs more than ${memoryMb} MB of memory.`))
      })
      thread.on('exit', () => settle(end, tooComplex('Its thread ended.')))
      thread.ref()
      thread.postMessage(
        task,
        task.pdfs.map(({ buffer }) => buffer),
      )
    })
  }
}

const tooComplex = (reason: string): Outcome => ({ kind: 'trouble', trouble: { kind: 'too-complex', reason } })

function outcomeOf(answer: RenditionAnswer): Outcome {
  if ('trouble' in answer) return { kind: 'trouble', trouble: answer.trouble }
  return { kind: 'done', bytes: 'bytes' in answer ? answer.bytes : undefined }
}

// Bytes outside the heap are bounded by what a task may bring along and by the limits of the reader.
const newThread = (memoryMb: number): Worker =>
  startThread(import.meta.url, './rendition-thread', { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 })

function restedThread(memoryMb: number): Worker | undefined {
  const thread = resting.get(memoryMb)?.pop()
  if (thread) forget(thread)
  return thread
}

/** Not all listeners: by some of its own the thread knows when its messages are wanted. */
function forget(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
}

function rest(thread: Worker, memoryMb: number): void {
  const waiting = resting.get(memoryMb) ?? []
  resting.set(memoryMb, waiting)
  thread.unref()
  if (waiting.length >= MOST_RESTING) return void thread.terminate()
  waiting.push(thread)
  // One that ends while it rests is not given anything.
  thread.once('exit', () => waiting.splice(waiting.indexOf(thread), 1))
}
