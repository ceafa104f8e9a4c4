import type { Worker } from 'node:worker_threads'
import { SECOND } from '@chancela/service-kernel/clock'
import { Semaphore, startThread } from '@chancela/service-kernel/concurrency'
import type { Seen } from '../../../rules/bio/face.ts'
import type { EngineAnswer, EngineTask } from './engine-thread.ts'
import { EngineBusy, type FaceEngine } from './face-engine.ts'

export interface EngineLimits {
  /** Frames that are looked at together. */
  readonly threads: number
  /** Frames that wait; more are turned away. */
  readonly maxQueued: number
  /** What JavaScript may hold in a thread, in megabytes. */
  readonly memoryMb: number
  /** How long a frame may take, in seconds; the first of a thread waits for the models as well. */
  readonly seconds: number
}

// Opening the models takes longer than many frames. A thread that has nothing to do waits for the next frame, whichever
// service of the process has it; it never keeps the process alive.
const resting = new Map<number, Worker[]>()
const MOST_RESTING = 2

/** The engine in threads, which end with a frame that takes too much, and with it only. */
export class ThreadedEngine implements FaceEngine {
  readonly name = 'chancela-mesh-1'
  readonly #limits: EngineLimits
  readonly #places: Semaphore
  readonly #stopping = new AbortController()

  constructor(limits: EngineLimits) {
    this.#limits = limits
    this.#places = new Semaphore(limits.threads)
  }

  look(jpeg: Uint8Array, signal?: AbortSignal): Promise<Seen> {
    return this.#run({ work: 'look', jpeg }, signal) as Promise<Seen>
  }

  describe(jpeg: Uint8Array, signal?: AbortSignal): Promise<Float32Array | undefined> {
    return this.#run({ work: 'describe', jpeg }, signal) as Promise<Float32Array | undefined>
  }

  stop(): void {
    this.#stopping.abort(new EngineBusy())
  }

  async #run(task: EngineTask, signal?: AbortSignal): Promise<Seen | Float32Array | undefined> {
    if (this.#stopping.signal.aborted || this.#places.waiting >= this.#limits.maxQueued) throw new EngineBusy()
    const left = signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal
    const giveBack = await this.#places.take(left)
    try {
      return await this.#work(task)
    } finally {
      giveBack()
    }
  }

  async #work(task: EngineTask): Promise<Seen | Float32Array | undefined> {
    const { memoryMb, seconds } = this.#limits
    const thread = resting.get(memoryMb)?.pop() ?? newThread(memoryMb)
    const answer = await answerOf(thread, task, seconds)
    if (answer === 'too much') {
      void thread.terminate()
      return null // no picture that a session could go on with
    }
    rest(thread, memoryMb)
    if ('bug' in answer) throw new Error(answer.bug)
    return answer.done
  }
}

const newThread = (memoryMb: number): Worker =>
  startThread(import.meta.url, './engine-thread', { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 })

function rest(thread: Worker, memoryMb: number): void {
  const others = resting.get(memoryMb) ?? []
  resting.set(memoryMb, others)
  if (others.length < MOST_RESTING) others.push(thread)
  else void thread.terminate()
  thread.unref()
}

/** Whatever becomes of the thread, there is an answer. */
function answerOf(thread: Worker, task: EngineTask, seconds: number): Promise<EngineAnswer | 'too much'> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer)
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
      // Ending a thread may let it fail once more, which nobody waits for.
      thread.on('error', () => undefined)
      end()
    }
    const timer = setTimeout(() => settle(() => resolve('too much')), seconds * SECOND)
    thread.once('message', (answer: EngineAnswer) => settle(() => resolve(answer)))
    thread.once('error', (error: NodeJS.ErrnoException) =>
      settle(() => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve('too much') : reject(error))),
    )
    thread.once('exit', () => settle(() => resolve('too much')))
    thread.ref()
    thread.postMessage(task)
  })
}
