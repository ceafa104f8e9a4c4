import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { instanceSecret } from '@chancela/service-kernel/secrets'
import { EngineError } from '@chancela/signature-engine'
import { type DigestSigner, keySigner, pkcs12Signer } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import { selfSigned } from './self-signed.ts'

const SETTING = 'document-platform Signing:ElectronicCertificateFile'

/** The key of the instance that seals electronic signatures: that of the configured file, or one it made for itself. */
export class ElectronicKey {
  readonly #context: Context
  #signer: Promise<DigestSigner> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** Opens the configured file, so that a start that cannot seal fails at once; a key of one's own waits for its need. */
  async check(): Promise<void> {
    if (this.#context.settings.Signing.ElectronicCertificateFile !== undefined) await this.signer()
  }

  /** The signer; a failure is tried again by whoever comes next. */
  signer(): Promise<DigestSigner> {
    this.#signer ??= this.#open().catch((error: unknown) => {
      this.#signer = undefined
      throw error
    })
    return this.#signer
  }

  #open(): Promise<DigestSigner> {
    const { ElectronicCertificateFile: file, ElectronicCertificatePassword: password = '' } =
      this.#context.settings.Signing
    return file === undefined ? ownKey(this.#context) : fileKey(resolve(this.#context.dataFolder, file), password)
  }
}

async function fileKey(path: string, password: string): Promise<DigestSigner> {
  try {
    return await pkcs12Signer(await readFile(path), password)
  } catch (cause) {
    const reason = cause instanceof EngineError ? cause.message : String((cause as NodeJS.ErrnoException).code ?? cause)
    throw new StartupProblem(`${SETTING}: ${path} cannot be opened: ${reason}`, { setting: SETTING, cause })
  }
}

interface KeptKey {
  /** DER, base64. */
  readonly certificate: string
  /** PKCS#8, PEM. */
  readonly privateKey: string
}

async function ownKey(context: Context): Promise<DigestSigner> {
  const kept = await instanceSecret(
    { ...context, service: 'document-platform' },
    'electronic-signature-key',
    async () => JSON.stringify(await newKey(context)),
  )
  const { certificate, privateKey } = JSON.parse(kept) as KeptKey
  return keySigner({
    certificate: Certificate.read(Buffer.from(certificate, 'base64')),
    privateKey: createPrivateKey(privateKey),
  })
}

// Making a key takes a second, in which others go on being served.
const makeKeyPair = promisify(generateKeyPair)

async function newKey({ clock, publicUrl }: Context): Promise<KeptKey> {
  const { publicKey, privateKey } = await makeKeyPair('rsa', { modulusLength: 3072 })
  const name = `Electronic signatures of ${new URL(publicUrl).host}`
  return {
    certificate: selfSigned({ name, publicKey, privateKey, from: clock() }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
