import { setMaxListeners } from 'node:events'

/** The client disconnected before anything was sent to the signature service. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The time budget of one signing request. */
export class Budget {
  readonly #time = new AbortController()
  readonly #wait = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #client: AbortSignal
  readonly #leave = () => this.#wait.abort(new ClientGone('The client went away.'))
  /** Resolves when the budget is used up. */
  readonly over: Promise<void>

  constructor(milliseconds: number, client: AbortSignal) {
    this.#client = client
    // Each document of a batch adds a listener.
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

  /** For work that a disconnected client does not stop: a document being signed. */
  get signal(): AbortSignal {
    return this.#time.signal
  }

  /** For work before that: aborted when the budget is used up, and when the client disconnects. */
  get waiting(): AbortSignal {
    return this.#wait.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#client.removeEventListener('abort', this.#leave)
  }
}
