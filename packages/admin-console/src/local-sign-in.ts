// Local administrators: an address, a password and the code of an authenticator app.
import { clientNetwork, endSessionsOf } from '@chancela/service-kernel/http'
import { hashPassword, isPassword } from '@chancela/service-kernel/secrets'
import { confirmTotp, findAdministrator, findAdministratorByEmail, noteSignIn, takeStep } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import { addressOf, event, requireUncommon } from './administrators.ts'
import { actorOf } from './audit.ts'
import type { ConsoleCaller } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import { Guesses } from './guesses.ts'
import { refuse } from './refuse.ts'
import { administratorContext, newSecondFactor, stepOf } from './second-factor.ts'

interface Credentials {
  /** Of the client. */
  readonly address: string
  readonly email: string
  readonly password: string
  readonly code?: string
}

type SignInContext = Pick<ConsoleContext, 'settings' | 'store' | 'events' | 'secrets' | 'clock'>

export class LocalSignIn {
  readonly #context: SignInContext
  readonly #guesses: Guesses

  constructor(context: SignInContext) {
    this.#context = context
    this.#guesses = new Guesses(context.settings.Auth, context.clock)
  }

  /**
   * The administrator with this address, password and code. An unknown address costs the same work and gets the same
   * answer as a wrong password.
   */
  async signIn({ email, password, code, address: from }: Credentials, now: Date): Promise<AdministratorRow> {
    const { settings, store } = this.#context
    const address = addressOf(email)
    const isLast = this.#guesses.begin(address)
    const known = settings.Auth.Password ? await findAdministratorByEmail(store.db, address) : undefined
    const isRight = await this.#isPassword(address, password, known?.password_hash, clientNetwork(from))
    if (isRight && known!.sealed_totp !== null && code === undefined) {
      this.#guesses.takeBack(address)
      throw refuse('CODE_REQUIRED')
    }
    if (!isRight || !(await this.#isCode(known!, code, now))) {
      if (known && isLast) await this.#recordLocked(known, from)
      throw refuse('SIGN_IN_REFUSED')
    }
    this.#guesses.forget(address)
    await this.#recordSignedIn(known!, from, now)
    return known!
  }

  /** An attempt that is turned away before its password was looked at is no guess. */
  async #isPassword(address: string, password: string, hash: string | undefined, client: string): Promise<boolean> {
    try {
      return await isPassword(password, hash, this.#context.settings.Auth.PasswordCost, client)
    } catch (error) {
      this.#guesses.takeBack(address)
      throw error
    }
  }

  /** Whether a code is currently valid and was not used before; true without an app. */
  async #isCode(administrator: AdministratorRow, code: string | undefined, now: Date): Promise<boolean> {
    const { id, sealed_totp } = administrator
    if (sealed_totp === null) return true
    const step = stepOf(this.#context.secrets, { context: administratorContext(id), sealed: sealed_totp }, code!, now)
    return step !== undefined && takeStep(this.#context.store.db, administrator, step)
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

  async confirmSecondFactor(caller: ConsoleCaller, code: string, now: Date): Promise<AdministratorRow> {
    const { secrets, store, events } = this.#context
    const administrator = await this.#own(caller)
    const { id, sealed_new_totp: sealed } = administrator
    const step = sealed === null ? undefined : stepOf(secrets, { context: administratorContext(id), sealed }, code, now)
    if (step === undefined) throw refuse('SECOND_FACTOR_WRONG')
    return store.transaction(async (tx) => {
      const confirmed = await confirmTotp(tx, administrator, step)
      if (!confirmed) throw refuse('SECOND_FACTOR_WRONG')
      await endSessionsOf(tx, { who: id })
      await events.record(tx, event('SecondFactorSet', actorOf(caller), confirmed, 'set an authenticator app up'))
      return confirmed
    })
  }

  async changePassword(
    caller: ConsoleCaller,
    { password, newPassword }: { readonly password: string; readonly newPassword: string },
  ): Promise<AdministratorRow> {
    const { settings, store, events } = this.#context
    const client = clientNetwork(caller.address)
    const { id, name, email, password_hash } = await this.#own(caller)
    this.#guesses.begin(email)
    if (!(await this.#isPassword(email, password, password_hash, client))) throw refuse('PASSWORD_WRONG')
    this.#guesses.forget(email)
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
      await events.record(tx, event('PasswordChanged', actorOf(caller), changed, 'changed the password'))
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

  #recordSignedIn(administrator: AdministratorRow, address: string, now: Date): Promise<void> {
    const { store, events } = this.#context
    return store.transaction(async (tx) => {
      await noteSignIn(tx, administrator.id, now)
      const actor = { name: administrator.email, address }
      await events.record(tx, event('AdministratorSignedIn', actor, administrator, 'signed in'))
    })
  }

  /** Recorded once each time an account is locked; guesses at unknown addresses are not recorded. */
  async #recordLocked(administrator: AdministratorRow, address: string): Promise<void> {
    const { store, events } = this.#context
    const what = 'cannot sign in for a while: too many wrong passwords or codes'
    await events.record(store.db, event('SignInLocked', { name: 'sign-in', address }, administrator, what))
  }
}
