// The verdict of the engine in the words of the contract (pki-core facts 2.8).
import type { CertificateReason, CertificateReasonCode, CertificateVerdict } from '@chancela/signature-engine/judgement'
import type { ValidationItem, ValidationItemType, ValidationResults } from '../contract/models.ts'
import type { Culture } from './cultures.ts'
import { type PassedCheck, validationTexts } from './validation-texts.ts'

const typesOf: Readonly<Record<CertificateReasonCode, Exclude<ValidationItemType, 'Success'>>> = {
  'chain.no-path': 'CertificateIssuerNotFound',
  'chain.untrusted-root': 'CertificateChainRootNotTrusted',
  'chain.untrusted-then': 'CertificateChainRootNotTrusted',
  'chain.wrong-signature': 'InvalidCertificateSignature',
  'chain.not-an-authority': 'UnauthorizedIssuer',
  'chain.path-too-long': 'InvalidCertificationPathLen',
  'chain.name-not-permitted': 'CertificateValidationFailed',
  'chain.unknown-critical-extension': 'CertificateValidationFailed',
  'validity.expired': 'CertificateExpired',
  'validity.not-yet-valid': 'CertificateNotYetValid',
  'revocation.revoked': 'CertificateRevoked',
  'revocation.on-hold': 'CertificateRevoked',
  'revocation.unknown': 'CertificateRevocationStatusUnknown',
  'revocation.stale': 'CertificateRevocationStatusUnknown',
  'policy.unacceptable': 'CertificateValidationFailed',
  'keyUsage.unfit': 'InvalidKeyUsage',
  'algorithm.weak': 'AlgorithmNotAllowed',
  'algorithm.unknown': 'AlgorithmNotAllowed',
}

/** The check that a reason of this type stands against. */
const checkOf: Partial<Record<ValidationItemType, PassedCheck>> = {
  CertificateExpired: 'validity',
  CertificateNotYetValid: 'validity',
  CertificateRevoked: 'revocation',
  CertificateRevocationStatusUnknown: 'revocation',
  CertificateIssuerNotFound: 'signature',
  InvalidCertificateSignature: 'signature',
}

export interface ResultOptions {
  readonly culture: Culture
  /** Whether an unknown revocation status is a warning. */
  readonly ignoresUnknown: boolean
}

const item = (
  type: ValidationItemType,
  message: string,
  more: Partial<Pick<ValidationItem, 'detail' | 'innerValidationResults'>> = {},
): ValidationItem => ({ type, message, detail: null, innerValidationResults: null, ...more })

/** One passed check; that of a certificate holds the results of the certificate. */
export const passed = (
  check: PassedCheck,
  culture: Culture,
  innerValidationResults: ValidationResults | null = null,
): ValidationItem => item('Success', validationTexts[culture][check], { innerValidationResults })

/** One failed check. */
export const failed = (
  type: Exclude<ValidationItemType, 'Success'>,
  culture: Culture,
  detail: string | null = null,
  innerValidationResults: ValidationResults | null = null,
): ValidationItem => item(type, validationTexts[culture][type], { detail, innerValidationResults })

/** Results of one failure, where nothing else was looked at. */
export const onlyError = (type: Parameters<typeof failed>[0], culture: Culture): ValidationResults => ({
  passedChecks: [],
  errors: [failed(type, culture)],
  warnings: [],
})

export const isValid = ({ errors }: ValidationResults): boolean => errors.length === 0

/** The results of a certificate, with those of its issuers nested, up to the root. */
export const resultsOf = (verdict: CertificateVerdict, options: ResultOptions): ValidationResults =>
  resultsAt(verdict, 0, options)

function resultsAt(verdict: CertificateVerdict, index: number, options: ResultOptions): ValidationResults {
  const { culture } = options
  const certificate = verdict.path[index]
  const own = verdict.reasons.filter((reason) => reason.certificate === certificate || !certificate)
  const items = own.map((reason) => itemOf(reason, verdict, culture))
  const isWarning = ({ type }: ValidationItem) =>
    options.ignoresUnknown && type === 'CertificateRevocationStatusUnknown'
  const issuer = issuerItem(verdict, index, options)
  const failures = [
    ...items.filter((one) => !isWarning(one)),
    ...(issuer?.type === 'CertificateIssuerInvalid' ? [issuer] : []),
  ]
  return {
    passedChecks: [
      ...passedChecks(verdict, index, items).map((check) => passed(check, culture)),
      ...(issuer?.type === 'CertificateIssuerValid' ? [issuer] : []),
    ],
    errors: failures,
    warnings: items.filter(isWarning),
  }
}

/** A root is trusted or not; nothing else is asked of it. */
function passedChecks(verdict: CertificateVerdict, index: number, items: readonly ValidationItem[]): PassedCheck[] {
  if (verdict.path[index] === verdict.anchor) return ['root']
  const against = new Set(items.map(({ type }) => checkOf[type]))
  return (['validity', 'signature', 'revocation'] as const).filter((check) => !against.has(check))
}

function issuerItem(verdict: CertificateVerdict, index: number, options: ResultOptions): ValidationItem | undefined {
  const issuer = verdict.path[index + 1]
  if (!issuer) return undefined
  const innerValidationResults = resultsAt(verdict, index + 1, options)
  const type = isValid(innerValidationResults) ? 'CertificateIssuerValid' : 'CertificateIssuerInvalid'
  const detail = issuer.subject.commonName ?? issuer.subject.toString()
  return item(type, validationTexts[options.culture][type], { detail, innerValidationResults })
}

function itemOf(reason: CertificateReason, verdict: CertificateVerdict, culture: Culture): ValidationItem {
  const status = verdict.revocation.find(({ certificate }) => certificate === reason.certificate)
  const isRevocation = reason.code.startsWith('revocation.')
  const detail = isRevocation ? (status?.problem ?? status?.revokedAt?.toISOString() ?? null) : null
  return failed(typesOf[reason.code], culture, detail)
}
