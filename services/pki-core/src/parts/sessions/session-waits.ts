// Those who wait for the end of a session: any number of them costs one look at the database a second.
import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { endedSessions, sessionChannel } from '../../store/sessions.ts'

/** Processes that share a SQLite file hear nothing of each other, and a notification may get lost. */
const LOOK_EVERY = SECOND

interface Waited {
  readonly wakers: Set<() => void>
  readonly stopListening: () => void
}

export class SessionWaits {
  readonly #context: Pick<Context, 'store' | 'logger' | 'settings'>
  readonly #waited = new Map<string, Waited>()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(context: Pick<Context, 'store' | 'logger' | 'settings'>) {
    this.#context = context
  }

  /** Resolves when the session has ended, whichever process ended it, when the time is over or the caller has gone. */
  async end(id: string, gone: AbortSignal): Promise<void> {
    if (this.#closed || gone.aborted) return
    const seconds = this.#context.settings.Sessions.WaitSeconds
    await new Promise<void>((resolve) => {
      const timer = setTimeout(over, seconds * SECOND)
      const leave = this.#join(id, over)
      gone.addEventListener('abort', over, { once: true })
      // It may have ended before anybody listened.
      void this.#look([id])
      function over(): void {
        clearTimeout(timer)
        gone.removeEventListener('abort', over)
        leave()
        resolve()
      }
    })
  }

  /** Lets everybody go: the service stops. */
  close(): void {
    this.#closed = true
    for (const id of [...this.#waited.keys()]) this.#wake(id)
  }

  #join(id: string, waker: () => void): () => void {
    const waited = this.#waited.get(id) ?? this.#begin(id)
    waited.wakers.add(waker)
    return () => {
      waited.wakers.delete(waker)
      if (waited.wakers.size === 0) this.#finish(id, waited)
    }
  }

  #begin(id: string): Waited {
    const stopListening = this.#context.store.listen(sessionChannel(id), () => this.#wake(id))
    const waited = { wakers: new Set<() => void>(), stopListening }
    this.#waited.set(id, waited)
    this.#timer ??= setInterval(() => void this.#look([...this.#waited.keys()]), LOOK_EVERY)
    return waited
  }

  #finish(id: string, waited: Waited): void {
    waited.stopListening()
    if (this.#waited.get(id) === waited) this.#waited.delete(id)
    if (this.#waited.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #wake(id: string): void {
    for (const waker of [...(this.#waited.get(id)?.wakers ?? [])]) waker()
  }

  async #look(ids: readonly string[]): Promise<void> {
    try {
      for (const id of await endedSessions(this.#context.store.db, ids)) this.#wake(id)
    } catch (error) {
      this.#context.logger.error({ err: error }, 'look for ended signature sessions failed')
    }
  }
}
