// Seed values respected: wishes as defaults of what the signer did not say, and a refusal of what is against them.

import { contentDigestName } from '../cms/cms-template.ts'
import { type FormField, formFields } from '../pdf/form-fields.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { Certificate } from '../x509/certificate.ts'
import { keyUsageBits } from '../x509/extensions.ts'
import { isSameText } from '../x509/name-comparison.ts'
import { attributeOid } from '../x509/oids.ts'
import { refusePades } from './errors.ts'
import { partsOf } from './levels.ts'
import type { PreparePadesOptions } from './prepare-pades.ts'
import {
  readSeedValue,
  type SeedCertificate,
  type SeedCertificateName,
  type SeedName,
  type SeedValue,
} from './seed-value.ts'
import { signatureNames } from './signature-dictionary.ts'

/** The options with what the field to sign wishes; refused by the name of an entry that they are against. */
export function seeded(file: PdfFile, certificate: Certificate, options: PreparePadesOptions): PreparePadesOptions {
  const { fieldName } = options
  if (fieldName === undefined) return options
  const field = formFields(file).find(({ name, type }) => name === fieldName && type === 'Sig')
  const seed = field && readSeedValue(file, field.dict, fieldName)
  if (!seed) return options
  const wished = { ...options, ...defaultsOf(seed, options) }
  const broken = brokenEntry(seed, certificate, wished)
  if (broken) throw refusePades('pades.seed-value', { field: fieldName, ...broken })
  return wished
}

/** A document timestamp in a field that is meant for a signature of another kind is refused. */
export function requireTimestampWanted(file: PdfFile, { dict, name }: FormField): void {
  const { subFilter = [], required = [] } = readSeedValue(file, dict, name) ?? {}
  if (!required.includes('subFilter') || subFilter.length === 0 || subFilter.includes('ETSI.RFC3161')) return
  throw refusePades('pades.seed-value', { field: name, entry: 'SubFilter', reason: subFilter.join(' or ') })
}

type Wishes = Partial<
  Pick<PreparePadesOptions, 'digest' | 'reason' | 'pdfStandard' | 'certify' | 'permits' | 'lockDocument'>
>

/** Options by what seed values call them. */
const digests = { SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' } as const
const standards = Object.entries(signatureNames) as [keyof typeof signatureNames, { SubFilter: string }][]

function defaultsOf(
  { digestMethod, reasons, subFilter, mdp, lockDocument }: SeedValue,
  options: PreparePadesOptions,
): Wishes {
  const digest = digestMethod?.flatMap((one) => digests[one as keyof typeof digests] ?? [])[0]
  const standard = subFilter?.flatMap(
    (one) => standards.find(([, { SubFilter }]) => SubFilter === `/${one}`)?.[0] ?? [],
  )[0]
  const isAlone = reasons?.length === 1 && reasons[0] !== NO_REASON
  return {
    ...(options.digest === undefined && digest && { digest }),
    // One of several reasons would be a statement that the signer did not make.
    ...(options.reason === undefined && isAlone && mayHaveReason(options) && { reason: reasons[0]! }),
    ...(options.pdfStandard === undefined && standard && { pdfStandard: standard }),
    ...(options.certify === undefined && mdp && mdp !== 'ordinary' && { certify: mdp }),
    ...(options.lockDocument === undefined && lockDocument === true && { lockDocument }),
    // An ordinary signature has no rule for those after it (table 236, MDP).
    ...(options.permits === undefined && mdp === 'ordinary' && { permits: 'unsaid' as const }),
  }
}

const mayHaveReason = ({ level = 'B-B', policy, claims }: PreparePadesOptions): boolean =>
  !policy && !partsOf(level).policy && !claims?.commitments?.length

/** A list of this alone: no reason may be said. */
const NO_REASON = '.'

interface Broken {
  readonly entry: string
  readonly reason: string
}

type Rule = (seed: SeedValue, options: PreparePadesOptions, certificate: Certificate) => string | undefined

/** What a field wants instead, where an entry that it requires is not met. */
const rules: Readonly<Record<SeedName, Rule>> = {
  filter: ({ filter }, options) => unless(filter === undefined || namesOf(options).Filter === `/${filter}`, filter),
  subFilter: ({ subFilter }, options) =>
    unless(!subFilter || subFilter.some((one) => namesOf(options).SubFilter === `/${one}`), subFilter),
  digestMethod: ({ digestMethod }, { digest }, certificate) =>
    unless(
      !digestMethod || digestMethod.map(plain).includes(plain(contentDigestName({ certificate, digest }))),
      digestMethod,
    ),
  reasons: ({ reasons = [NO_REASON] }, { reason }) =>
    reasons.length === 0 || reasons.includes(NO_REASON)
      ? unless(reason === undefined, 'no reason')
      : unless(reason !== undefined && reasons.includes(reason), reasons),
  // A certification's statement about content that may change what is shown: there is none here.
  legalAttestation: ({ legalAttestation, mdp }, { certify }) =>
    unless(!legalAttestation?.length || !(certify ?? (mdp !== undefined && mdp !== 'ordinary')), legalAttestation),
  lockDocument: ({ lockDocument = 'auto' }, { lockDocument: locks = false, certify }) =>
    unless(
      lockDocument === 'auto' || lockDocument === (locks || certify === 'no-changes'),
      lockDocument ? 'a locked document' : 'a document that is not locked',
    ),
  addRevInfo: ({ addRevInfo }, { level = 'B-B' }) =>
    unless(!addRevInfo || partsOf(level).validationData, 'a level with evidence about revocation'),
}

const entries: Readonly<Record<SeedName, string>> = {
  filter: 'Filter',
  subFilter: 'SubFilter',
  digestMethod: 'DigestMethod',
  reasons: 'Reasons',
  legalAttestation: 'LegalAttestation',
  addRevInfo: 'AddRevInfo',
  lockDocument: 'LockDocument',
}

const namesOf = ({ pdfStandard = 'etsi' }: PreparePadesOptions) => signatureNames[pdfStandard]
const plain = (digest: string): string => digest.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** Nothing where it holds; else what is wanted, in words. */
function unless(holds: boolean, wanted: string | readonly string[] | undefined): string | undefined {
  if (holds) return undefined
  return typeof wanted === 'string' ? wanted : (wanted ?? []).join(' or ')
}

function brokenEntry(seed: SeedValue, certificate: Certificate, options: PreparePadesOptions): Broken | undefined {
  for (const required of seed.required ?? []) {
    const reason = rules[required](seed, options, certificate)
    if (reason !== undefined) return { entry: entries[required], reason }
  }
  return brokenMdp(seed, options) ?? brokenTimeStamp(seed, options) ?? brokenCertificate(seed, certificate, options)
}

function brokenMdp({ mdp }: SeedValue, { certify, permits }: PreparePadesOptions): Broken | undefined {
  const isOrdinary = certify === undefined && (permits === undefined || permits === 'unsaid')
  const holds = mdp === undefined || (mdp === 'ordinary' ? isOrdinary : certify === mdp)
  return holds ? undefined : { entry: 'MDP', reason: mdp === 'ordinary' ? 'no certification' : `certify ${mdp}` }
}

function brokenTimeStamp({ timeStamp }: SeedValue, { level = 'B-B' }: PreparePadesOptions): Broken | undefined {
  if (!timeStamp?.required || partsOf(level).timestamp) return undefined
  return { entry: 'TimeStamp', reason: `a level with a timestamp, such as of ${timeStamp.url}` }
}

type CertificateRule = (seed: SeedCertificate, certificate: Certificate, chain: readonly Certificate[]) => boolean

const certificateRules: Readonly<Record<SeedCertificateName, CertificateRule>> = {
  subject: ({ subject = [] }, certificate) => subject.some((der) => certificate.der.equals(der)),
  issuer: ({ issuer = [] }, _, chain) => issuer.some((der) => chain.some((one) => one.der.equals(der))),
  oid: ({ oid = [] }, { extensions }) => oid.some((one) => extensions.policies.includes(one)),
  subjectDN: ({ subjectDN = [] }, { subject }) =>
    subjectDN
      .flatMap(Object.entries<string>)
      .every(([type, text]) =>
        subject.attributes.some(({ oid, value }) => oid === attributeOid(type) && isSameText(value, text)),
      ),
  keyUsage: ({ keyUsage = [] }, certificate) => keyUsage.some((pattern) => fitsPattern(pattern, certificate)),
}

const certificateEntries: Readonly<Record<SeedCertificateName, string>> = {
  subject: 'Cert.Subject',
  issuer: 'Cert.Issuer',
  oid: 'Cert.OID',
  subjectDN: 'Cert.SubjectDN',
  keyUsage: 'Cert.KeyUsage',
}

function brokenCertificate(
  { cert }: SeedValue,
  certificate: Certificate,
  { chain = [] }: PreparePadesOptions,
): Broken | undefined {
  const broken = cert?.required?.find((required) => !certificateRules[required](cert, certificate, chain))
  return broken && { entry: certificateEntries[broken], reason: 'another certificate' }
}

/** Table 237: a position each for the usages, by their bits; those that the pattern leaves out may be anything. */
function fitsPattern(pattern: string, { extensions: { keyUsage } }: Certificate): boolean {
  return Object.entries(keyUsageBits).every(([usage, bit]) => {
    const wanted = pattern[bit]?.toUpperCase() ?? 'X'
    // A certificate that says nothing restricts nothing (RFC 5280 §4.2.1.3).
    const isSet = !keyUsage || keyUsage.has(usage as keyof typeof keyUsageBits)
    return wanted === 'X' || (wanted === '1') === isSet
  })
}
