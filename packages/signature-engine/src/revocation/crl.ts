import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import { fingerprint } from '../crypto/digest.ts'
import { readSignatureIdentifier } from '../crypto/read-identifiers.ts'
import { type DerMembers, type DerValue, readDer, readFirstDer } from '../der/der-value.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type Certificate, requireSameAlgorithm } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { readExtension, uris } from '../x509/extensions.ts'
import { extensionOids } from '../x509/oids.ts'
import { BoundedCache } from './bounded-cache.ts'
import { CrlIndex } from './crl-index.ts'
import { refuseRevocation } from './errors.ts'
import { type Revocation, revocationReason } from './revocation-reasons.ts'

/** The certificates a list covers (IssuingDistributionPoint, RFC 5280 §5.2.5). */
interface Scope {
  readonly urls: readonly string[]
  readonly onlyUsers: boolean
  readonly onlyAuthorities: boolean
  readonly onlySomeReasons: boolean
  readonly onlyAttributes: boolean
}

const everything: Scope = {
  urls: [],
  onlyUsers: false,
  onlyAuthorities: false,
  onlySomeReasons: false,
  onlyAttributes: false,
}

/** A certificate revocation list. Its bytes are kept; entries are looked up by serial number on demand. */
export class RevocationList {
  readonly der: Buffer
  readonly issuer: DistinguishedName
  readonly thisUpdate: Date
  readonly nextUpdate: Date | null
  /** Content of the cRLNumber. */
  readonly number: Buffer | null
  readonly authorityKeyIdentifier: Buffer | null
  /** From when on expired certificates stay listed (X.509 expiredCertsOnCRL); null: they leave the list. */
  readonly keepsExpiredSince: Date | null
  readonly #tbs: Buffer
  readonly #scope: Scope
  readonly #algorithm: SignatureAlgorithm | undefined
  readonly #signature: Buffer
  readonly #entries: DerValue | undefined
  #index: CrlIndex | undefined
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
    this.keepsExpiredSince = extensions.get(EXPIRED_CERTS_ON_CRL)?.time() ?? null
    this.#scope = scopeOf(extensions.get(extensionOids.issuingDistributionPoint))
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
    return this.#indexed().size
  }

  /** Whether this authority issued the list, its name included. The result is cached. */
  isFrom(issuer: Certificate): boolean {
    if (this.#verifiedUnder.has(issuer.fingerprint)) return true
    const { keyUsage } = issuer.extensions
    if (!this.issuer.equals(issuer.subject) || (keyUsage && !keyUsage.has('cRLSign'))) return false
    if (!issuer.signed(this.#tbs, this.#algorithm, this.#signature)) return false
    this.#verifiedUnder.add(issuer.fingerprint)
    return true
  }

  /**
   * Whether absence of this certificate means that it is not revoked (RFC 5280 §6.3.3 b): the list must cover
   * certificates of its kind, every reason, and one of the distribution points it names.
   */
  covers(certificate: Certificate): boolean {
    const { urls, onlyUsers, onlyAuthorities, onlySomeReasons, onlyAttributes } = this.#scope
    const { isAuthority, crlUrls } = certificate.extensions
    if (onlySomeReasons || onlyAttributes || (isAuthority ? onlyUsers : onlyAuthorities)) return false
    return urls.length === 0 || crlUrls.length === 0 || urls.some((url) => crlUrls.includes(url))
  }

  /** The revocation of this certificate, if it is listed. Only for lists whose issuer is proven (`isFrom`). */
  revocationOf(certificate: Certificate): Revocation | undefined {
    const offset = this.#indexed().offsetOf(certificate.serialNumber)
    return offset === undefined ? undefined : explained(() => entryAt(this.der, offset))
  }

  // Built at the first lookup, not when read: the serial numbers of an untrusted list could be made to collide, and
  // untrusted lists are never queried.
  #indexed(): CrlIndex {
    const { source = this.der, contentStart = 0, end = 0 } = this.#entries ?? {}
    this.#index ??= explained(() => new CrlIndex(source, contentStart, end))
    return this.#index
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

const EXPIRED_CERTS_ON_CRL = '2.5.29.60'

const understood: ReadonlySet<string> = new Set([
  extensionOids.authorityKeyIdentifier,
  extensionOids.crlNumber,
  extensionOids.issuingDistributionPoint,
  EXPIRED_CERTS_ON_CRL,
])

const isTime = (tag: number | undefined): boolean => tag === tags.utcTime || tag === tags.generalizedTime

/** The extensions by OID; unsupported critical ones are refused here. */
function extensionsOf(fields: DerMembers): Map<string, DerValue> {
  const extensions = (fields.optional(contextConstructed(0))?.unwrap().members() ?? []).map(readExtension)
  for (const [oid, { critical }] of extensions) {
    if (oid === extensionOids.deltaCrlIndicator) throw refuseRevocation('revocation.delta-crl')
    if (critical && !understood.has(oid)) throw refuseRevocation('revocation.unknown-critical', { oid })
  }
  return new Map(extensions.filter(([oid]) => understood.has(oid)).map(([oid, { value }]) => [oid, readDer(value)]))
}

const scopeFlags = { onlyUsers: 1, onlyAuthorities: 2, indirect: 4, onlyAttributes: 5 } as const

function scopeOf(value: DerValue | undefined): Scope {
  if (!value) return everything
  const members = value.expect(tags.sequence).members()
  const isSet = (n: number) =>
    members.some(({ tag, content }) => tag === contextPrimitive(n) && content.some((byte) => byte !== 0))
  if (isSet(scopeFlags.indirect)) throw refuseRevocation('revocation.indirect-crl')
  const fullName = members
    .find(({ tag }) => tag === contextConstructed(0))
    ?.inside()
    .optional(contextConstructed(0))
  return {
    urls: fullName ? uris(fullName.members()) : [],
    onlyUsers: isSet(scopeFlags.onlyUsers),
    onlyAuthorities: isSet(scopeFlags.onlyAuthorities),
    onlyAttributes: isSet(scopeFlags.onlyAttributes),
    onlySomeReasons: members.some(({ tag }) => tag === contextPrimitive(3)),
  }
}

// An unknown critical extension of the entry leaves the certificate revoked: that is the safe interpretation.
function entryAt(bytes: Uint8Array, offset: number): Revocation {
  const fields = readFirstDer(bytes, offset).sequence()
  fields.next(tags.integer)
  const at = fields.next().time()
  const extensions = fields.done ? [] : fields.next(tags.sequence).members().map(readExtension)
  const reason = extensions.find(([oid]) => oid === extensionOids.crlReason)?.[1].value
  return { at, reason: revocationReason(reason ? readDer(reason).smallInteger() : 0) }
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
