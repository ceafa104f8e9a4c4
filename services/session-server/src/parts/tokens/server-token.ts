// One token of the server's own: who is logged in there, with which PIN, and what it signs.
import { KeyedMutex, Semaphore } from '@chancela/service-kernel/concurrency'
import { sameSecret } from '@chancela/service-kernel/secrets'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { allowedTry, MOST_TRIES, type PinSource } from '../../rules/token-tries.ts'
import type { TokenSettings } from '../../settings.ts'
import type { CertificateRow, TokenLoginRow } from '../../store/tables.ts'
import { tokenLogin, writeTokenLogin } from '../../store/token-logins.ts'
import type { DigestAlgorithm } from '../sessions/live-session.ts'
import type { KeptPins } from './kept-pins.ts'
import { TokenHost, TokenProblem } from './token-host.ts'
import { TokenKey } from './token-key.ts'
import type { PinRefusal, ShownCertificate } from './token-messages.ts'

/** A login that sessions rest on. The PIN is in a buffer of its own, so that it can be wiped. */
export interface TokenLogin {
  readonly pin: Buffer
  /** Of the certificates whose keys it opens. */
  readonly fingerprints: ReadonlySet<string>
  /** Sessions that rest on it. */
  holds: number
}

/** Result of comparing a PIN, or of giving it to the token. */
export type TokenAnswer =
  | { readonly kind: 'confirmed'; readonly key: TokenKey }
  | { readonly kind: 'differs' }
  | { readonly kind: 'cannot-tell' }

/** What a look found. */
export type TokenState =
  | { readonly ok: true; readonly certificates: readonly ShownCertificate[] }
  | { readonly ok: false; readonly detail: string }

export interface ServerTokenParts {
  readonly context: Pick<Context, 'store' | 'logger'>
  readonly kept: KeptPins
  /** A login is gone: sessions that rest on it end. */
  readonly lost: () => void
}

const detailOf: Readonly<Record<PinRefusal | 'not-given', string>> = {
  wrong: 'The token did not accept the PIN.',
  'count-low': 'A wrong PIN was tried: no PIN is given to the token until one that is known to be right.',
  'final-try': 'One more wrong PIN would lock the token: no PIN is given to it.',
  locked: 'The PIN of the token is locked.',
  'not-given': 'The PIN was not accepted before, and is not given to the token again.',
}

const CANNOT_TELL: TokenAnswer = { kind: 'cannot-tell' }
const DIFFERS: TokenAnswer = { kind: 'differs' }

export class ServerToken {
  readonly name: string
  readonly #settings: TokenSettings
  readonly #parts: ServerTokenParts
  readonly #host: TokenHost
  /** Logins and logouts, one at a time. */
  readonly #turns = new KeyedMutex()
  /** Signatures wait here, not in the process: what is asked there is answered in time, or it hangs. */
  readonly #signing: Semaphore
  #login: TokenLogin | undefined
  #checking: Promise<boolean> | undefined

  constructor(settings: TokenSettings, answerSeconds: number, parts: ServerTokenParts) {
    this.name = settings.Name
    this.#settings = settings
    this.#parts = parts
    this.#signing = new Semaphore(settings.Sessions)
    this.#host = new TokenHost({
      module: settings.ModulePath,
      token: settings.TokenLabel,
      sessions: settings.Sessions,
      answerSeconds,
      onEnd: () => this.#drop(this.#login),
    })
  }

  /** Whether an operator's PIN opens it, and each holder has another. */
  get isOperators(): boolean {
    return this.#settings.Pin !== undefined
  }

  isLoggedIn(login: TokenLogin): boolean {
    return this.#login === login
  }

  close(): void {
    this.#drop(this.#login)
    this.#host.close()
  }

  /** Whether the PIN can be compared without giving it to the token, and then the answer. */
  recognize(row: CertificateRow, pin: string): Promise<TokenAnswer | undefined> {
    if (this.isOperators) return this.#turn(() => this.#holdersAnswer(row, pin))
    return this.#turn(async () => {
      if (this.#login) return this.#compared(this.#login, row, pin)
      return (await this.#isAccepted(pin)) ? this.#given(row, pin) : undefined
    })
  }

  /** Gives a client's PIN to the token, where nothing speaks against it. */
  present(row: CertificateRow, pin: string): Promise<TokenAnswer> {
    return this.#turn(async () => (this.#login ? this.#compared(this.#login, row, pin) : this.#given(row, pin)))
  }

  /** An administrator brings the token's PIN: whatever was refused before is forgotten when it is right. */
  async prove(pin: string): Promise<PinRefusal | 'not-given' | undefined> {
    return this.#turn(async () => {
      const before = this.#login
      if (before) return sameSecret(before.pin, pin) ? undefined : 'wrong'
      const login = await this.#logIn(pin, 'administrator')
      if (typeof login === 'string') return login
      await this.#logOut(login)
      return undefined
    })
  }

  /** Looks whether it is there and what is on it; logs in to one that an operator's PIN opens. */
  async look(): Promise<TokenState> {
    try {
      const problem = await this.#turn(() => this.#operatorsLogin())
      if (typeof problem === 'string') return { ok: false, detail: detailOf[problem] }
      const { certificates } = await this.#host.ask({ do: 'look' })
      return { ok: true, certificates }
    } catch (error) {
      if (!(error instanceof TokenProblem)) throw error
      this.#drop(this.#login)
      return { ok: false, detail: error.message }
    }
  }

  /** Whether the token is there and the login, too. Callers at the same time share an answer. */
  async check(login: TokenLogin): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return (await this.#checking) && this.isLoggedIn(login)
  }

  /** Undefined when the login is gone. Throws TokenProblem where it is there and no signature was made. */
  async sign(
    login: TokenLogin,
    request: { readonly fingerprint: string; readonly digest: Uint8Array; readonly algorithm: DigestAlgorithm },
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const release = await this.#signing.take(signal)
    try {
      if (!this.isLoggedIn(login)) return undefined
      return (await this.#host.ask({ do: 'sign', ...request })).signature
    } catch (error) {
      if (!(error instanceof TokenProblem)) throw error
      this.#parts.context.logger.warn({ token: this.name, problem: error.message }, 'token did not sign')
      if (await this.check(login)) throw error
      return undefined
    } finally {
      release()
    }
  }

  /** With the last session a holder's login ends; an operator's stays. */
  release(login: TokenLogin): void {
    if (--login.holds > 0 || this.isOperators) return
    void this.#turn(async () => {
      if (login.holds === 0 && this.isLoggedIn(login)) await this.#logOut(login)
    })
  }

  async #check(): Promise<boolean> {
    try {
      const { isOpen } = await this.#host.ask({ do: 'check' })
      if (!isOpen) this.#drop(this.#login)
      return isOpen
    } catch (error) {
      if (!(error instanceof TokenProblem)) throw error
      this.#drop(this.#login)
      return false
    }
  }

  #turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('', work)
  }

  /** The holder's PIN is compared with the one that was kept; the operator's opens the token. */
  async #holdersAnswer(row: CertificateRow, pin: string): Promise<TokenAnswer> {
    const isSame = await this.#parts.kept.isHolders(row, pin)
    if (isSame === undefined) return CANNOT_TELL
    if (!isSame) return DIFFERS
    return this.#answered(row, () => this.#operatorsLogin())
  }

  async #operatorsLogin(): Promise<TokenLogin | PinRefusal | 'not-given' | undefined> {
    const { Pin } = this.#settings
    if (Pin === undefined) return undefined
    return this.#login ?? this.#logIn(Pin, 'settings')
  }

  #compared(login: TokenLogin, row: CertificateRow, pin: string): TokenAnswer {
    if (!login.fingerprints.has(row.fingerprint)) return CANNOT_TELL
    return sameSecret(login.pin, pin) ? this.#confirmed(login, row) : DIFFERS
  }

  #given(row: CertificateRow, pin: string): Promise<TokenAnswer> {
    return this.#answered(row, () => this.#logIn(pin, 'client'))
  }

  async #answered(
    row: CertificateRow,
    logIn: () => Promise<TokenLogin | PinRefusal | 'not-given' | undefined>,
  ): Promise<TokenAnswer> {
    try {
      const login = await logIn()
      if (login === undefined) return CANNOT_TELL
      if (typeof login === 'string') return this.#refused(login)
      if (login.fingerprints.has(row.fingerprint)) return this.#confirmed(login, row)
      if (!this.isOperators) await this.#logOut(login)
    } catch (error) {
      if (!(error instanceof TokenProblem)) throw error
      this.#parts.context.logger.warn({ token: this.name, problem: error.message }, 'token cannot be opened')
    }
    return CANNOT_TELL
  }

  async #refused(refusal: PinRefusal | 'not-given'): Promise<TokenAnswer> {
    this.#parts.context.logger.warn({ token: this.name, refusal }, 'token was not opened')
    if (this.isOperators) return CANNOT_TELL
    if (refusal === 'wrong') return DIFFERS
    // It differs from the one that the token accepted: that was a comparison, and a guess.
    const accepted = (await tokenLogin(this.#parts.context.store.db, this.name))?.accepted
    return accepted ? DIFFERS : CANNOT_TELL
  }

  #confirmed(login: TokenLogin, { fingerprint }: CertificateRow): TokenAnswer {
    return { kind: 'confirmed', key: new TokenKey(this, login, fingerprint) }
  }

  async #isAccepted(pin: string): Promise<boolean> {
    const remembered = await tokenLogin(this.#parts.context.store.db, this.name)
    return this.#parts.kept.isTokens(this.name, remembered?.accepted ?? null, pin)
  }

  /** Gives a PIN to the token once, if that is allowed; written down before, so that a crash does not forget it. */
  async #logIn(pin: string, source: PinSource): Promise<TokenLogin | PinRefusal | 'not-given'> {
    const { context, kept } = this.#parts
    const { db } = context.store
    const before = (await tokenLogin(db, this.name)) ?? { token: this.name, accepted: null, refused: null, tries: 0 }
    const isAccepted = await kept.isTokens(this.name, before.accepted, pin)
    const isRefused = await kept.isTokens(this.name, before.refused, pin)
    const refused = before.refused === null ? 'none' : isRefused ? 'this' : 'another'
    const { present, countLow } = allowedTry(source, { tries: before.tries, isAccepted, refused })
    if (!present) return isRefused ? 'wrong' : 'not-given'
    const sealed = await kept.sealForToken(this.name, pin)
    await writeTokenLogin(db, { ...before, refused: sealed, tries: before.tries + 1 })
    const answer = await this.#host.ask({ do: 'open', pin, countLow })
    if (answer.refused) {
      await writeTokenLogin(db, afterRefusal(answer.refused, before, sealed, isAccepted))
      return answer.refused
    }
    await writeTokenLogin(db, { token: this.name, accepted: sealed, refused: null, tries: 0 })
    return this.#begun(pin, answer.opened)
  }

  #begun(pin: string, opened: readonly ShownCertificate[]): TokenLogin {
    const fingerprints = new Set(opened.map(({ der }) => Certificate.read(Buffer.from(der)).fingerprint))
    const bytes = Buffer.alloc(Buffer.byteLength(pin))
    bytes.write(pin)
    this.#login = { pin: bytes, fingerprints, holds: 0 }
    return this.#login
  }

  async #logOut(login: TokenLogin): Promise<void> {
    this.#forget(login)
    await this.#host.ask({ do: 'close' }).catch((error: unknown) => {
      // Where the process is gone, the login is, too.
      if (!(error instanceof TokenProblem)) throw error
    })
  }

  /** The login is gone, and with it the sessions on it. */
  #drop(login: TokenLogin | undefined): void {
    if (!login || !this.isLoggedIn(login)) return
    this.#forget(login)
    this.#host.tell({ do: 'close' })
    this.#parts.lost()
  }

  #forget(login: TokenLogin): void {
    login.pin.fill(0)
    if (this.#login === login) this.#login = undefined
  }
}

/** A PIN that was not given leaves everything as it was; a refused one is remembered, and accepted no more. */
function afterRefusal(refusal: PinRefusal, before: TokenLoginRow, sealed: string, isAccepted: boolean): TokenLoginRow {
  if (refusal === 'count-low' || refusal === 'final-try') return before
  return { ...before, accepted: isAccepted ? null : before.accepted, refused: sealed, tries: MOST_TRIES }
}
