import type { Worker } from 'node:worker_threads'
import { SECOND } from '@chancela/service-kernel/clock'
import { Semaphore, startThread } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { PreviewAnswer, PreviewTask } from './preview-thread.ts'

const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Draws drafts in threads, a few at a time and none for long. A thread that has nothing to do waits for the next. */
export class Previews {
  readonly #seconds: number
  readonly #running: number
  readonly #places: Semaphore
  readonly #resting: Worker[] = []

  constructor({ settings, closing }: Pick<Context, 'settings' | 'closing'>) {
    const { PreviewSeconds, PreviewsRunning } = settings.Templates
    this.#seconds = PreviewSeconds
    this.#running = PreviewsRunning
    this.#places = new Semaphore(PreviewsRunning)
    closing.add('the previews', async () => {
      await Promise.all(this.#resting.map((thread) => thread.terminate()))
    })
  }

  async draw(task: PreviewTask, signal: AbortSignal): Promise<Buffer> {
    if (this.#places.waiting >= 2 * this.#running) throw refuse('service-busy')
    const giveBack = await this.#places.take(signal)
    try {
      return pdfOf(await this.#work(task))
    } finally {
      giveBack()
    }
  }

  #work(task: PreviewTask): Promise<PreviewAnswer> {
    const thread = this.#resting.pop() ?? startThread(import.meta.url, './preview-thread', MEMORY)
    return new Promise((resolve, reject) => {
      const settle = (isWell: boolean, end: () => void) => {
        clearTimeout(timer)
        for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
        // Ending a thread may let it fail once more, which nobody waits for.
        thread.on('error', () => undefined)
        thread.unref()
        if (isWell) this.#resting.push(thread)
        else void thread.terminate()
        end()
      }
      const giveUp = (problem: string) => settle(false, () => resolve({ problem }))
      const timer = setTimeout(() => giveUp(`It takes longer than ${this.#seconds} seconds.`), this.#seconds * SECOND)
      thread.on('message', (answer: PreviewAnswer) => settle(true, () => resolve(answer)))
      thread.on('exit', () => giveUp('Its thread ended.'))
      thread.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') giveUp('It needs too much memory.')
        else settle(false, () => reject(error))
      })
      thread.ref()
      thread.postMessage(task)
    })
  }
}

function pdfOf(answer: PreviewAnswer): Buffer {
  if ('pdf' in answer) return Buffer.from(answer.pdf)
  if ('problem' in answer) throw refuse('representation-failed', { reason: answer.problem })
  throw new Error(answer.bug)
}
