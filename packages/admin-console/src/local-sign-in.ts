// Local administrators: an address, a password and the code of an authenticator app.
import { hashPassword, isPassword } from '@chancela/service-kernel/secrets'
import { confirmTotp, findAdministrator, findAdministratorByEmail, noteSignIn, takeStep } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import { addressOf, event, requireUncommon } from './administrators.ts'
import type { ConsoleCaller } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import { Guesses } from './guesses.ts'
import { refuse } from './refuse.ts'
import { administratorContext, newSecondFactor, stepOf } from './second-factor.ts'

interface Credentials {
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
   * The administrator with this address, password and code, which `client` sent. An unknown address costs the same work and gets the same
   * answer as a wrong password.
   */
  async signIn({ email, password, code }: Credentials, client: string, now: Date): Promise<AdministratorRow> {
    const { settings, store } = this.#context
    const address = addressOf(email)
    const isLast = this.#guesses.begin(address)
    const known = settings.Auth.Password ? await findAdministratorByEmail(store.db, address) : undefined
    const isRight = await this.#isPassword(address, password, known?.password_hash, client)
    if (isRight && known!.sealed_totp !== null && code === undefined) {
      this.#guesses.takeBack(address)
      throw refuse('CODE_REQUIRED')
    }
    if (!isRight || !(await this.#isCode(known!, code, now))) {
      if (known && isLast) await this.#recordLocked(known)
      throw refuse('SIGN_IN_REFUSED')
    }
    this.#guesses.forget(address)
    await this.#recordSignedIn(known!, now)
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
      await events.record(tx, event('SecondFactorSet', caller.email, confirmed, 'set an authenticator app up'))
      return confirmed
    })
  }

  async changePassword(
    caller: ConsoleCaller,
    { password, newPassword }: { readonly password: string; readonly newPassword: string },
    client: string,
  ): Promise<AdministratorRow> {
    const { settings, store, events } = this.#context
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
      await events.record(tx, event('PasswordChanged', caller.email, changed, 'changed the password'))
      return changed
    })
  }

  /** The row of the signed-in caller; callers from the identity provider have none. */
  async #own({ id, way }: ConsoleCaller): Promise<AdministratorRow> {
    if (way === 'oidc') throw refuse('AT_IDENTITY_PROVIDER')
    const found = await findAdministrator(this.#context.store.db, id)
    if (!found) throw refuse('UNAUTHORIZED')
    return found
  }

  #recordSignedIn(administrator: AdministratorRow, now: Date): Promise<void> {
    const { store, events } = this.#context
    return store.transaction(async (tx) => {
      await noteSignIn(tx, administrator.id, now)
      await events.record(tx, event('AdministratorSignedIn', administrator.email, administrator, 'signed in'))
    })
  }

  /** Recorded once each time an account is locked; guesses at unknown addresses are not recorded. */
  async #recordLocked(administrator: AdministratorRow): Promise<void> {
    const { store, events } = this.#context
    const what = 'cannot sign in for a while: too many wrong passwords or codes'
    await events.record(store.db, event('SignInLocked', 'sign-in', administrator, what))
  }
}
