import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import { findReplay } from '../../store/replays.ts'
import type { SignatureReplayRow } from '../../store/tables.ts'

/** A request with its Idempotency-Key, as columns. */
export type Replay = Pick<SignatureReplayRow, 'session_id' | 'key_hash' | 'request_hash'>

type Signatures = readonly string[]

/** The fields that make two requests equal. */
interface Asked {
  readonly digest: string
  readonly alias: string | undefined
  readonly hashes: readonly Buffer[]
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url')

export const replayOf = (sessionId: string, key: string, { digest, alias, hashes }: Asked): Replay => ({
  session_id: sessionId,
  key_hash: sha256(key),
  request_hash: sha256(JSON.stringify([digest, alias ?? null, ...hashes.map((each) => each.toString('base64'))])),
})

/** Answers a repeated request without signing again. */
export class Replays {
  readonly #context: Context
  /** Requests this process is signing: a repetition waits for their signatures. */
  readonly #underWay = new Map<string, { readonly requestHash: string; readonly signatures: Promise<Signatures> }>()

  constructor(context: Context) {
    this.#context = context
  }

  async once(replay: Replay, sign: () => Promise<Signatures>): Promise<Signatures> {
    const name = `${replay.session_id} ${replay.key_hash}`
    const first = this.#underWay.get(name)
    if (first) {
      requireSame(replay, first.requestHash)
      return first.signatures
    }
    const signatures = this.#knownOr(replay, sign)
    this.#underWay.set(name, { requestHash: replay.request_hash, signatures })
    return signatures.finally(() => this.#underWay.delete(name))
  }

  async #knownOr(replay: Replay, sign: () => Promise<Signatures>): Promise<Signatures> {
    const known = await findReplay(this.#context.store.db, replay)
    if (!known) return sign()
    requireSame(replay, known.request_hash)
    // Started, outcome unknown: the server was killed, the answer was lost, or another process is signing.
    if (known.signatures === null) throw refuse('ProviderTimeout')
    return JSON.parse(known.signatures) as string[]
  }
}

function requireSame({ request_hash }: Replay, before: string): void {
  if (request_hash !== before) throw refuse('IdempotencyKeyReused')
}
