import { type DerValue, readDer, readFirstDer } from '../der/der-value.ts'
import { directoryNames } from '../x509/distribution-points.ts'
import { readExtension } from '../x509/extensions.ts'
import { generalNames } from '../x509/general-name.ts'
import { extensionOids } from '../x509/oids.ts'
import { CrlIndex } from './crl-index.ts'
import { type Revocation, revocationReason } from './revocation-reasons.ts'

const understood: ReadonlySet<string> = new Set([
  extensionOids.crlReason,
  extensionOids.invalidityDate,
  extensionOids.holdInstruction,
])

/** From this offset on, entries are of these issuers. */
interface Section {
  readonly from: number
  readonly issuers: ReadonlySet<string>
}

/** The entries of a list. In an indirect one, certificateIssuer tells whose an entry and those after it are. */
export class CrlEntries {
  readonly #der: Uint8Array
  readonly #index: CrlIndex
  readonly #sections: Section[]
  /**
   * An entry has a critical extension that is not understood: the list does not prove that anybody is not revoked
   * (RFC 5280 §5.3). Who is listed stays revoked, which is the safe interpretation.
   */
  readonly hasUnknown: boolean

  /** `entries`: revokedCertificates; `issuer`: the key of the name of whoever issued the list. */
  constructor(entries: DerValue | undefined, der: Uint8Array, issuer: string, indirect: boolean) {
    const { source = der, contentStart = 0, end = 0 } = entries ?? {}
    this.#der = source
    this.#index = new CrlIndex(source, contentStart, end)
    this.#sections = [{ from: 0, issuers: new Set([issuer]) }]
    let hasUnknown = false
    for (const offset of this.#index.remarkable) {
      const extensions = extensionsAt(source, offset)
      const issuers = extensions.get(extensionOids.certificateIssuer)
      if (issuers && indirect) this.#sections.push({ from: offset, issuers: issuerKeys(issuers.value) })
      hasUnknown ||= [...extensions].some(
        ([oid, { critical }]) =>
          !understood.has(oid) && (oid === extensionOids.certificateIssuer ? !indirect : critical),
      )
    }
    this.hasUnknown = hasUnknown
  }

  get size(): number {
    return this.#index.size
  }

  /** The revocation of the certificate with this serial number of this issuer. */
  find(serialNumber: Uint8Array, issuer: string): Revocation | undefined {
    for (const offset of this.#index.offsetsOf(serialNumber)) {
      if (this.#sectionAt(offset).issuers.has(issuer)) return revocationAt(this.#der, offset)
    }
    return undefined
  }

  #sectionAt(offset: number): Section {
    let [low, high] = [0, this.#sections.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.#sections[middle]!.from <= offset) low = middle
      else high = middle - 1
    }
    return this.#sections[low]!
  }
}

const issuerKeys = (value: Buffer): ReadonlySet<string> =>
  new Set(directoryNames(generalNames(readDer(value))).map(({ key }) => key))

function extensionsAt(bytes: Uint8Array, offset: number): Map<string, { critical: boolean; value: Buffer }> {
  const [, , extensions] = readFirstDer(bytes, offset).members()
  return new Map((extensions?.members() ?? []).map(readExtension))
}

function revocationAt(bytes: Uint8Array, offset: number): Revocation {
  const fields = readFirstDer(bytes, offset).sequence()
  fields.next()
  const at = fields.next().time()
  const reason = extensionsAt(bytes, offset).get(extensionOids.crlReason)?.value
  return { at, reason: revocationReason(reason ? readDer(reason).smallInteger() : 0) }
}
