import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { EngineError } from '@chancela/signature-engine'
import { openPkcs12, requireDigestKey, signDigest } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import { AgentProblem } from '../agent-problem.ts'
import type { FileEntry } from '../home.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { PinInUse } from './pin-in-use.ts'
import {
  type DigestAlgorithm,
  digestNames,
  type HeldCertificate,
  type PinState,
  type Refused,
  SignProblem,
  type Source,
} from './source.ts'

export const fileId = ({ path, certificate }: FileEntry): string => `file ${path} ${certificate}`

/** A PKCS#12 file on this machine; its password is the PIN. */
export class FileSource implements Source {
  readonly id: string
  readonly name: string
  readonly certificates: readonly HeldCertificate[]
  readonly #path: string
  readonly #attempts = new OneAtATime<Refused | undefined>()
  #open: { readonly key: KeyObject; readonly pin: PinInUse } | undefined

  constructor(entry: FileEntry) {
    this.id = fileId(entry)
    this.name = basename(entry.path)
    this.certificates = [{ certificate: read(entry.certificate), chain: entry.chain.map(read) }]
    this.#path = entry.path
  }

  get isThere(): boolean {
    return existsSync(this.#path)
  }

  async isPresent(): Promise<boolean> {
    return this.isThere
  }

  get hasPin(): boolean {
    return this.#open !== undefined
  }

  isPinInUse(offered: string): boolean {
    return this.#open?.pin.isSame(offered) ?? false
  }

  /** A file has no retry counter. */
  async pinState(): Promise<PinState> {
    return 'fine'
  }

  unlock(typed: string): Promise<Refused | undefined> {
    return this.#attempts.run(() => this.#unlock(typed))
  }

  async #unlock(typed: string): Promise<Refused | undefined> {
    if (this.#open) return this.#open.pin.isSame(typed) ? undefined : { kind: 'wrong' }
    try {
      const alias = this.certificates[0]!.certificate.fingerprint
      const { privateKey: key } = await openPkcs12(await readFile(this.#path), typed, { alias })
      requireDigestKey(key)
      this.#open = { key, pin: new PinInUse(typed) }
      return undefined
    } catch (error) {
      return refusedBy(error)
    }
  }

  async lock(): Promise<void> {
    await this.#attempts.settled()
    this.#open?.pin.wipe()
    this.#open = undefined
  }

  async sign(fingerprint: string, algorithm: DigestAlgorithm, digest: Uint8Array): Promise<Uint8Array> {
    if (!this.#open) throw new SignProblem('no-pin', 'no PIN is in use')
    if (fingerprint !== this.certificates[0]!.certificate.fingerprint)
      throw new SignProblem('certificate-absent', 'the file holds another certificate')
    return signDigest(this.#open.key, digestNames[algorithm], digest).catch((error: unknown) => {
      throw new SignProblem('failed', (error as Error).message)
    })
  }
}

function refusedBy(error: unknown): Refused {
  if (error instanceof EngineError && error.code === 'pkcs12.wrong-password') return { kind: 'wrong' }
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'gone' }
  return { kind: 'failed', reason: (error as Error).message }
}

const read = (base64: string): Certificate => Certificate.read(Buffer.from(base64, 'base64'))

/** The public part of a file. Its password is used once, and not stored. */
export async function readFileEntry(path: string, password: string, alias?: string): Promise<FileEntry> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new AgentProblem(`${path} cannot be read: ${(error as Error).message}.`)
  })
  const { certificate, chain, privateKey } = await openPkcs12(bytes, password, alias === undefined ? {} : { alias })
  requireDigestKey(privateKey)
  return {
    kind: 'file',
    path,
    certificate: certificate.der.toString('base64'),
    chain: chain.map(({ der }) => der.toString('base64')),
  }
}
