import pg, { type ClientConfig } from 'pg'
import { Channels } from '../channels.ts'

/** Delays before reconnecting, in milliseconds; the last one repeats. */
const RECONNECT_AFTER_MS = [50, 200, 1_000, 5_000] as const

/**
 * Receives notifications on a connection of its own. Connecting begins with the first listener. After every connection,
 * the first included, all listeners are woken once: notifications sent while disconnected are lost, and a needless
 * query costs less than a job that waits.
 */
export class WakeUps {
  readonly #config: ClientConfig
  readonly #postgresChannel: string
  readonly #channels = new Channels()
  #client: pg.Client | undefined
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #state: 'idle' | 'running' | 'closed' = 'idle'

  constructor(config: ClientConfig, postgresChannel: string) {
    this.#config = config
    this.#postgresChannel = postgresChannel
  }

  listen(channel: string, wake: () => void): () => void {
    const stop = this.#channels.add(channel, wake)
    if (this.#state === 'idle') {
      this.#state = 'running'
      void this.#connect()
    }
    return stop
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  async #connect(): Promise<void> {
    // A session that only listens is idle by design, and its one statement is short.
    const client = new pg.Client(this.#config)
    this.#client = client
    client.on('notification', ({ payload }) => this.#channels.wake(payload ?? ''))
    // `end` follows every `error`, so the loss is handled once; without a handler an error would end the process.
    client.on('error', () => undefined)
    client.on('end', () => this.#lost(client))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(this.#postgresChannel)}`)
      this.#failures = 0
      this.#channels.wakeAll()
    } catch {
      // Every query of the pool fails with the reason; listening only has to reconnect.
      await client.end().catch(() => undefined)
      this.#lost(client)
    }
  }

  #lost(client: pg.Client): void {
    if (this.#state === 'closed' || this.#client !== client) return
    this.#client = undefined
    const wait = RECONNECT_AFTER_MS[Math.min(this.#failures, RECONNECT_AFTER_MS.length - 1)]
    this.#failures += 1
    this.#retry = setTimeout(() => void this.#connect(), wait)
  }
}
