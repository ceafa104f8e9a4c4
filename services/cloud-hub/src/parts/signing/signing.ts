import { KeyedMutex, LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { HubMetrics } from '../../metrics.ts'
import type { DigestName } from '../../rules/digests.ts'
import type { KnownSession } from '../../store/known-sessions.ts'
import type { Grant, HeldCertificate, Provider, Providers } from '../../upstream/provider.ts'
import { callsOf, isExclusive, requireCovered } from './allowance.ts'
import { Batches } from './batches.ts'
import { isBound, requireListed } from './bound-list.ts'
import { findSession, type OpenSession, openGrant, providerOf, requireUsable } from './open-session.ts'
import { type Ask, ProviderCalls, SessionChanged, type SigningTask } from './provider-calls.ts'
import { type Replay, Replays, replayOf } from './replays.ts'
import { SessionCertificates } from './session-certificates.ts'
import { UseLog } from './use-log.ts'

/** The calling key and the session. */
export interface SessionCall {
  /** The value the redirect URI received. */
  readonly session: string
  readonly keyId: string
  readonly correlationId: string
}

/** A call that signs. */
export interface SigningCall extends SessionCall {
  readonly digest: DigestName
  readonly hashes: readonly Buffer[]
  /** Default: the session's certificate. */
  readonly alias: string | undefined
  readonly idempotencyKey: string | undefined
}

/** Most unsealed grants cached, of sessions with many calls. */
const OPEN_GRANTS = 500

/** Operations under authorized sessions. */
export class Signing {
  readonly #context: Context
  readonly #providers: Providers
  readonly #certificates: SessionCertificates
  readonly #calls: ProviderCalls
  readonly #batches: Batches
  readonly #replays: Replays
  /** Serializes calls on one session that must not overlap; other sessions do not wait. */
  readonly #exclusive = new KeyedMutex()
  readonly #grants = new LruCache<string, Grant>(OPEN_GRANTS)

  constructor(context: Context, providers: Providers, metrics: HubMetrics) {
    const uses = new UseLog(context.store)
    this.#context = context
    this.#providers = providers
    this.#certificates = new SessionCertificates(context, uses)
    this.#calls = new ProviderCalls(context, metrics, uses)
    this.#batches = new Batches(context.settings.Signing.BatchMilliseconds, (task, asks) =>
      this.#calls.sign(task, asks),
    )
    this.#replays = new Replays(context)
  }

  /** The session's certificate, and the provider that holds it. */
  async certificate(call: SessionCall): Promise<HeldCertificate & { readonly provider: Provider }> {
    const session = this.#open(await this.#find(call))
    const certificate = await this.#certificates.chosen(session, call.correlationId)
    return { ...certificate, provider: session.provider }
  }

  /** The signatures in the order of the hashes, base64. */
  async sign(call: SigningCall): Promise<readonly string[]> {
    const row = await this.#find(call)
    if (call.idempotencyKey === undefined) return this.#signNow(row, call, undefined)
    const replay = replayOf(row.id, call.idempotencyKey, call)
    // The session may be used or expired by now: the first answer still counts.
    return this.#replays.once(replay, () => this.#signNow(row, call, replay))
  }

  async #signNow(row: KnownSession, call: SigningCall, replay: Replay | undefined): Promise<readonly string[]> {
    const { digest, hashes, alias, correlationId } = call
    const session = this.#open(this.#isAtRest(row) ? row : await this.#atRest(row, call))
    if (isBound(session.row)) await requireListed(this.#context.store.db, session.row, hashes)
    requireCovered(session, hashes)
    const certificate = await this.#certificates.named(session, alias, correlationId)
    const way = this.#ways[wayOf(session)]
    const signatures = await way({ session, certificate, digest }, { hashes, correlationId, replay }).catch(
      unlessChanged,
    )
    return signatures ?? this.#signNow(await this.#find(call), call, replay)
  }

  #isAtRest(row: KnownSession): boolean {
    return row.state !== 'reserved' && !this.#exclusive.isHeld(row.id)
  }

  /** The row once no other call of this process is running: one read during a call is outdated. */
  async #atRest(row: KnownSession, call: SessionCall): Promise<KnownSession> {
    const hasWaited = await this.#exclusive.wait(row.id)
    const known = hasWaited || row.state === 'reserved' ? await this.#find(call) : row
    return known.state === 'reserved' && this.#exclusive.isHeld(row.id) ? this.#atRest(known, call) : known
  }

  /** Each returns undefined for a call that has waited for another one and must be evaluated again. */
  readonly #ways: Readonly<Record<Way, (task: SigningTask, ask: Ask) => Promise<readonly string[] | undefined>>> = {
    'at-once': async (task, ask) => (await this.#calls.sign(task, [ask]))[0],
    batched: (task, ask) => this.#batches.join(task, ask),
    exclusive: (task, ask) => this.#runOrWait(task.session.row.id, () => this.#ways['at-once'](task, ask)),
  }

  /** Undefined after waiting for another running call. */
  async #runOrWait<T>(sessionId: string, call: () => Promise<T>): Promise<T | undefined> {
    // No await between check and run: of two calls that find the session free, only one takes it.
    if (!this.#exclusive.isHeld(sessionId)) return this.#exclusive.run(sessionId, call)
    await this.#exclusive.wait(sessionId)
    return undefined
  }

  #find({ session, keyId }: SessionCall): Promise<KnownSession> {
    return findSession(this.#context.store.db, session, keyId)
  }

  #open(row: KnownSession): OpenSession {
    requireUsable(row, this.#context.clock())
    return { row, grant: this.#grantOf(row), provider: providerOf(this.#providers, row) }
  }

  /** Cached while the row has the same sealed text: unsealing costs half of what verifying a signature does. */
  #grantOf(row: KnownSession): Grant {
    const name = `${row.id} ${row.sealed_grant}`
    const known = this.#grants.get(name)
    if (known) return known
    const grant = openGrant(this.#context, row)
    if (grant.calls === 'many') this.#grants.set(name, grant)
    return grant
  }
}

function unlessChanged(error: unknown): undefined {
  if (!(error instanceof SessionChanged)) throw error
}

type Way = 'at-once' | 'batched' | 'exclusive'

/**
 * How concurrent calls are run: where one call may sign several hashes, they share it; where every call uses up
 * authorized hashes, they run one after the other.
 */
function wayOf(session: OpenSession): Way {
  if (callsOf(session) === 'many') return isExclusive(session) ? 'exclusive' : 'at-once'
  return session.row.type === 'SingleSignature' ? 'at-once' : 'batched'
}
