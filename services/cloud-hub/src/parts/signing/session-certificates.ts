import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuse } from '../../rules/refuse.ts'
import { creationById } from '../../store/creations.ts'
import { type Choice, choiceOf, keepCertificate, moveSession } from '../../store/known-sessions.ts'
import { recordUse, type SessionUse, useRow } from '../../store/uses.ts'
import type { HeldCertificate } from '../../upstream/provider.ts'
import { ProviderProblem } from '../../upstream/provider-problem.ts'
import { chooseCertificate, isOf, type ReadCertificate, readHeld } from './choose-certificate.ts'
import { isOver, type OpenSession } from './open-session.ts'
import { answerTo } from './problem-answers.ts'
import type { UseLog } from './use-log.ts'

/** Chosen certificates, and others named by clients: cached for this many sessions each. */
const REMEMBERED = 1000

/** The audit fields of asking a provider for certificates. */
type Asked = Pick<SessionUse, 'session' | 'action' | 'milliseconds' | 'correlationId'>

interface Listing {
  /** Those that can belong to the requested holder. */
  readonly own: readonly ReadCertificate[]
  /** Whether there are only others. */
  readonly isForeign: boolean
  readonly asked: Asked
}

/** The certificates of sessions: fetched once, then stored with the session. */
export class SessionCertificates {
  readonly #context: Context
  readonly #uses: UseLog
  readonly #choosing = new Map<string, Promise<HeldCertificate>>()
  readonly #chosen = new LruCache<string, HeldCertificate>(REMEMBERED)
  readonly #named = new LruCache<string, HeldCertificate>(REMEMBERED)

  constructor(context: Context, uses: UseLog) {
    this.#context = context
    this.#uses = uses
  }

  /** The session's certificate: chosen on first use, and then fixed, so that it may be remembered. */
  async chosen(session: OpenSession, correlationId: string): Promise<HeldCertificate> {
    const { id } = session.row
    return this.#chosen.get(id) ?? this.#onlyOnce(id, () => this.#keptOrChosen(session, correlationId))
  }

  #onlyOnce(id: string, choose: () => Promise<HeldCertificate>): Promise<HeldCertificate> {
    const choosing = this.#choosing.get(id) ?? choose().finally(() => this.#choosing.delete(id))
    this.#choosing.set(id, choosing)
    return choosing
  }

  /** The row may have been read before the choice was written. */
  async #keptOrChosen(session: OpenSession, correlationId: string): Promise<HeldCertificate> {
    const { id } = session.row
    const kept = await choiceOf(this.#context.store.db, id)
    const chosen = (kept && heldBy(kept)) ?? (await this.#choose(session, correlationId))
    this.#chosen.set(id, chosen)
    return chosen
  }

  /** The certificate with this alias; without an alias, the session's. */
  async named(session: OpenSession, alias: string | undefined, correlationId: string): Promise<HeldCertificate> {
    if (alias === undefined || alias === session.row.alias) return this.chosen(session, correlationId)
    const name = `${session.row.id} ${alias}`
    const known = this.#named.get(name)
    if (known) return known
    const certificate = await this.#findNamed(session, alias, correlationId)
    this.#named.set(name, certificate)
    return certificate
  }

  async #choose(session: OpenSession, correlationId: string): Promise<HeldCertificate> {
    const { own, isForeign, asked } = await this.#list(session, correlationId)
    if (isForeign) throw await this.#endForeign(session, asked)
    const now = this.#context.clock()
    const choice = chooseCertificate(own, now, session.grant.holder)
    if (!choice) throw await this.#notFound('CertificateNotFound', asked)
    const kept = await this.#context.store.transaction(async (tx) => {
      const certificate = Buffer.from(choice.der).toString('base64')
      const kept = await keepCertificate(tx, session.row.id, { alias: choice.alias, certificate })
      await recordUse(tx, { ...asked, outcome: 'ok', alias: kept.alias! }, now)
      return kept
    })
    return heldBy(kept)!
  }

  async #findNamed(session: OpenSession, alias: string, correlationId: string): Promise<HeldCertificate> {
    const { own, isForeign, asked } = await this.#list(session, correlationId)
    if (isForeign) throw await this.#endForeign(session, asked)
    const found = own.find((each) => each.alias === alias)
    if (!found) throw await this.#notFound('CertificateAliasNotFound', asked)
    await this.#uses.write([useRow({ ...asked, outcome: 'ok', alias }, this.#context.clock())])
    return { alias, der: found.der }
  }

  async #list(session: OpenSession, correlationId: string): Promise<Listing> {
    const began = performance.now()
    const asked = () => ({
      session: session.row,
      action: 'certificate' as const,
      milliseconds: performance.now() - began,
      correlationId,
    })
    try {
      const held = readHeld(await session.provider.adapter.listCertificates(session.grant))
      const { store, secrets } = this.#context
      const { identifier } = await creationById(store.db, secrets, session.row.creation_id)
      const own = identifier === null ? held : held.filter((each) => isOf(each, identifier))
      return { own, isForeign: own.length === 0 && held.length > 0, asked: asked() }
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error
      throw await this.#fail(session, error, asked())
    }
  }

  /** A different person than requested authenticated: a login hint does not prevent that, this does. */
  async #endForeign(session: OpenSession, asked: Asked) {
    await this.#end(session, 'another-holder', { ...asked, outcome: 'another-holder' })
    return refuse('SessionInvalidOrAlreadyUsed')
  }

  async #notFound(code: ErrorCode, asked: Asked) {
    await this.#uses.write([useRow({ ...asked, outcome: code }, this.#context.clock())])
    return refuse(code)
  }

  async #fail(session: OpenSession, problem: ProviderProblem, asked: Asked) {
    const now = this.#context.clock()
    const answer = answerTo(problem, isOver(session.row, now))
    // A provider that answers alias-unknown to a list request has no certificates.
    const code = problem.kind === 'alias-unknown' ? 'CertificateNotFound' : answer.code
    const use = { ...asked, outcome: code }
    if (answer.leaves === 'ended') await this.#end(session, problem.kind, use)
    else await this.#uses.write([useRow(use, now)])
    return refuse(code, undefined, problem)
  }

  async #end({ row }: OpenSession, reason: string, use: SessionUse): Promise<void> {
    const now = this.#context.clock()
    await this.#context.store.transaction(async (tx) => {
      await moveSession(tx, row.id, 'end', { sealed_grant: null, ended_at: now.toISOString(), reason })
      await recordUse(tx, use, now)
    })
  }
}

/** The certificate that is kept with a session. */
const heldBy = ({ alias, certificate }: Choice): HeldCertificate | undefined =>
  alias === null || certificate === null ? undefined : { alias, der: Buffer.from(certificate, 'base64') }
