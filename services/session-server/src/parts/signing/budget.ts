import { setMaxListeners } from 'node:events'

/** Why work for a client was stopped before anything had left us. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The time of one signing request. */
export class Budget {
  readonly #time = new AbortController()
  readonly #wait = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #client: AbortSignal
  readonly #leave = () => this.#wait.abort(new ClientGone('The client went away.'))
  /** Resolves when the time is over. */
  readonly over: Promise<void>

  constructor(milliseconds: number, client: AbortSignal) {
    this.#client = client
    // As many listen as a batch has documents.
    setMaxListeners(0, this.#time.signal, this.#wait.signal)
    this.over = new Promise((resolve) => {
      this.#time.signal.addEventListener('abort', () => resolve())
    })
    this.#timer = setTimeout(() => {
      this.#time.abort()
      this.#wait.abort()
    }, milliseconds)
    if (client.aborted) this.#leave()
    else client.addEventListener('abort', this.#leave, { once: true })
  }

  get isSpent(): boolean {
    return this.#time.signal.aborted
  }

  /** For what a client that goes away does not stop: a document that is on its way to its signature. */
  get signal(): AbortSignal {
    return this.#time.signal
  }

  /** For what happens before: aborted when the time is over, and when the client goes away. */
  get waiting(): AbortSignal {
    return this.#wait.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#client.removeEventListener('abort', this.#leave)
  }
}
