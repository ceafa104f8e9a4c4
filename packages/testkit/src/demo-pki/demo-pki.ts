import { type Clock, HOUR, plus, SECOND } from '@chancela/service-kernel/clock'
import { type CertificateContent, type IssuedCertificate, issuedCertificate, signCertificate } from './certificate.ts'
import { authorityContent, holderContent, type Issuing, serviceContent } from './certificate-contents.ts'
import { type Revocation, type RevocationList, type RevocationListContent, signRevocationList } from './crl.ts'
import {
  type AuthorityDeclaration,
  authorities,
  type RevocationReason,
  type ServiceDeclaration,
  type Terms,
  trustedRoots,
} from './declaration.ts'
import type { Flaw } from './faults.ts'
import type { Company, Equipment, Holder, Person } from './icp-names.ts'
import { type DemoKey, freshKeys, type KeySource } from './keys.ts'
import { type Pkcs12VariantName, pkcs12Variants } from './pkcs12-variants.ts'
import { writePkcs12 } from './pkcs12-writer.ts'

export interface DemoPkiOptions {
  /** The address of the PKI, which the certificates contain. */
  readonly baseUrl: string
  readonly clock: Clock
  /** Source of keys; default: new ones. */
  readonly keys?: KeySource
}

/** The state of the PKI: what was issued and what was revoked. */
export class DemoPki {
  readonly baseUrl: string
  readonly clock: Clock
  readonly #keys: KeySource
  readonly #certificates = new Map<string, IssuedCertificate>()
  readonly #revocations = new Map<string, Revocation>()
  readonly #lists = new Map<string, Promise<RevocationList>>()
  readonly #reserved = new Set<string>()
  #lastListNumber = 0

  constructor({ baseUrl, clock, keys = freshKeys }: DemoPkiOptions) {
    this.baseUrl = baseUrl
    this.clock = clock
    this.#keys = keys
  }

  /** Issues a certificate to a person, under terms that have sensible defaults. */
  issuePerson(person: Omit<Person, 'kind'>, terms: Terms = {}): Promise<IssuedCertificate> {
    return this.#issueToNewHolder({ kind: 'person', ...person }, terms)
  }

  /** Issues a certificate to a company; with a responsible person it is an e-CNPJ, without one a seal. */
  issueCompany(company: Omit<Company, 'kind'>, terms: Terms = {}): Promise<IssuedCertificate> {
    return this.#issueToNewHolder({ kind: 'company', ...company }, terms)
  }

  issueEquipment(equipment: Omit<Equipment, 'kind'>, terms: Terms = {}): Promise<IssuedCertificate> {
    return this.#issueToNewHolder({ kind: 'equipment', ...equipment }, terms)
  }

  /** The certificate of this label; throws when there is none, because labels are written by hand. */
  certificate(label: string): IssuedCertificate {
    const found = this.#certificates.get(label)
    if (!found) throw new RangeError(`The demo PKI has no certificate labelled '${label}'.`)
    return found
  }

  has(label: string): boolean {
    return this.#certificates.has(label)
  }

  certificates(): readonly IssuedCertificate[] {
    return [...this.#certificates.values()]
  }

  /** The authorities among the certificates. */
  authorities(): readonly IssuedCertificate[] {
    return this.certificates().filter(({ label }) => label in authorities)
  }

  /** The certificate, its issuer, and so on up to the root. */
  chainOf(certificate: IssuedCertificate): readonly IssuedCertificate[] {
    if (certificate.issuer === certificate.label) return [certificate]
    return [certificate, ...this.chainOf(this.certificate(certificate.issuer))]
  }

  /** The roots a client should trust, as PEM. */
  trustAnchors(): string {
    return trustedRoots.map((label) => this.certificate(label).x509.toString()).join('')
  }

  /** Revokes from now or an earlier time on; lists and OCSP answers include it at once. */
  revoke(
    certificate: IssuedCertificate,
    { reason = 'unspecified', at = this.clock() }: { reason?: RevocationReason; at?: Date } = {},
  ): void {
    if (at > this.clock()) throw new RangeError('A certificate cannot be revoked in the future.')
    this.#revocations.set(certificate.label, { reason, at })
    this.#lists.delete(certificate.issuer)
  }

  /** The revocation, if it has happened by now. */
  revocationOf(certificate: IssuedCertificate): Revocation | undefined {
    const revocation = this.#revocations.get(certificate.label)
    return revocation && revocation.at <= this.clock() ? revocation : undefined
  }

  /** The authority's current list; replaced after a revocation and after half its validity. */
  async revocationList(authority: IssuedCertificate, flaw?: Flaw): Promise<RevocationList> {
    if (flaw) return signRevocationList(this.#listContent(authority, flaw), flaw === 'wrong-signature')
    const known = this.#lists.get(authority.label)
    if (known && this.#isFresh(await known)) return known
    const list = signRevocationList(this.#listContent(authority))
    this.#lists.set(authority.label, list)
    return list
  }

  /**
   * Certificate, chain and key as a PKCS#12 file, of any variant in use; default AES-256. Fewer `iterations` make one
   * that is written and opened faster, for tests that open many.
   */
  pkcs12(
    certificate: IssuedCertificate,
    {
      password,
      variant = 'aes-256',
      iterations,
    }: { password: string; variant?: Pkcs12VariantName; iterations?: number },
  ): Buffer {
    const [holder, ...issuers] = this.chainOf(certificate)
    const found = pkcs12Variants[variant]
    const rounds = iterations ?? found.iterations
    return writePkcs12({ holder: holder!, issuers, password, variant: { ...found, iterations: rounds } })
  }

  async issueAuthority(label: string, declared: AuthorityDeclaration, key: DemoKey): Promise<void> {
    const issuer = declared.issuer === undefined ? undefined : this.certificate(declared.issuer)
    await this.#issue(label, authorityContent(declared, key, { ...this.#issuing(), ...(issuer && { issuer }) }), issuer)
  }

  async issueService(label: string, declared: ServiceDeclaration, key: DemoKey): Promise<void> {
    const issuer = this.certificate(declared.issuer)
    await this.#issue(label, serviceContent(declared, key, { ...this.#issuing(), issuer }), issuer)
  }

  issueHolder(label: string, holder: Holder, terms: Terms, key: DemoKey): Promise<IssuedCertificate> {
    const issuer = this.certificate(terms.issuer ?? 'level-2')
    return this.#issue(label, holderContent(holder, terms, key, { ...this.#issuing(), issuer }), issuer)
  }

  /** Records the current state; the returned function undoes all later issues and revocations. */
  mark(): () => void {
    const [certificates, revocations, reserved] = [[...this.#certificates], [...this.#revocations], [...this.#reserved]]
    return () => {
      refill(this.#certificates, certificates)
      refill(this.#revocations, revocations)
      this.#reserved.clear()
      for (const label of reserved) this.#reserved.add(label)
      this.#lists.clear()
    }
  }

  /** Adds what an earlier process issued. */
  restore(certificate: IssuedCertificate, revocation: Revocation | undefined): void {
    this.#certificates.set(certificate.label, certificate)
    if (revocation) this.#revocations.set(certificate.label, revocation)
  }

  async #issueToNewHolder(holder: Holder, terms: Terms): Promise<IssuedCertificate> {
    const label = this.#newLabel(holder.name)
    return this.issueHolder(label, holder, terms, await this.#keys(label, terms.key ?? 'RSA-2048'))
  }

  async #issue(
    label: string,
    content: CertificateContent,
    issuer: IssuedCertificate | undefined,
  ): Promise<IssuedCertificate> {
    const der = await signCertificate(content, issuer?.key ?? content.key)
    const certificate = issuedCertificate(label, issuer?.label ?? label, der, content.key)
    this.#certificates.set(label, certificate)
    return certificate
  }

  #issuing(): Omit<Issuing, 'issuer'> {
    return { baseUrl: this.baseUrl, now: this.clock() }
  }

  /** The name in lower case with dashes, and a number when it is taken. */
  #newLabel(name: string): string {
    const slug = asLabel(name)
    let label = slug
    for (let count = 2; this.#reserved.has(label) || this.has(label); count++) label = `${slug}-${count}`
    this.#reserved.add(label)
    return label
  }

  #listContent(issuer: IssuedCertificate, flaw?: Flaw): RevocationListContent {
    const { crlHours: hours, fillerRevocations: fillers = 0 } = authorities[issuer.label]!
    const revoked = this.certificates()
      .filter((certificate) => certificate.issuer === issuer.label)
      .flatMap((certificate) => {
        const revocation = this.revocationOf(certificate)
        return revocation ? [{ certificate, revocation }] : []
      })
    const now = new Date(secondsOf(this.clock()) * SECOND)
    const thisUpdate = flaw === 'stale' ? plus(now, -(hours + 1) * HOUR) : now
    const number = flaw === 'stale' ? secondsOf(thisUpdate) : this.#nextListNumber()
    return { issuer, revoked, fillers, hours, thisUpdate, number }
  }

  /** Seconds since 1970, so that it grows across restarts too, without being stored. */
  #nextListNumber(): number {
    this.#lastListNumber = Math.max(this.#lastListNumber + 1, secondsOf(this.clock()))
    return this.#lastListNumber
  }

  #isFresh({ thisUpdate, nextUpdate }: RevocationList): boolean {
    const now = this.clock().getTime()
    return now >= thisUpdate.getTime() && now < (thisUpdate.getTime() + nextUpdate.getTime()) / 2
  }
}

function refill<Key, Value>(map: Map<Key, Value>, entries: readonly (readonly [Key, Value])[]): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}

const secondsOf = (at: Date): number => Math.floor(at.getTime() / SECOND)

const asLabel = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-') ?? 'holder'
