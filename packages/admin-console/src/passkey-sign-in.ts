// Signing in and proving with a passkey. It has verified its user (finger, face, PIN): it stands for password and code.
import { type Call, noteProof } from '@chancela/service-kernel/http'
import type { Static } from 'typebox'
import { findAdministrator } from './administrator-rows.ts'
import type { AdministratorRow } from './administrator-table.ts'
import { said } from './audit.ts'
import type { SessionCaller } from './caller.ts'
import type { ConsoleContext } from './console-context.ts'
import type { PasskeyAnswer } from './contract/index.ts'
import type { LocalSignIn } from './local-sign-in.ts'
import { ASKED_FOR, type PasskeyQuestions, type Purpose } from './passkey-questions.ts'
import { findPasskey, notePasskeyUse } from './passkey-rows.ts'
import type { PasskeyRow } from './passkey-table.ts'
import { descriptorOf, type Passkeys } from './passkeys.ts'
import { refuse } from './refuse.ts'
import type { RelyingParty } from './relying-party.ts'
import { countOf } from './verify-passkeys.ts'

type Request = Call['request']
type Answer = Static<typeof PasskeyAnswer>

/** An answer with the question it should be to. */
interface Given {
  readonly answer: Answer
  readonly party: RelyingParty
  /** Undefined where this browser was asked nothing of the kind. */
  readonly challenge: string | undefined
}

/** What passkey sign-ins are made of. */
interface PasskeyParts {
  readonly passkeys: Passkeys
  readonly questions: PasskeyQuestions
  readonly local: LocalSignIn
}

export class PasskeySignIn {
  readonly #context: ConsoleContext
  readonly #parts: PasskeyParts

  constructor(context: ConsoleContext, parts: PasskeyParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Any passkey of this site may answer: nobody has said who they are. */
  askForSignIn(request: Request) {
    return this.#ask(request, { what: 'sign-in' }, [])
  }

  /** The passkeys of whoever is signed in may answer. */
  async askForProof(request: Request, caller: SessionCaller) {
    const { id } = await this.#parts.passkeys.own(caller)
    return this.#ask(request, proofOf(caller), await this.#parts.passkeys.list({ id }))
  }

  /**
   * Whoever a passkey belongs to; a wrong answer of a known one counts among the guesses at its administrator. A right one
   * is accepted while those are locked: nobody guesses a signature, and strangers must not keep an administrator out.
   */
  async signIn(request: Request, answer: Answer, now: Date): Promise<AdministratorRow> {
    const { settings, store } = this.#context
    const given = await this.#given(request, answer, { what: 'sign-in' })
    const passkey = answer.userHandle ? await findPasskey(store.db, answer.id) : undefined
    const isLocal = settings.Auth.Password && passkey !== undefined && given.challenge !== undefined
    const administrator = isLocal ? await findAdministrator(store.db, passkey.administrator_id) : undefined
    if (!administrator) throw refuse('PASSKEY_REFUSED')
    const { local } = this.#parts
    const guess = { administrator, from: request.ip }
    if (!(await this.#isRight(given, passkey!, now))) await local.guessedWrong(guess, 'PASSKEY_REFUSED')
    await local.recordSignedIn(administrator, request.ip, now, said('by-passkey'))
    return administrator
  }

  /** Whether the answer is of a passkey of this administrator, who gave the password. */
  async isFactorOf(request: Request, answer: Answer, administrator: AdministratorRow, now: Date): Promise<boolean> {
    return this.#isOf(await this.#given(request, answer, { what: 'sign-in' }), administrator, now)
  }

  /** Whoever is signed in shows again who they are; a wrong answer counts as a guess. */
  async prove(request: Request, caller: SessionCaller, answer: Answer, now: Date): Promise<void> {
    const { passkeys, local } = this.#parts
    const administrator = await passkeys.own(caller)
    const given = await this.#given(request, answer, proofOf(caller))
    const guess = { administrator, from: caller.address }
    if (!(await this.#isOf(given, administrator, now))) await local.guessedWrong(guess, 'PROOF_REFUSED')
    await noteProof(this.#context.store.db, caller.session.sid, now)
  }

  #ask(request: Request, purpose: Purpose, allowed: readonly PasskeyRow[]) {
    const party = this.#parts.passkeys.partyOf(request)
    const { challenge, cookie } = this.#parts.questions.ask(purpose)
    const question = {
      challenge,
      rpId: party.id,
      timeout: ASKED_FOR,
      userVerification: 'required' as const,
      allowCredentials: allowed.map(descriptorOf),
    }
    return { question, cookie }
  }

  async #given(request: Request, answer: Answer, purpose: Purpose): Promise<Given> {
    const party = this.#parts.passkeys.partyOf(request)
    return { answer, party, challenge: await this.#parts.questions.take(request, purpose) }
  }

  async #isOf(given: Given, { id }: AdministratorRow, now: Date): Promise<boolean> {
    const passkey = await findPasskey(this.#context.store.db, given.answer.id)
    return passkey?.administrator_id === id && this.#isRight(given, passkey, now)
  }

  async #isRight({ answer, challenge, party }: Given, passkey: PasskeyRow, now: Date): Promise<boolean> {
    const { store, logger } = this.#context
    if (challenge === undefined) return false
    const count = await countOf(answer, { challenge, party }, passkey, logger)
    return count !== undefined && notePasskeyUse(store.db, passkey, count, now)
  }
}

/** A proof is of one session: another one of the same administrator asks for itself. */
const proofOf = ({ session }: SessionCaller) => ({ what: 'proof', who: session.sid }) as const
