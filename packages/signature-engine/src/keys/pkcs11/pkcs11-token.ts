import { requireFit } from '../../crypto/signing-algorithm.ts'
import { requireArguments } from '../../errors/arguments.ts'
import { EngineError } from '../../errors/engine-error.ts'
import type { Certificate } from '../../x509/certificate.ts'
import type { DigestSigner, SigningRequest } from '../digest-signer.ts'
import { InFlight } from '../in-flight.ts'
import { issuersOf } from '../issuers-of.ts'
import { requireSigningKey } from '../key-strength.ts'
import {
  acquireModule,
  answerOf,
  answers,
  type Cryptoki,
  type CryptokiHandle,
  constants,
  initialize,
  lookAgain,
  releaseModule,
  useModule,
} from './cryptoki.ts'
import { refusePkcs11 } from './errors.ts'
import { rawSigning } from './raw-signature.ts'
import { type Pkcs11TokenInfo, type PresentToken, presentTokens } from './token-info.ts'
import { readObjects, type TokenKey, type TokenObjects } from './token-objects.ts'

export interface Pkcs11Options {
  /** Path of the module: the shared library of the token's vendor. */
  readonly module: string
  /** Label or serial number of the token; needed only if there are several. */
  readonly token?: string
  /** Absent for a reader with its own PIN pad. Never tried twice. */
  readonly pin?: string
  /**
   * Concurrent signatures of the token; default 2. Each occupies a thread of libuv's pool while the token works, so
   * stay below UV_THREADPOOL_SIZE (4 unless set); more than 2 pays on network modules only.
   */
  readonly sessions?: number
  /** Log in although one wrong PIN would lock the token; default false. */
  readonly allowFinalTry?: boolean
}

/** A key on the token that can sign. */
export interface Pkcs11Key {
  /** CKA_ID in hexadecimal. */
  readonly id: string
  readonly label: string
  readonly certificate: Certificate
  /** Issuers found on the token, nearest first. */
  readonly chain: readonly Certificate[]
}

/** The present tokens, without logging in to any. */
export async function listPkcs11Tokens(module: string): Promise<readonly Pkcs11TokenInfo[]> {
  requireArguments('listPkcs11Tokens', { module: [module, 'text'] })
  const cryptoki = await acquireModule(module)
  try {
    return presentTokens(cryptoki).map(({ info }) => info)
  } catch (error) {
    throw named(error, module)
  } finally {
    releaseModule(module)
  }
}

/** Opens a token and logs in, once. Takes as long as the login: some hundred milliseconds on a smart card. */
export async function openPkcs11(options: Pkcs11Options): Promise<Pkcs11Token> {
  requireArguments('openPkcs11', {}, options, ['module'])
  const cryptoki = await acquireModule(options.module)
  try {
    return new Pkcs11Token(cryptoki, options, chosenToken(cryptoki, options))
  } catch (error) {
    releaseModule(options.module)
    throw named(error, options.token ?? options.module)
  }
}

function chosenToken(cryptoki: Cryptoki, { token, module }: Pkcs11Options): PresentToken {
  const chosen = lookAgain(module, () => onlyOne(presentTokens(cryptoki), token))
  if (!chosen) throw refusePkcs11('pkcs11.token-absent', { token: token ?? module })
  return chosen
}

function onlyOne(present: readonly PresentToken[], token: string | undefined): PresentToken | undefined {
  const matching =
    token === undefined ? present : present.filter(({ info }) => [info.label, info.serialNumber].includes(token))
  if (matching.length > 1) {
    throw refusePkcs11('pkcs11.ambiguous-token', { tokens: matching.map(({ info }) => info.serialNumber) })
  }
  return matching[0]
}

// Logins belong to the process: a second opening of a token would be logged in whatever its PIN.
const openTokens = new Set<string>()

/** Sessions of one insertion of the token; a token that was removed and inserted again starts another. */
interface Presence {
  readonly slot: CryptokiHandle
  /** Every session, including those in use. */
  readonly sessions: Set<CryptokiHandle>
  readonly idle: CryptokiHandle[]
  readonly objects: TokenObjects
  /** The module may be restarted as far as these sessions are concerned. */
  leave(): void
}

/** A token with a login. Signatures run on the thread pool; the rest is quick and synchronous. */
export class Pkcs11Token {
  readonly info: Pkcs11TokenInfo
  readonly #cryptoki: Cryptoki
  readonly #options: Pkcs11Options
  readonly #name: string
  readonly #inFlight: InFlight
  readonly #sessionCount: number
  readonly #pin: Buffer | undefined
  readonly #pending = new Set<Promise<unknown>>()
  #presence: Presence | undefined
  #pinAccepted = false
  #pinRefused = false
  #closed = false

  /** Use `openPkcs11`. */
  constructor(cryptoki: Cryptoki, options: Pkcs11Options, { slot, info }: PresentToken) {
    this.#cryptoki = cryptoki
    this.#options = options
    this.info = info
    this.#name = `${options.module} ${info.serialNumber} ${info.label}`
    if (openTokens.has(this.#name)) throw refusePkcs11('pkcs11.already-open', { token: info.label })
    this.#sessionCount = Math.max(1, Math.min(options.sessions ?? 2, info.maxSessions))
    this.#inFlight = new InFlight(this.#sessionCount)
    this.#pin = options.pin === undefined ? undefined : Buffer.from(options.pin, 'utf8')
    this.#presence = this.#enter({ slot, info })
    openTokens.add(this.#name)
  }

  /** The keys that have a certificate on the token. */
  keys(): readonly Pkcs11Key[] {
    const { keys, certificates } = this.#here().objects
    return keys.map(({ id, label, certificate }) => ({
      id,
      label,
      certificate,
      chain: issuersOf(certificate, certificates),
    }))
  }

  /** A signer for one of the keys, by label, id or certificate fingerprint; needed only where there are several. */
  signer(name?: string): DigestSigner {
    const { id, certificate, chain } = this.#chosenKey(name)
    requireSigningKey(certificate)
    return {
      certificate,
      chain,
      sign: (request) => this.#tracked(this.#inFlight.run(() => this.#sign(id, certificate, request))),
      close: async () => {}, // the login belongs to the token, and other signers use it
    }
  }

  /** Finishes the signatures in progress, refuses waiting ones, logs out and drops the PIN. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    // A module must not be unloaded while another thread uses it.
    await Promise.allSettled(this.#pending)
    this.#pin?.fill(0)
    if (this.#presence) this.#abandon(this.#presence)
    openTokens.delete(this.#name)
    releaseModule(this.#options.module)
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const forget = () => this.#pending.delete(work)
    work.then(forget, forget)
    return work
  }

  #here(): Presence {
    if (this.#closed) throw refusePkcs11('pkcs11.closed')
    this.#presence ??= this.#returned()
    return this.#presence
  }

  #returned(): Presence {
    try {
      return this.#return()
    } catch (error) {
      throw named(error, this.info.label)
    }
  }

  #chosenKey(name: string | undefined): Pkcs11Key {
    const all = this.keys()
    const matching =
      name === undefined
        ? all
        : all.filter(({ id, label, certificate }) => [id, label, certificate.fingerprint].includes(name))
    const keys = all.map(({ label, id }) => label || id)
    const token = this.info.label
    if (all.length === 0) throw refusePkcs11('pkcs11.no-key', { token })
    if (matching.length === 0) throw refusePkcs11('pkcs11.unknown-key', { token, key: name, keys })
    if (matching.length > 1) throw refusePkcs11('pkcs11.ambiguous-key', { token, keys })
    return matching[0]!
  }

  /** Signs; if the token was removed and is back, once more after a new login. */
  async #sign(id: string, certificate: Certificate, request: SigningRequest): Promise<Buffer> {
    requireFit(certificate.publicKey, request.algorithm)
    try {
      return await this.#signNow(id, certificate, request)
    } catch (error) {
      if (!isGone(error)) throw named(error, this.info.label)
    }
    return this.#signNow(id, certificate, request).catch((error: unknown) => {
      throw named(error, this.info.label)
    })
  }

  async #signNow(id: string, certificate: Certificate, request: SigningRequest): Promise<Buffer> {
    const presence = this.#here()
    const session = presence.idle.pop()!
    try {
      const signature = await this.#signIn(session, keyOf(presence, id, certificate, this.info), request)
      presence.idle.push(session)
      return signature
    } catch (error) {
      if (isGone(error)) this.#abandon(presence)
      else this.#replace(presence, session)
      throw error
    }
  }

  async #signIn(session: CryptokiHandle, key: TokenKey, request: SigningRequest): Promise<Buffer> {
    const { mechanism, input, outputBytes } = rawSigning(request, key.certificate)
    this.#cryptoki.C_SignInit(session, mechanism, key.handle)
    this.#authenticateAgain(session, key)
    const room = Buffer.alloc(outputBytes)
    const done = useModule(this.#options.module)
    try {
      return await this.#cryptoki.C_SignAsync(session, input, room)
    } finally {
      done()
    }
  }

  /** CKA_ALWAYS_AUTHENTICATE (PKCS#11 §4.9): the PIN again, between C_SignInit and C_Sign. It is known to be right. */
  #authenticateAgain(session: CryptokiHandle, { alwaysAuthenticate }: TokenKey): void {
    if (alwaysAuthenticate) this.#login(session, constants.contextSpecificUser)
  }

  /** A session that failed in the middle of an operation stays in it: it is closed and replaced. */
  #replace(presence: Presence, session: CryptokiHandle): void {
    this.#closeSessions([session])
    presence.sessions.delete(session)
    try {
      const fresh = this.#cryptoki.C_OpenSession(presence.slot, constants.serialSession)
      presence.sessions.add(fresh)
      presence.idle.push(fresh)
    } catch {
      this.#abandon(presence) // the next signature searches for the token again, and reports what is wrong
    }
  }

  /** This presence is no longer usable; the next signature searches for the token again. */
  #abandon(presence: Presence): void {
    if (this.#presence === presence) this.#presence = undefined
    this.#closeSessions(presence.sessions)
    presence.sessions.clear()
    presence.leave()
  }

  /** Searches for the same token only: the PIN must not be tried on another card. */
  #return(): Presence {
    if (this.#pinRefused) throw refusePkcs11('pkcs11.wrong-pin', { token: this.info.label })
    initialize(this.#cryptoki)
    const { serialNumber, label } = this.info
    const isSame = ({ info }: PresentToken) => info.serialNumber === serialNumber && info.label === label
    const same = lookAgain(this.#options.module, () => presentTokens(this.#cryptoki).find(isSame))
    if (!same) throw refusePkcs11('pkcs11.token-absent', { token: label })
    return this.#enter(same)
  }

  /** Opens the sessions and logs in; one login applies to all of them. */
  #enter({ slot, info }: PresentToken): Presence {
    const sessions = new Set<CryptokiHandle>()
    const open = (): CryptokiHandle => {
      const session = this.#cryptoki.C_OpenSession(slot, constants.serialSession)
      sessions.add(session)
      return session
    }
    try {
      const first = open()
      this.#requireTryable(info)
      if (info.loginRequired) this.#login(first, constants.user)
      while (sessions.size < this.#sessionCount) open()
      const objects = readObjects(this.#cryptoki, first)
      return { slot, sessions, idle: [...sessions], objects, leave: useModule(this.#options.module) }
    } catch (error) {
      this.#closeSessions(sessions)
      throw error
    }
  }

  /** A PIN costs a try. It is not sent where it cannot help, nor where it could lock the token for good. */
  #requireTryable({
    loginRequired,
    pinLocked,
    pinFinalTry,
    protectedAuthenticationPath,
    label,
  }: Pkcs11TokenInfo): void {
    if (!loginRequired) return
    if (pinLocked) throw refusePkcs11('pkcs11.pin-locked', { token: label })
    if (pinFinalTry && !this.#options.allowFinalTry) throw refusePkcs11('pkcs11.pin-final-try', { token: label })
    if (!this.#pin && !protectedAuthenticationPath) throw refusePkcs11('pkcs11.pin-needed', { token: label })
  }

  /** One C_Login. After a refusal this object never sends the PIN again. */
  #login(session: CryptokiHandle, user: number): void {
    const token = this.info.label
    try {
      this.#cryptoki.C_Login(session, user, this.#pin?.toString('utf8'))
      this.#pinAccepted = true
    } catch (error) {
      const answer = answerOf(error)
      // Another login in the process says nothing about this PIN, unless it was right before.
      if (answer === answers.userAlreadyLoggedIn && this.#pinAccepted) return
      if (answer === answers.userAlreadyLoggedIn) throw refusePkcs11('pkcs11.already-open', { token }, error)
      this.#pinRefused = pinAnswers.has(answer ?? -1)
      if (answer === answers.pinLocked) throw refusePkcs11('pkcs11.pin-locked', { token }, error)
      if (this.#pinRefused) throw refusePkcs11('pkcs11.wrong-pin', { token }, error)
      throw error
    }
  }

  /** Closing the last session ends the login (PKCS#11 §5.6). */
  #closeSessions(sessions: Iterable<CryptokiHandle>): void {
    for (const session of sessions) {
      try {
        this.#cryptoki.C_CloseSession(session)
      } catch {
        // The token is gone, and its sessions with it: a failure does not matter.
      }
    }
  }
}

/** Handles change with every insertion, ids do not. */
function keyOf({ objects }: Presence, id: string, { fingerprint }: Certificate, { label }: Pkcs11TokenInfo): TokenKey {
  const key = objects.keys.find((held) => held.id === id && held.certificate.fingerprint === fingerprint)
  if (!key)
    throw refusePkcs11('pkcs11.unknown-key', { token: label, key: id, keys: objects.keys.map((held) => held.id) })
  return key
}

/** Return values that mean: this session or token is gone. */
const goneAnswers = new Set<number>([
  answers.deviceRemoved,
  answers.deviceError,
  answers.tokenNotPresent,
  answers.tokenNotRecognized,
  answers.slotIdInvalid,
  answers.sessionHandleInvalid,
  answers.sessionClosed,
  answers.userNotLoggedIn,
  answers.keyHandleInvalid,
  answers.objectHandleInvalid,
  answers.notInitialized,
])

export const isGone = (error: unknown): boolean => goneAnswers.has(answerOf(error) ?? -1)

const pinAnswers = new Set<number>([
  answers.pinIncorrect,
  answers.pinInvalid,
  answers.pinLengthRange,
  answers.pinLocked,
])

/** An error of the module as a refusal; a refusal stays unchanged. */
export function named(error: unknown, token: string): unknown {
  const answer = answerOf(error)
  if (error instanceof EngineError || answer === undefined) return error
  if (isGone(error)) return refusePkcs11('pkcs11.token-absent', { token }, error)
  const { message, method } = error as Error & { method?: string }
  return refusePkcs11('pkcs11.failed', { answer: message, call: method ?? 'a call' }, error)
}
