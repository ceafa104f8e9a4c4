import type { SignatureLevel, TimestampReport } from '../report/report.ts'
import { attributeOids } from './oids.ts'
import { attributesOf, type SignedData, type SignerInfo } from './signed-data.ts'

/** The unsigned attributes each form of ICP-Brasil requires (policies CAdES 2.x, DOC-ICP-15.03). */
const demanded = {
  'AD-RB': [],
  'AD-RT': ['signatureTimestamp'],
  'AD-RV': ['signatureTimestamp', 'certificateRefs', 'revocationRefs', 'referencesTimestamp'],
  'AD-RC': [
    'signatureTimestamp',
    'certificateRefs',
    'revocationRefs',
    'referencesTimestamp',
    'certificateValues',
    'revocationValues',
  ],
  'AD-RA': ['certificateRefs', 'revocationRefs', 'certificateValues', 'revocationValues', 'archiveTimestampV2'],
} as const satisfies Record<string, readonly (keyof typeof attributeOids)[]>

export type IcpForm = keyof typeof demanded

const forms = Object.keys(demanded) as IcpForm[]

/** The unsigned attributes that a form requires and this signer lacks. */
export const missingFor = (form: IcpForm, signer: SignerInfo): readonly string[] =>
  demanded[form].filter((name) => attributesOf(signer.unsignedAttributes, attributeOids[name]).length === 0)

/**
 * The form of ICP-Brasil reached: never higher than the signed policy, lower when something it requires is missing or
 * one of its timestamps is invalid.
 */
export function icpLevel(
  promised: IcpForm,
  signer: SignerInfo,
  timestamps: readonly TimestampReport[],
): SignatureLevel {
  const upTo = forms.slice(0, forms.indexOf(promised) + 1)
  return upTo.findLast((form) => missingFor(form, signer).length === 0 && holds(timestamps, kindsOf(form))) ?? 'AD-RB'
}

const kindsOf = (form: IcpForm): readonly TimestampReport['kind'][] =>
  demanded[form].flatMap((name) => timestampKinds[name] ?? [])

const timestampKinds: Readonly<Record<string, TimestampReport['kind'][]>> = {
  signatureTimestamp: ['signature'],
  referencesTimestamp: ['references'],
  archiveTimestampV2: ['archive'],
}

// An untrusted timestamp still counts: the level is about form, and trust is reported separately.
const holds = (timestamps: readonly TimestampReport[], kinds: readonly TimestampReport['kind'][]): boolean =>
  kinds.every((kind) => timestamps.some((report) => report.kind === kind && report.indication !== 'invalid'))

/** Attributes that EN 319 122-1 forbids from level B-LT on, where validation data is in the SignedData itself. */
const classic = [
  'certificateRefs',
  'revocationRefs',
  'certificateValues',
  'revocationValues',
  'referencesTimestamp',
] as const

/** The baseline level of EN 319 122-1 reached by a signature that meets B-B. */
export function baselineLevel(
  signedData: SignedData,
  signer: SignerInfo,
  timestamps: readonly TimestampReport[],
): SignatureLevel {
  if (!holds(timestamps, ['signature'])) return 'B-B'
  const hasClassic = classic.some((name) => attributesOf(signer.unsignedAttributes, attributeOids[name]).length > 0)
  if (signedData.revocationChoices.length === 0 || hasClassic) return 'B-T'
  const archived = attributesOf(signer.unsignedAttributes, attributeOids.archiveTimestampV3).length > 0
  return archived && holds(timestamps, ['archive']) ? 'B-LTA' : 'B-LT'
}
