// Certificates that sign for institutions without a person: their keys are sealed in the store.
import { EngineError } from '@chancela/signature-engine'
import { type DigestSigner, pkcs12Signer } from '@chancela/signature-engine/keys'
import type { Context } from '../../context.ts'
import { findCertificate, keyContext } from '../../store/institute-certificates.ts'
import type { InstituteCertificateRow } from '../../store/tenant-tables.ts'

interface SealedKey {
  /** Base64. */
  readonly pkcs12: string
  readonly password: string
}

export const sealKey = ({ secrets }: Pick<Context, 'secrets'>, instituteId: string, key: SealedKey): string =>
  secrets.seal(JSON.stringify(key), keyContext(instituteId))

/** A PKCS #12 that can sign, or the sentence that says why not. */
export async function openKey(pkcs12: Uint8Array, password: string): Promise<DigestSigner | string> {
  try {
    return await pkcs12Signer(pkcs12, password)
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}

/** Opened keys, so that not every signature derives a key from a password. One that was replaced is opened anew. */
export class StoredKeys {
  readonly #context: Context
  readonly #opened = new Map<string, { readonly sealed: string; readonly signer: DigestSigner }>()

  constructor(context: Context) {
    this.#context = context
  }

  /** The key of an institution; undefined where it has none. */
  async of(instituteId: string): Promise<DigestSigner | undefined> {
    const row = await findCertificate(this.#context.store.db, instituteId)
    if (!row) {
      this.#opened.delete(instituteId)
      return undefined
    }
    const known = this.#opened.get(instituteId)
    if (known?.sealed === row.sealed_key) return known.signer
    const signer = await this.#open(row)
    this.#opened.set(instituteId, { sealed: row.sealed_key, signer })
    return signer
  }

  /** The same for the probe of keys, which looks at all of them: it keeps none in memory that nobody uses. */
  async lookAt(instituteId: string): Promise<DigestSigner | undefined> {
    const row = await findCertificate(this.#context.store.db, instituteId)
    if (!row) return undefined
    const known = this.#opened.get(instituteId)
    return known?.sealed === row.sealed_key ? known.signer : this.#open(row)
  }

  async #open({ institute_id, sealed_key }: InstituteCertificateRow): Promise<DigestSigner> {
    const { pkcs12, password } = JSON.parse(
      this.#context.secrets.openText(sealed_key, keyContext(institute_id)),
    ) as SealedKey
    const opened = await openKey(Buffer.from(pkcs12, 'base64'), password)
    if (typeof opened === 'string')
      throw new Error(`The stored certificate of ${institute_id} does not open: ${opened}`)
    return opened
  }
}
