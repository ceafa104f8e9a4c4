// The second factor of approvers: one authenticator app each (RFC 6238), and for how long a code is good.
import { newSecondFactor, stepOf } from '@chancela/admin-console'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import { type Actor, nameOf } from '../../rules/actor.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import { refuse } from '../../rules/refuse.ts'
import { said, telling } from '../../rules/sentences.ts'
import {
  deleteFactor,
  findFactor,
  findWindow,
  insertFactor,
  listFactors,
  openWindow,
  takeAttempt,
  takeStep,
  useWindow,
} from '../../store/approver-factors.ts'
import type { ApproverFactorRow, Tables } from '../../store/tables.ts'
import { openSeedSeal } from './seed-seal.ts'

/** A person in a browser. */
interface FactorSession {
  readonly email: string
  readonly sessionId: string
}

/** The same, and from where. */
type Enrolling = FactorSession & { readonly address: string }

/** What the prompt for a code shows; the codes are never answers of their own (spec 2, Errors). */
export type FactorVerdict =
  | { readonly verified: true; readonly until: Date }
  | {
      readonly verified: false
      readonly code: 'approval.second-factor-invalid-code' | 'approval.second-factor-locked-out'
      /** Also with the wrong code that closed the enrolment. */
      readonly lockedUntil: Date | null
    }

/** Where somebody stands with it in their browser. */
export interface FactorStatus {
  readonly enabled: boolean
  readonly enrolled: boolean
  readonly verifiedUntil: Date | null
  readonly lockedUntil: Date | null
}

/** Wrong codes in a row that close an enrolment, and for how long (spec 2, Limits). */
const MOST_WRONG = 5
const LOCKED_FOR = 5 * MINUTE

/** How long a code waits for the one decision it is for, where codes are asked for every time. */
const ONCE_WITHIN = 2 * MINUTE

/** How long an enrolment may take. */
const ENROLMENT = 15 * MINUTE

const CODE = /^\d{6}$/

type FactorContext = Pick<Context, 'settings' | 'store' | 'events'>
type FactorMetrics = Pick<
  BatchMetrics,
  'bulk_second_factor_verifications_total' | 'bulk_second_factor_enrolments_total'
>

/** Everything is in the store, changed under conditions: a code is good once, whichever process is asked. */
export class SecondFactors {
  readonly #context: FactorContext
  readonly #metrics: FactorMetrics
  #seal: Promise<Secrets> | undefined

  constructor(context: FactorContext, metrics: FactorMetrics) {
    this.#context = context
    this.#metrics = metrics
  }

  get isEnabled(): boolean {
    return this.#context.settings.ApproverSecondFactor.Enabled
  }

  async status({ email, sessionId }: FactorSession, now: Date): Promise<FactorStatus> {
    if (!this.isEnabled) return { enabled: false, enrolled: false, verifiedUntil: null, lockedUntil: null }
    const key = approverKey(email)
    const factor = await this.#usable(key)
    const window = await findWindow(this.#context.store.db, { sessionId, key }, now)
    return {
      enabled: true,
      enrolled: factor !== undefined,
      verifiedUntil: window ? new Date(window.until) : null,
      lockedUntil: factor ? lockOf(factor, now) : null,
    }
  }

  /**
   * When the caller gave the code that this decision is made under; undefined where none is asked for. Refuses
   * `approval.second-factor-required` where none was given in this browser, or too long ago.
   */
  async require({ email, sessionId }: FactorSession, now: Date): Promise<Date | undefined> {
    if (!this.isEnabled) return undefined
    const { store } = this.#context
    const window = await findWindow(store.db, { sessionId, key: approverKey(email) }, now)
    if (!window || (window.once === 1 && !(await useWindow(store, window))))
      throw refuse('approval.second-factor-required')
    return new Date(window.verified_at)
  }

  /** A new seed for an app. Nothing is stored: the browser brings the sealed `enrolment` back with the first code. */
  async begin({ email, sessionId }: FactorSession, now: Date) {
    const key = approverKey(email)
    await this.#refuseEnrolled(key)
    const seal = await this.#sealed()
    const { Issuer } = this.#context.settings.ApproverSecondFactor
    const { secret, uri, sealed } = newSecondFactor(seal, seedContext(key), key, Issuer)
    const until = plus(now, ENROLMENT)
    const begun: Begun = { sealed, until: until.toISOString() }
    return { secret, uri, enrolment: seal.seal(JSON.stringify(begun), enrolmentContext(key, sessionId)), until }
  }

  /** Stores the app once a code of it was given; that code opens the window, too. */
  async confirm(session: Enrolling, given: { enrolment: string; code: string }, now: Date): Promise<FactorVerdict> {
    const key = approverKey(session.email)
    const stale = await this.#refuseEnrolled(key)
    const seal = await this.#sealed()
    const sealed = begunSeed(seal, given.enrolment, enrolmentContext(key, session.sessionId), now)
    const step = stepIn(seal, { key, sealed }, given.code, now)
    if (step === undefined) return wrong(null)
    const factor = { approver_key: key, sealed_seed: sealed, last_step: step, enrolled_at: now.toISOString() }
    const until = await this.#context.store.transaction(async (tx) => {
      if (!(await insertFactor(tx, factor, stale))) throw refuse('approval.second-factor-already-enrolled')
      const actor = { name: key, address: session.address }
      const what = telling(said('second-factor-enrolled', { email: key }))
      await this.#record(tx, { type: 'SecondFactorEnrolled', ...what, actor, subject: subjectOf(key) })
      return this.#openWindow(tx, session, now)
    })
    this.#metrics.bulk_second_factor_enrolments_total.inc()
    return { verified: true, until }
  }

  /** Looks at a code; a right one opens the window of this browser. */
  async verify(session: FactorSession, code: string, now: Date): Promise<FactorVerdict> {
    const key = approverKey(session.email)
    if (!this.isEnabled || !(await this.#usable(key))) throw refuse('approval.second-factor-not-enrolled')
    const verdict = await this.#judge(session, key, code, now)
    this.#metrics.bulk_second_factor_verifications_total.inc({ outcome: outcomeOf(verdict) })
    return verdict
  }

  /** The enrolments, also those that the present secret does not open. */
  async list(now: Date) {
    const rows = await listFactors(this.#context.store.db)
    const seal = rows.length > 0 && this.isEnabled ? await this.#sealed() : undefined
    return rows.map((row) => ({
      email: row.approver_key,
      enrolledAt: row.enrolled_at,
      lockedUntil: lockOf(row, now),
      usable: seal !== undefined && opens(seal, row),
    }))
  }

  /** Forgets somebody's app, so that they enrol another. Refuses `approval.second-factor-not-enrolled`. */
  async reset(email: string, actor: Actor): Promise<void> {
    const key = approverKey(email)
    await this.#context.store.transaction(async (tx) => {
      const factor = await deleteFactor(tx, key)
      if (!factor) throw refuse('approval.second-factor-not-enrolled', { email })
      const what = telling(said('second-factor-reset', { email: key, actor: nameOf(actor) }))
      const changes = { before: { enrolledAt: factor.enrolled_at }, after: { enrolledAt: null } }
      await this.#record(tx, { type: 'SecondFactorReset', ...what, actor, subject: subjectOf(key), changes })
    })
  }

  async #judge(session: FactorSession, key: string, code: string, now: Date): Promise<FactorVerdict> {
    const { store } = this.#context
    const lockedUntil = plus(now, LOCKED_FOR)
    const factor = await takeAttempt(store, key, { now, most: MOST_WRONG, lockedUntil })
    if (!factor) return lockedOut(await findFactor(store.db, key), lockedUntil)
    const step = stepIn(await this.#sealed(), { key, sealed: factor.sealed_seed }, code, now)
    const until = step === undefined ? undefined : await this.#accept(session, factor, step, now)
    return until ? { verified: true, until } : wrong(lockOf(factor, now))
  }

  #accept(session: FactorSession, factor: ApproverFactorRow, step: number, now: Date): Promise<Date | undefined> {
    return this.#context.store.transaction(async (tx) =>
      (await takeStep(tx, factor, step)) ? this.#openWindow(tx, session, now) : undefined,
    )
  }

  /** As long as the setting is now: a later change shortens or lengthens no open window. */
  async #openWindow(tx: Transaction<Tables>, { email, sessionId }: FactorSession, now: Date): Promise<Date> {
    const length = durationOf(this.#context.settings.ApproverSecondFactor.VerificationWindow)
    const until = plus(now, length || ONCE_WITHIN)
    const window = {
      session_id: sessionId,
      approver_key: approverKey(email),
      verified_at: now.toISOString(),
      until: until.toISOString(),
      once: length === 0 ? 1 : 0,
    }
    await openWindow(tx, window, now)
    return until
  }

  #record(tx: Transaction<Tables>, event: Parameters<Context['events']['record']>[1]) {
    return this.#context.events.record(tx, event)
  }

  /** The enrolment of an approver, unless the secret was changed since. */
  async #usable(key: string): Promise<ApproverFactorRow | undefined> {
    const factor = await findFactor(this.#context.store.db, key)
    return factor && opens(await this.#sealed(), factor) ? factor : undefined
  }

  /** Refuses whoever has an app; answers the seed that may be replaced, since nothing opens it any more. */
  async #refuseEnrolled(key: string): Promise<string | undefined> {
    if (!this.isEnabled) throw refuse('approval.second-factor-not-enrolled')
    const factor = await findFactor(this.#context.store.db, key)
    if (factor && opens(await this.#sealed(), factor)) throw refuse('approval.second-factor-already-enrolled')
    return factor?.sealed_seed
  }

  #sealed(): Promise<Secrets> {
    this.#seal ??= openSeedSeal(this.#context.settings.ApproverSecondFactor.SeedSecret)
    return this.#seal
  }
}

const seedContext = (key: string): string => `approver-second-factor/${key}`

const enrolmentContext = (key: string, sessionId: string): string => `approver-enrolment/${sessionId}/${key}`

const subjectOf = (id: string) => ({ kind: 'approver', id })

const lockOf = ({ locked_until }: ApproverFactorRow, now: Date): Date | null =>
  locked_until !== null && locked_until > now.toISOString() ? new Date(locked_until) : null

const wrong = (lockedUntil: Date | null): FactorVerdict => ({
  verified: false,
  code: 'approval.second-factor-invalid-code',
  lockedUntil,
})

const lockedOut = (factor: ApproverFactorRow | undefined, otherwise: Date): FactorVerdict => ({
  verified: false,
  code: 'approval.second-factor-locked-out',
  lockedUntil: factor?.locked_until ? new Date(factor.locked_until) : otherwise,
})

const outcomeOf = (verdict: FactorVerdict): 'verified' | 'invalid-code' | 'locked-out' =>
  verdict.verified ? 'verified' : verdict.code === 'approval.second-factor-locked-out' ? 'locked-out' : 'invalid-code'

/** The time step of a code; blanks, as apps show them, do not matter. */
function stepIn(
  seal: Secrets,
  { key, sealed }: { readonly key: string; readonly sealed: string },
  given: string,
  now: Date,
): number | undefined {
  const code = given.replaceAll(/\s/g, '')
  return CODE.test(code) ? stepOf(seal, { context: seedContext(key), sealed }, code, now) : undefined
}

function opens(seal: Secrets, { approver_key, sealed_seed }: ApproverFactorRow): boolean {
  try {
    seal.open(sealed_seed, seedContext(approver_key))
    return true
  } catch (error) {
    if (error instanceof SecretProblem) return false
    throw error
  }
}

/** An enrolment between its two steps. */
interface Begun {
  readonly sealed: string
  readonly until: string
}

/** The seed of an enrolment that this person began in this browser a while ago. */
function begunSeed(seal: Secrets, enrolment: string, context: string, now: Date): string {
  const { sealed, until } = openedEnrolment(seal, enrolment, context)
  if (until <= now.toISOString()) throw refuse('approval.second-factor-enrolment-expired')
  return sealed
}

function openedEnrolment(seal: Secrets, enrolment: string, context: string): Begun {
  try {
    return JSON.parse(seal.openText(enrolment, context)) as Begun
  } catch (error) {
    // Anybody can send a text; one of another browser, person or secret is as good as none.
    if (error instanceof SecretProblem) throw refuse('approval.second-factor-enrolment-expired', {}, error)
    throw error
  }
}
