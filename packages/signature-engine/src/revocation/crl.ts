import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import { fingerprint } from '../crypto/digest.ts'
import { readSignatureIdentifier } from '../crypto/read-identifiers.ts'
import { type DerMembers, type DerValue, readDer } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type Certificate, requireSameAlgorithm } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { distributionPoints, urisOf } from '../x509/distribution-points.ts'
import { readExtension } from '../x509/extensions.ts'
import { extensionOids } from '../x509/oids.ts'
import { BoundedCache } from './bounded-cache.ts'
import { CrlEntries } from './crl-entries.ts'
import { type ListScope, listScope, reasonsCovered } from './crl-scope.ts'
import { refuseRevocation } from './errors.ts'
import type { Revocation } from './revocation-reasons.ts'

/** A certificate revocation list. Its bytes are kept; entries are looked up by serial number on demand. */
export class RevocationList {
  readonly der: Buffer
  readonly issuer: DistinguishedName
  readonly thisUpdate: Date
  readonly nextUpdate: Date | null
  /** Content of the cRLNumber. */
  readonly number: Buffer | null
  /** Of a delta CRL, the number of the list whose changes it has; null: a complete list. */
  readonly baseNumber: Buffer | null
  readonly scope: ListScope
  /** Where delta CRLs to this list are (freshestCRL). */
  readonly deltaUrls: readonly string[]
  readonly authorityKeyIdentifier: Buffer | null
  /** From when on expired certificates stay listed (X.509 expiredCertsOnCRL); null: they leave the list. */
  readonly keepsExpiredSince: Date | null
  readonly #tbs: Buffer
  readonly #algorithm: SignatureAlgorithm | undefined
  readonly #signature: Buffer
  readonly #entries: DerValue | undefined
  #read: CrlEntries | undefined
  readonly #verifiedUnder = new Set<string>()

  private constructor(value: DerValue) {
    const outer = value.sequence()
    const tbs = outer.next(tags.sequence)
    const algorithm = outer.next(tags.sequence)
    this.#algorithm = readSignatureIdentifier(algorithm)
    this.#signature = outer.next().bits()
    outer.end()
    const fields = tbs.sequence()
    this.der = value.raw
    this.#tbs = tbs.raw
    fields.optional(tags.integer)
    requireSameAlgorithm(fields.next(tags.sequence), algorithm)
    this.issuer = new DistinguishedName(fields.next(tags.sequence).raw)
    this.thisUpdate = fields.next().time()
    this.nextUpdate = isTime(fields.nextTag) ? fields.next().time() : null
    this.#entries = fields.optional(tags.sequence)
    const extensions = extensionsOf(fields)
    fields.end()
    this.number = extensions.get(extensionOids.crlNumber)?.integer() ?? null
    this.authorityKeyIdentifier =
      extensions.get(extensionOids.authorityKeyIdentifier)?.sequence().optional(contextPrimitive(0))?.content ?? null
    this.keepsExpiredSince = extensions.get(extensionOids.expiredCertsOnCrl)?.time() ?? null
    this.baseNumber = extensions.get(extensionOids.deltaCrlIndicator)?.integer() ?? null
    this.scope = listScope(extensions.get(extensionOids.issuingDistributionPoint))
    const freshest = extensions.get(extensionOids.freshestCrl)
    this.deltaUrls = freshest ? urisOf(distributionPoints(freshest)) : []
  }

  /** Reads a list. The same bytes return the same object while it is cached: lists are large, and repeat. */
  static read(der: Uint8Array): RevocationList {
    const key = fingerprint(der)
    const known = remembered.get(key)
    if (known) return known
    const list = explained(() => new RevocationList(readDer(der)))
    // The name is parsed later; its errors are reported now.
    explained(() => list.issuer.attributes)
    remembered.set(key, list, list.der.length)
    return list
  }

  /** How many certificates are listed. */
  get size(): number {
    return this.#listed().size
  }

  /** Whether this authority issued the list, its name included. The result is cached. */
  isFrom(issuer: Certificate): boolean {
    if (this.#verifiedUnder.has(issuer.keyedFingerprint)) return true
    const { keyUsage } = issuer.extensions
    if (!this.issuer.equals(issuer.subject) || (keyUsage && !keyUsage.has('cRLSign'))) return false
    if (!issuer.signed(this.#tbs, this.#algorithm, this.#signature)) return false
    this.#verifiedUnder.add(issuer.keyedFingerprint)
    return true
  }

  /** Whether the list could say anything of this certificate: others need not be proven. */
  isAbout(certificate: Certificate): boolean {
    return this.issuer.equals(certificate.issuer) || reasonsCovered(this.scope, this.issuer, certificate) !== 0
  }

  /** The reasons for which absence of this certificate means that it is not revoked. Only for proven lists. */
  reasonsFor(certificate: Certificate): number {
    return this.hasUnknown ? 0 : reasonsCovered(this.scope, this.issuer, certificate)
  }

  /** Whether an entry is not understood, so that absence means nothing. Only for proven lists. */
  get hasUnknown(): boolean {
    return this.#listed().hasUnknown
  }

  /** The revocation of this certificate, if it is listed. Only for lists whose issuer is proven (`isFrom`). */
  revocationOf({ serialNumber, issuer }: Certificate): Revocation | undefined {
    return explained(() => this.#listed().find(serialNumber, issuer.key))
  }

  // Built at the first lookup, not when read: the serial numbers of an untrusted list could be made to collide, and
  // untrusted lists are never queried.
  #listed(): CrlEntries {
    this.#read ??= explained(() => new CrlEntries(this.#entries, this.der, this.issuer.key, this.scope.indirect))
    return this.#read
  }
}

/** The identity of a list, for CompleteRevocationRefs and file names. */
export function crlIdentity(crl: Uint8Array): {
  issuer: DistinguishedName
  thisUpdate: Date
  number: Buffer | null
} {
  const { issuer, thisUpdate, number } = RevocationList.read(crl)
  return { issuer, thisUpdate, number }
}

const understood: ReadonlySet<string> = new Set([
  extensionOids.authorityKeyIdentifier,
  extensionOids.crlNumber,
  extensionOids.issuingDistributionPoint,
  extensionOids.deltaCrlIndicator,
  extensionOids.freshestCrl,
  extensionOids.expiredCertsOnCrl,
])

const isTime = (tag: number | undefined): boolean => tag === tags.utcTime || tag === tags.generalizedTime

/** The extensions by OID; unsupported critical ones are refused here. */
function extensionsOf(fields: DerMembers): Map<string, DerValue> {
  const extensions = (fields.optional(contextConstructed(0))?.unwrap().members() ?? []).map(readExtension)
  for (const [oid, { critical }] of extensions) {
    if (critical && !understood.has(oid)) throw refuseRevocation('revocation.unknown-critical', { oid })
  }
  return new Map(extensions.filter(([oid]) => understood.has(oid)).map(([oid, { value }]) => [oid, readDer(value)]))
}

/** All malformed lists have one code; the cause says more. */
function explained<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('revocation.')) throw error
    throw refuseRevocation('revocation.malformed-crl', { reason: error.message }, error)
  }
}

const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024
const remembered = new BoundedCache<RevocationList>(MAX_REMEMBERED_BYTES)
