import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { HubMetrics } from '../../metrics.ts'
import type { DigestName } from '../../rules/digests.ts'
import { refuse } from '../../rules/refuse.ts'
import { keepGrant, moveSession, reserveSession } from '../../store/known-sessions.ts'
import { beginReplay, forgetReplay, keepReplay } from '../../store/replays.ts'
import type { SessionUseRow, Tables } from '../../store/tables.ts'
import { insertUses, useRow } from '../../store/uses.ts'
import type { Grant, HeldCertificate, Signed } from '../../upstream/provider.ts'
import { ProviderProblem } from '../../upstream/provider-problem.ts'
import { callsOf, isExclusive, without } from './allowance.ts'
import { giveBackListed, isBound, sendListed, signListed } from './bound-list.ts'
import { isOver, type OpenSession, sealGrant } from './open-session.ts'
import { answerTo } from './problem-answers.ts'
import type { Replay } from './replays.ts'
import type { UseLog } from './use-log.ts'

/** The session, certificate and algorithm of a signing call. */
export interface SigningTask {
  readonly session: OpenSession
  readonly certificate: HeldCertificate
  readonly digest: DigestName
}

/** One client's request; several may share one provider call. */
export interface Ask {
  readonly hashes: readonly Buffer[]
  readonly correlationId: string
  readonly replay: Replay | undefined
}

type Tx = Transaction<Tables>

/** A change in the transaction that records signatures. */
type Settle = (tx: Tx) => Promise<unknown>

/** Outcome and duration of a provider call. */
interface Ending {
  readonly outcome: string
  readonly milliseconds: number
}

/** The session has changed since it was read: the call must be evaluated again. */
export class SessionChanged extends Error {
  override readonly name = 'SessionChanged'
}

/** Signing calls to providers: each is reserved before, and settled and recorded after. */
export class ProviderCalls {
  readonly #context: Context
  readonly #metrics: HubMetrics
  readonly #uses: UseLog

  constructor(context: Context, metrics: HubMetrics, uses: UseLog) {
    this.#context = context
    this.#metrics = metrics
    this.#uses = uses
  }

  /** The signatures of each ask, base64: one provider call for all of them. */
  sign(task: SigningTask, asks: readonly Ask[]): Promise<readonly (readonly string[])[]> {
    return this.#uses.during(() => this.#sign(task, asks))
  }

  async #sign(task: SigningTask, asks: readonly Ask[]): Promise<readonly (readonly string[])[]> {
    await this.#begin(task, asks)
    const began = performance.now()
    const hashes = hashesOf(asks)
    this.#metrics.hub_sign_calls_total.inc()
    try {
      const { session, certificate, digest } = task
      const order = { certificate, hashes: { digest, values: hashes } }
      const signed = await session.provider.adapter.sign(session.grant, order)
      return await this.#succeed(task, asks, signed, performance.now() - began)
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error
      throw await this.#fail(task, asks, error, performance.now() - began)
    }
  }

  /** The first to reserve may call; idempotency keys and hashes of a list are recorded before anything is signed. */
  async #begin({ session }: SigningTask, asks: readonly Ask[]): Promise<void> {
    const replays = asks.filter(isReplayed)
    if (!isExclusive(session) && !isBound(session.row) && replays.length === 0) return
    const at = this.#context.clock().toISOString()
    await this.#context.store.transaction(async (tx) => {
      if (isExclusive(session) && !(await reserveSession(tx, session.row))) throw new SessionChanged()
      if (!(await sendListed(tx, session.row, hashesOf(asks)))) throw new SessionChanged()
      for (const { replay } of replays) if (!(await beginReplay(tx, { ...replay, at }))) throw refuse('ProviderTimeout')
    })
  }

  async #succeed(task: SigningTask, asks: readonly Ask[], signed: Signed, milliseconds: number) {
    const { session } = task
    const now = this.#context.clock()
    const texts = signed.signatures.map((signature) => Buffer.from(signature).toString('base64'))
    const each = split(texts, asks)
    this.#metrics.hub_signatures_total.inc({ outcome: 'signed' }, texts.length)
    const rows = useRows(task, asks, { outcome: 'ok', milliseconds }, now)
    const settle = this.#withList(session, asks, this.#afterSigning(session, asks, signed.grant, now), now)
    if (!settle && !asks.some(isReplayed)) await this.#uses.write(rows)
    else
      await this.#context.store.transaction(async (tx) => {
        await settle?.(tx)
        for (const [at, { replay }] of asks.entries()) if (replay) await keepReplay(tx, replay, each[at]!)
        await insertUses(tx, rows)
      })
    return each
  }

  /** The same with the change to the list: after its last hash, nothing can be signed any more. */
  #withList({ row }: OpenSession, asks: readonly Ask[], settle: Settle | undefined, now: Date): Settle | undefined {
    if (!isBound(row)) return settle
    return async (tx) => {
      const isDone = await signListed(tx, row, hashesOf(asks))
      await settle?.(tx)
      if (isDone) await moveSession(tx, row.id, 'finish', over(now))
    }
  }

  /** A signature's change to its session; undefined when many calls share the same grant. */
  #afterSigning(session: OpenSession, asks: readonly Ask[], next: Grant | undefined, now: Date): Settle | undefined {
    const { id } = session.row
    if (callsOf(session) === 'one') return (tx) => moveSession(tx, id, 'use', over(now))
    const grant = next ?? session.grant
    const { boundTo } = session.grant
    if (!isExclusive(session)) return next && ((tx) => keepGrant(tx, id, sealGrant(this.#context, session.row, grant)))
    const left = boundTo && (without(boundTo, hashesOf(asks)) ?? [])
    if (left?.length === 0) return (tx) => moveSession(tx, id, 'use', over(now))
    const sealed = sealGrant(this.#context, session.row, { ...grant, ...(left && { boundTo: left }) })
    return (tx) => moveSession(tx, id, 'release', { sealed_grant: sealed })
  }

  /** Settles the session after a problem; returns the refusal. */
  async #fail(task: SigningTask, asks: readonly Ask[], problem: ProviderProblem, milliseconds: number) {
    const { session } = task
    const now = this.#context.clock()
    const { code, leaves } = answerTo(problem, isOver(session.row, now))
    const outcome = problem.kind === 'signature-wrong' ? 'wrong' : leaves === 'spent' ? 'unknown' : 'refused'
    this.#metrics.hub_signatures_total.inc({ outcome }, hashesOf(asks).length)
    const rows = useRows(task, asks, { outcome: code, milliseconds }, now)
    await this.#context.store.transaction(async (tx) => {
      if (leaves === 'usable') await giveBackListed(tx, session.row, hashesOf(asks))
      await afterProblem[leaves](tx, session, { ...over(now), reason: problem.kind })
      if (leaves !== 'spent') for (const { replay } of asks) if (replay) await forgetReplay(tx, replay)
      await insertUses(tx, rows)
    })
    return refuse(code, undefined, problem)
  }
}

type AfterProblem = (tx: Tx, session: OpenSession, over: OverAndDone & { reason: string }) => Promise<unknown>

/** The change to the session for each effect of a problem. */
const afterProblem: Readonly<Record<'usable' | 'spent' | 'ended', AfterProblem>> = {
  usable: async (tx, session) => isExclusive(session) && moveSession(tx, session.row.id, 'release'),
  spent: async (tx, session, over) => isExclusive(session) && moveSession(tx, session.row.id, 'use', over),
  ended: (tx, { row }, over) => moveSession(tx, row.id, 'end', over),
}

/** Columns when nothing can be signed any more: the tokens are deleted. */
const over = (now: Date) => ({ sealed_grant: null, ended_at: now.toISOString() })

type OverAndDone = ReturnType<typeof over>

const isReplayed = (ask: Ask): ask is Ask & { readonly replay: Replay } => ask.replay !== undefined

const hashesOf = (asks: readonly Ask[]): readonly Buffer[] =>
  asks.length === 1 ? asks[0]!.hashes : asks.flatMap(({ hashes }) => hashes)

function useRows(task: SigningTask, asks: readonly Ask[], ending: Ending, now: Date): readonly SessionUseRow[] {
  const { session, certificate, digest } = task
  return asks.map(({ hashes, correlationId }) =>
    useRow(
      {
        session: session.row,
        action: 'sign',
        outcome: ending.outcome,
        hashes: hashes.length,
        digestAlgorithm: digest,
        alias: certificate.alias,
        milliseconds: ending.milliseconds,
        correlationId,
      },
      now,
    ),
  )
}

/** Splits the signatures of all hashes among the asks. */
function split(signatures: readonly string[], asks: readonly Ask[]): readonly (readonly string[])[] {
  if (asks.length === 1) return [signatures]
  const left = [...signatures]
  return asks.map(({ hashes }) => left.splice(0, hashes.length))
}
