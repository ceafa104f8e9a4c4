import type { PolicyName } from '../policies/policies.ts'
import type { SignatureLevel, TimestampReport } from '../report/report.ts'

/** The unsigned properties each form of ICP-Brasil requires (PA_AD_*_v2_5.xml). */
const DEMANDED: Readonly<Record<PolicyName, readonly string[]>> = {
  'AD-RB': [],
  'AD-RT': ['SignatureTimeStamp'],
  'AD-RV': ['SignatureTimeStamp', 'CompleteCertificateRefs', 'CompleteRevocationRefs', 'SigAndRefsTimeStamp'],
  'AD-RC': [
    'SignatureTimeStamp',
    'CompleteCertificateRefs',
    'CompleteRevocationRefs',
    'SigAndRefsTimeStamp',
    'CertificateValues',
    'RevocationValues',
  ],
  'AD-RA': [
    'CompleteCertificateRefs',
    'CompleteRevocationRefs',
    'CertificateValues',
    'RevocationValues',
    'ArchiveTimeStamp',
  ],
}

const FORMS = Object.keys(DEMANDED) as PolicyName[]

const TIMESTAMP_KINDS: Readonly<Record<string, TimestampReport['kind']>> = {
  SignatureTimeStamp: 'signature',
  SigAndRefsTimeStamp: 'references',
  ArchiveTimeStamp: 'archive',
}

/** The unsigned properties that a form requires and a signature lacks. */
export const missingFor = (form: PolicyName, properties: ReadonlySet<string>): readonly string[] =>
  DEMANDED[form].filter((name) => !properties.has(name))

/** The form of ICP-Brasil whose properties are all there, up to the promised one; none of them is judged. */
export const presentForm = (promised: PolicyName, properties: ReadonlySet<string>): PolicyName =>
  formsUpTo(promised).findLast((form) => missingFor(form, properties).length === 0) ?? 'AD-RB'

const formsUpTo = (promised: PolicyName): readonly PolicyName[] => FORMS.slice(0, FORMS.indexOf(promised) + 1)

/** The form of ICP-Brasil reached: never higher than the policy, lower when something it requires is missing. */
export function icpLevel(
  promised: PolicyName,
  properties: ReadonlySet<string>,
  timestamps: readonly TimestampReport[],
): SignatureLevel {
  const isReached = (form: PolicyName) => missingFor(form, properties).length === 0 && holds(timestamps, DEMANDED[form])
  return formsUpTo(promised).findLast(isReached) ?? 'AD-RB'
}

/** The baseline level of EN 319 132-1 reached by a signature that meets B-B. */
export function baselineLevel(properties: ReadonlySet<string>, timestamps: readonly TimestampReport[]): SignatureLevel {
  if (!holds(timestamps, ['SignatureTimeStamp'])) return 'B-B'
  const hasValues = properties.has('CertificateValues') && properties.has('RevocationValues')
  // EN 319 132-1 table 3: references belong to the classic forms, not to the baseline.
  const isClassic = properties.has('CompleteCertificateRefs') || properties.has('CompleteRevocationRefs')
  if (!hasValues || isClassic) return 'B-T'
  return holds(timestamps, ['ArchiveTimeStamp']) ? 'B-LTA' : 'B-LT'
}

// An untrusted timestamp still counts: the level is about form, and trust is reported separately.
const holds = (timestamps: readonly TimestampReport[], names: readonly string[]): boolean =>
  names
    .flatMap((name) => TIMESTAMP_KINDS[name] ?? [])
    .every((kind) => timestamps.some((report) => report.kind === kind && report.indication !== 'invalid'))
