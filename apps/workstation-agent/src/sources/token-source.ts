import { EngineError } from '@chancela/signature-engine'
import {
  listPkcs11Tokens,
  openPkcs11,
  type Pkcs11Shown,
  type Pkcs11Token,
  type Pkcs11TokenInfo,
  signDigestOnToken,
} from '@chancela/signature-engine/keys'
import type { Certificate } from '@chancela/signature-engine/x509'
import { OneAtATime } from './one-at-a-time.ts'
import { PinInUse } from './pin-in-use.ts'
import {
  type DigestAlgorithm,
  digestNames,
  type HeldCertificate,
  type PinState,
  type Refused,
  SignProblem,
  type SignProblemKind,
  type Source,
} from './source.ts'

/** Identifies a token while it is inserted. */
export const tokenId = (module: string, { serialNumber, label }: Pkcs11TokenInfo): string =>
  `token ${module} ${serialNumber} ${label}`

/** A token in its reader. Logged in to only with the PIN the holder typed. */
export class TokenSource implements Source {
  readonly id: string
  readonly name: string
  readonly certificates: readonly HeldCertificate[]
  readonly #module: string
  readonly #info: Pkcs11TokenInfo
  readonly #attempts = new OneAtATime<Refused | undefined>()
  #open: { readonly token: Pkcs11Token; readonly pin: PinInUse } | undefined

  constructor(module: string, { info, certificates }: Pkcs11Shown) {
    this.id = tokenId(module, info)
    this.name = info.label
    this.certificates = certificates.filter(({ certificate }) => isSigner(certificate))
    this.#module = module
    this.#info = info
  }

  get hasPin(): boolean {
    return this.#open !== undefined
  }

  /** A module that fails does not say that the token is gone: signing will. */
  async isPresent(): Promise<boolean> {
    const infos = await listPkcs11Tokens(this.#module).catch(() => undefined)
    return infos?.some((info) => tokenId(this.#module, info) === this.id) ?? true
  }

  isPinInUse(offered: string): boolean {
    return this.#open?.pin.isSame(offered) ?? false
  }

  async pinState(): Promise<PinState> {
    const now = (await listPkcs11Tokens(this.#module)).find((info) => tokenId(this.#module, info) === this.id)
    if (now?.pinLocked) return 'locked'
    if (now?.pinFinalTry) return 'final-try'
    return now?.pinCountLow ? 'count-low' : 'fine'
  }

  unlock(typed: string, { finalTry }: { readonly finalTry: boolean }): Promise<Refused | undefined> {
    return this.#attempts.run(() => this.#unlock(typed, finalTry))
  }

  async #unlock(typed: string, finalTry: boolean): Promise<Refused | undefined> {
    // Comparing with the PIN in use costs no try.
    if (this.#open) return this.#open.pin.isSame(typed) ? undefined : { kind: 'wrong' }
    try {
      const token = await openPkcs11({
        module: this.#module,
        token: this.#info.serialNumber || this.#info.label,
        pin: typed,
        allowFinalTry: finalTry,
      })
      this.#open = { token, pin: new PinInUse(typed) }
      return undefined
    } catch (error) {
      return refusedBy(error)
    }
  }

  async lock(): Promise<void> {
    await this.#attempts.settled()
    const open = this.#open
    this.#open = undefined
    open?.pin.wipe()
    await open?.token.close()
  }

  async sign(fingerprint: string, algorithm: DigestAlgorithm, digest: Uint8Array): Promise<Uint8Array> {
    if (!this.#open) throw new SignProblem('no-pin', 'no PIN is in use')
    try {
      return await signDigestOnToken(this.#open.token, fingerprint, digestNames[algorithm], digest)
    } catch (error) {
      const kind = signProblemOf(error)
      if (kind === 'no-pin' || kind === 'token-absent') await this.lock()
      throw new SignProblem(kind, (error as Error).message)
    }
  }
}

/** Tokens also hold issuers' certificates, and Ed25519 keys sign no digests. */
export const isSigner = ({ extensions, keyType }: Certificate): boolean =>
  !extensions.isAuthority && (keyType === 'rsa' || keyType === 'ec')

const codeOf = (error: unknown): string => (error instanceof EngineError ? error.code : '')

const refusals: Readonly<Record<string, Exclude<Refused['kind'], 'failed'>>> = {
  'pkcs11.wrong-pin': 'wrong',
  'pkcs11.pin-locked': 'locked',
  'pkcs11.pin-final-try': 'final-try',
  'pkcs11.token-absent': 'gone',
}

function refusedBy(error: unknown): Refused {
  const kind = refusals[codeOf(error)]
  return kind ? { kind } : { kind: 'failed', reason: (error as Error).message }
}

const signProblems: Readonly<Record<string, SignProblemKind>> = {
  'pkcs11.token-absent': 'token-absent',
  'pkcs11.unknown-key': 'certificate-absent',
  'pkcs11.closed': 'no-pin',
  // The token was removed and no longer accepts the PIN: it was changed meanwhile.
  'pkcs11.wrong-pin': 'no-pin',
  'pkcs11.pin-locked': 'no-pin',
  'pkcs11.pin-final-try': 'no-pin',
}

const signProblemOf = (error: unknown): SignProblemKind => signProblems[codeOf(error)] ?? 'failed'
