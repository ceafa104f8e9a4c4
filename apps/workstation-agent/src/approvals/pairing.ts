import { randomUUID } from 'node:crypto'
import { SECOND } from '@chancela/service-kernel/clock'
import { type AgentMessage, readPairingCode, type ServerMessage } from '@chancela/session-server/channel'

/** What became of a typed code. */
export type PairingResult = 'found' | 'not-found' | 'too-many' | 'offline' | 'not-a-code'

const PATIENCE = 10 * SECOND

/** Sends typed codes to the server. */
export class Pairing {
  readonly #send: (message: AgentMessage) => void
  readonly #waiting = new Map<string, (result: PairingResult) => void>()

  constructor(send: (message: AgentMessage) => void) {
    this.#send = send
  }

  async pair(typed: string): Promise<PairingResult> {
    const code = readPairingCode(typed)
    if (code === undefined) return 'not-a-code'
    const id = randomUUID()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<PairingResult>((resolve) => {
        this.#waiting.set(id, resolve)
        timer = setTimeout(() => resolve('offline'), PATIENCE)
        this.#send({ type: 'pair', id, code })
      })
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  /** The server answered. */
  hear({ to, result }: Extract<ServerMessage, { readonly type: 'paired' }>): void {
    this.#waiting.get(to)?.(result)
  }
}
