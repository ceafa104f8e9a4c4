import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import { EngineError } from '@chancela/signature-engine'
import { type DigestSigner, type Pkcs11Token, pkcs12Signer } from '@chancela/signature-engine/keys'
import type { HoldReason } from '../../rules/conditions.ts'
import { reasonOf, type ToldReason, toldByEngine } from '../../rules/job-reason.ts'
import type { CertificateSource } from '../../rules/profile.ts'
import { thumbprintOf } from './certificate-summary.ts'
import { conditionOf } from './find-condition.ts'
import { pooledSigner, TokenBusy, type TokenPool } from './token-pool.ts'

/** Everything needed to open the key of a profile; secrets are unsealed only while opening. */
export interface KeyAccess {
  readonly certificate: CertificateSource | null
  /** Password or PIN; throws SecretProblem when it cannot be unsealed. */
  secret(): string | null
  /** The uploaded PKCS#12; the same. */
  pkcs12(): Uint8Array | null
}

/** A key that signs until it is released. */
export interface OpenKey {
  readonly signer: DigestSigner
  /** Running and later signatures still succeed: a job keeps the key it was picked up with. */
  release(): Promise<void>
}

type KeyCondition = Extract<HoldReason, 'key-missing' | 'key-unavailable' | 'token-unavailable' | 'pin-refused'>

/** Why a key could not be opened: one sentence without secrets, the condition, and the code of the error behind it. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem'
  readonly reason: KeyCondition
  readonly code: string
  /** What it says, for readers of other languages; without one the condition is told. */
  readonly told: ToldReason | undefined

  constructor(why: string | ToldReason, more: { reason?: KeyCondition; code?: string; cause?: unknown } = {}) {
    super(typeof why === 'string' ? why : why.sentence, { cause: more.cause })
    this.told = typeof why === 'string' ? undefined : why
    this.reason = more.reason ?? 'key-unavailable'
    this.code = more.code ?? `key.${this.reason}`
  }
}

/** What opening keys needs. */
export interface KeyPlaces {
  readonly dataFolder: string
  readonly tokens: TokenPool
}

/** Opens the key of a profile. Throws KeyProblem. */
export async function openKey(access: KeyAccess, places: KeyPlaces): Promise<OpenKey> {
  const { certificate } = access
  if (certificate === null) throw new KeyProblem(reasonOf('key-missing'), { reason: 'key-missing' })
  try {
    return certificate.kind === 'Pkcs12'
      ? await openPkcs12Key(certificate, access, places)
      : await openPkcs11Key(certificate, access, places)
  } catch (error) {
    throw asKeyProblem(error)
  }
}

async function openPkcs12Key(
  { path }: Extract<CertificateSource, { kind: 'Pkcs12' }>,
  access: KeyAccess,
  { dataFolder }: KeyPlaces,
): Promise<OpenKey> {
  const file = path === null ? access.pkcs12() : await fileAt(resolve(dataFolder, path))
  if (file === null) throw new KeyProblem(reasonOf('key-file-none'), { reason: 'key-missing' })
  if (file.length === 0) throw new KeyProblem(reasonOf('key-file-empty'))
  const signer = await pkcs12Signer(file, access.secret() ?? '')
  // Jobs that still have the signer keep using it; the key is freed with the last of them.
  return { signer, release: async () => {} }
}

async function fileAt(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const isAbsent = code === 'ENOENT'
    throw new KeyProblem(
      isAbsent ? reasonOf('key-file-missing', { path }) : reasonOf('key-file-unreadable', { path, errno: code ?? '?' }),
      { cause },
    )
  }
}

async function openPkcs11Key(
  { modulePath, tokenLabel, thumbprint }: Extract<CertificateSource, { kind: 'Pkcs11' }>,
  access: KeyAccess,
  { tokens }: KeyPlaces,
): Promise<OpenKey> {
  const token = { modulePath, tokenLabel, pin: access.secret() }
  const hold = await tokens.hold(token)
  try {
    const { certificate, chain } = chosenKey(hold.token, thumbprint)
    return { signer: pooledSigner(tokens, token, { certificate, chain }), release: hold.release }
  } catch (error) {
    await hold.release()
    throw error
  }
}

function chosenKey(token: Pkcs11Token, thumbprint: string | null): Pick<DigestSigner, 'certificate' | 'chain'> {
  if (thumbprint === null) return token.signer()
  const key = token.keys().find(({ certificate }) => thumbprintOf(certificate) === thumbprint)
  if (!key) throw new KeyProblem(reasonOf('key-thumbprint', { thumbprint }))
  return token.signer(key.certificate.fingerprint)
}

function asKeyProblem(error: unknown): unknown {
  if (error instanceof EngineError) {
    const reason = conditionOf(error) as KeyCondition | undefined
    return new KeyProblem(toldByEngine(error), { ...(reason && { reason }), code: error.code, cause: error })
  }
  if (error instanceof TokenBusy) return new KeyProblem(error.message, { cause: error })
  if (error instanceof SecretProblem)
    return new KeyProblem(`The secret of the profile cannot be unsealed: ${error.message}`, { cause: error })
  return error
}
