// Local administrators: an address, a password and the code of an authenticator app.
import type { Refusal } from '@chancela/service-kernel/errors'
import { clientNetwork, endSessionsOf, noteProof } from '@chancela/service-kernel/http'
import type { Said } from '@chancela/service-kernel/i18n'
import { hashPassword, isPassword } from '@chancela/service-kernel/secrets'
import { confirmTotp, findAdministrator, findAdministratorByEmail, noteSignIn, takeStep } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import { addressOf, event, requireUncommon } from './administrators.ts'
import { act, actorOf } from './audit.ts'
import type { ConsoleCaller, SessionCaller } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import type { CommonConsoleErrorCode } from './contract/index.ts'
import { factorsOf, hasFactor } from './factors.ts'
import { Guesses } from './guesses.ts'
import { makeRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { refuse } from './refuse.ts'
import { administratorContext, newSecondFactor, stepOf } from './second-factor.ts'

interface Credentials {
  /** Of the client. */
  readonly address: string
  readonly email: string
  readonly password: string
  readonly code?: string
  /** Whether a passkey of the administrator was given in place of a code; absent where none was. */
  readonly isPasskey?: (administrator: AdministratorRow) => Promise<boolean>
}

/** When a code is given, from where, and in which session. */
/** Whose account a guess is at, and the address that it comes from. */
interface Guess {
  readonly administrator: AdministratorRow
  readonly from: string
}

interface Moment {
  readonly now: Date
  readonly from: string
  readonly sid?: string
}

type Proof = Pick<Credentials, 'password' | 'code'>

/** What an app shows; anything else may be a recovery code, which has letters. */
const APP_CODE = /^\d{6}$/

type SignInContext = Pick<ConsoleContext, 'settings' | 'store' | 'events' | 'secrets' | 'clock'>

export class LocalSignIn {
  readonly #context: SignInContext
  readonly #guesses: Guesses

  constructor(context: SignInContext) {
    this.#context = context
    this.#guesses = new Guesses(context.settings.Auth, context)
  }

  /**
   * The administrator with this address, password and code. An unknown address costs the same work and gets the same
   * answer as a wrong password.
   */
  async signIn({ email, password, code, isPasskey, address: from }: Credentials, now: Date): Promise<AdministratorRow> {
    const { settings, store } = this.#context
    const address = addressOf(email)
    const known = settings.Auth.Password ? await findAdministratorByEmail(store.db, address) : undefined
    const isLast = await this.#guesses.begin({ address, isKnown: known !== undefined })
    const isRight = await this.#isPassword(address, password, known?.password_hash, clientNetwork(from))
    if (isRight && hasFactor(known!) && code === undefined && !isPasskey) {
      await this.#guesses.takeBack(address)
      throw refuse('CODE_REQUIRED', { factors: factorsOf(known!) })
    }
    const isFactor = isPasskey ?? ((row: AdministratorRow) => this.#isCode(row, code, { now, from }))
    if (!isRight || !(await isFactor(known!))) {
      if (known && isLast) await this.#recordLocked(known, from)
      throw refuse('SIGN_IN_REFUSED')
    }
    await this.#guesses.forget(address)
    await this.recordSignedIn(known!, from, now)
    return known!
  }

  /** An attempt that is turned away before its password was looked at is no guess. */
  async #isPassword(address: string, password: string, hash: string | undefined, client: string): Promise<boolean> {
    try {
      return await isPassword(password, hash, this.#context.settings.Auth.PasswordCost, client)
    } catch (error) {
      await this.#guesses.takeBack(address)
      throw error
    }
  }

  /** Whether a code is currently valid, or a recovery code, and was not used before; true without a second factor. */
  async #isCode(administrator: AdministratorRow, code: string | undefined, { now, ...by }: Moment): Promise<boolean> {
    const { id, sealed_totp } = administrator
    if (!hasFactor(administrator)) return true
    if (code === undefined) return false
    if (!APP_CODE.test(code)) return useRecoveryCode(this.#context, administrator, { code, ...by })
    if (sealed_totp === null) return false
    const step = stepOf(this.#context.secrets, { context: administratorContext(id), sealed: sealed_totp }, code, now)
    return step !== undefined && takeStep(this.#context.store.db, administrator, step)
  }

  /** Whoever is signed in shows again who they are; a wrong password or code counts as a guess. */
  async prove(caller: SessionCaller, { password, code }: Proof, now: Date): Promise<void> {
    const { store } = this.#context
    const administrator = await this.#own(caller)
    const { email, password_hash } = administrator
    await this.guess({ administrator, from: caller.address }, 'PROOF_REFUSED', async () => {
      const isRight = await this.#isPassword(email, password, password_hash, clientNetwork(caller.address))
      return isRight && this.#isCode(administrator, code, { now, from: caller.address, sid: caller.session.sid })
    })
    await noteProof(store.db, caller.session.sid, now)
  }

  /** Counts what is wrong among the guesses at the account, and refuses it. */
  async guess(guess: Guess, code: CommonConsoleErrorCode, isRight: () => Promise<boolean>): Promise<void> {
    const isLast = await this.#begin(guess)
    if (!(await isRight())) throw await this.#wrong(guess, code, isLast)
    await this.#guesses.forget(guess.administrator.email)
  }

  /** Counts a guess that is known to be wrong, and refuses it. */
  async guessedWrong(guess: Guess, code: CommonConsoleErrorCode): Promise<never> {
    throw await this.#wrong(guess, code, await this.#begin(guess))
  }

  #begin({ administrator }: Guess): Promise<boolean> {
    return this.#guesses.begin({ address: administrator.email, isKnown: true })
  }

  async #wrong({ administrator, from }: Guess, code: CommonConsoleErrorCode, isLast: boolean): Promise<Refusal> {
    if (isLast) await this.#recordLocked(administrator, from)
    return refuse(code)
  }

  /** Creates a new secret for an app; the old one stays active until a code of the new one was given. */
  async beginSecondFactor(caller: ConsoleCaller) {
    const { id, email } = await this.#own(caller)
    const { secret, uri, sealed } = newSecondFactor(this.#context.secrets, administratorContext(id), email)
    await this.#context.store.db
      .updateTable('administrator')
      .set({ sealed_new_totp: sealed })
      .where('id', '=', id)
      .execute()
    return { secret, uri }
  }

  /** An app that is there already is replaced by whoever has it, or a copied session could lock its owner out. */
  async confirmSecondFactor(
    caller: ConsoleCaller,
    { code, presentCode }: { readonly code: string; readonly presentCode?: string },
    now: Date,
  ): Promise<AdministratorRow> {
    const { secrets, store, events } = this.#context
    const administrator = await this.#own(caller)
    const { id, sealed_new_totp: sealed } = administrator
    const step = sealed === null ? undefined : stepOf(secrets, { context: administratorContext(id), sealed }, code, now)
    if (step === undefined) throw refuse('SECOND_FACTOR_WRONG')
    const guess = { administrator, from: caller.address }
    const hasApp = administrator.sealed_totp !== null
    await this.guess(guess, 'PRESENT_CODE_WRONG', async () =>
      hasApp ? this.#isCode(administrator, presentCode, { now, from: caller.address }) : true,
    )
    return store.transaction(async (tx) => {
      const confirmed = await confirmTotp(tx, administrator, step)
      if (!confirmed) throw refuse('SECOND_FACTOR_WRONG')
      await endSessionsOf(tx, { who: id })
      await events.record(tx, event('SecondFactorSet', actorOf(caller), confirmed))
      return confirmed
    })
  }

  async makeRecoveryCodes(caller: ConsoleCaller): Promise<{ readonly codes: readonly string[] }> {
    const administrator = await this.#own(caller)
    if (!hasFactor(administrator)) throw refuse('NO_SECOND_FACTOR')
    return { codes: await makeRecoveryCodes(this.#context, administrator, caller.address) }
  }

  async changePassword(
    caller: ConsoleCaller,
    { password, newPassword }: { readonly password: string; readonly newPassword: string },
  ): Promise<AdministratorRow> {
    const { settings, store, events } = this.#context
    const client = clientNetwork(caller.address)
    const administrator = await this.#own(caller)
    const { id, name, email, password_hash } = administrator
    const isPresent = () => this.#isPassword(email, password, password_hash, client)
    await this.guess({ administrator, from: caller.address }, 'PASSWORD_WRONG', isPresent)
    requireUncommon(newPassword, { name, email })
    const fresh = await hashPassword(newPassword, settings.Auth.PasswordCost, client)
    return store.transaction(async (tx) => {
      const changed = await tx
        .updateTable('administrator')
        .set({ password_hash: fresh })
        .where('id', '=', id)
        .where('password_hash', '=', password_hash)
        .returningAll()
        .executeTakeFirst()
      if (!changed) throw refuse('PASSWORD_WRONG')
      await endSessionsOf(tx, { who: id })
      await events.record(tx, event('PasswordChanged', actorOf(caller), changed))
      return changed
    })
  }

  /** The row of the signed-in caller; callers from the identity provider have none. */
  async #own({ id, way }: Pick<ConsoleCaller, 'id' | 'way'>): Promise<AdministratorRow> {
    if (way === 'oidc') throw refuse('AT_IDENTITY_PROVIDER')
    const found = await findAdministrator(this.#context.store.db, id)
    if (!found) throw refuse('UNAUTHORIZED')
    return found
  }

  /** `how` is a part of the event's sentence. */
  recordSignedIn(administrator: AdministratorRow, address: string, now: Date, how: '' | Said = ''): Promise<void> {
    const { store, events } = this.#context
    return store.transaction(async (tx) => {
      await noteSignIn(tx, administrator.id, now)
      const { id, email } = administrator
      const actor = { name: email, address }
      await events.record(tx, act('AdministratorSignedIn', actor, ['administrator', id], { email, how }))
    })
  }

  /** Recorded once each time an account is locked; guesses at unknown addresses are not recorded. */
  async #recordLocked(administrator: AdministratorRow, address: string): Promise<void> {
    const { store, events } = this.#context
    await events.record(store.db, event('SignInLocked', { name: 'sign-in', address }, administrator))
  }
}
