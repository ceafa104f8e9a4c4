import { setTimeout as sleep } from 'node:timers/promises'
import { covers, fills } from './allowance.ts'
import type { Ask, SigningTask } from './provider-calls.ts'

type Send = (task: SigningTask, asks: readonly Ask[]) => Promise<readonly (readonly string[])[]>

/** Concurrent calls on one session that share a provider call. The first one determines certificate and algorithm. */
class Batch {
  readonly task: SigningTask
  readonly asks: Ask[] = []
  /** The signatures of each ask, after the provider call. */
  readonly sent: Promise<readonly (readonly string[])[]>
  readonly #full = new AbortController()

  constructor(task: SigningTask, left: (full: AbortSignal) => Promise<void>, send: Send) {
    this.task = task
    this.sent = left(this.#full.signal).then(() => send(task, this.asks))
  }

  takes({ certificate, digest }: SigningTask, { hashes }: Ask): boolean {
    const { task } = this
    if (certificate.alias !== task.certificate.alias || digest !== task.digest) return false
    return covers(task.session, [...this.#hashes(), ...hashes])
  }

  async add(ask: Ask): Promise<readonly string[]> {
    const at = this.asks.push(ask) - 1
    // The batch is full: there is no reason to wait longer.
    if (fills(this.task.session, this.#hashes())) this.#full.abort()
    return (await this.sent)[at]!
  }

  #hashes(): readonly Buffer[] {
    return this.asks.flatMap(({ hashes }) => hashes)
  }
}

/**
 * Merges concurrent calls on a session whose token allows one call into that one call. Calls after it was sent are too
 * late, as they would be without batches.
 */
export class Batches {
  readonly #milliseconds: number
  readonly #send: Send
  readonly #open = new Map<string, Batch>()

  constructor(milliseconds: number, send: Send) {
    this.#milliseconds = milliseconds
    this.#send = send
  }

  /**
   * The signatures of the ask; undefined when it does not fit into the open batch (another certificate, another
   * algorithm, too many hashes): it has then waited for that batch and must be evaluated again.
   */
  async join(task: SigningTask, ask: Ask): Promise<readonly string[] | undefined> {
    const open = this.#open.get(task.session.row.id)
    if (!open) return this.#begin(task).add(ask)
    if (open.takes(task, ask)) return open.add(ask)
    await open.sent.catch(() => {})
    return undefined
  }

  #begin(task: SigningTask): Batch {
    const { id } = task.session.row
    const left = async (full: AbortSignal): Promise<void> => {
      await sleep(this.#milliseconds, undefined, { signal: full }).catch(() => {})
      this.#open.delete(id)
    }
    const batch = new Batch(task, left, this.#send)
    this.#open.set(id, batch)
    return batch
  }
}
