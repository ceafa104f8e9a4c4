import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import {
  type CertificateCheck,
  type CertificateReason,
  type CertificateVerdict,
  certificateReasons,
  reasonText,
} from '@chancela/signature-engine/judgement'
import {
  type Finding,
  findingText,
  isPassed,
  leavesOpen,
  type SignatureReport,
} from '@chancela/signature-engine/report'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { ValidationResults } from '../../contract/models.ts'

type Results = Static<typeof ValidationResults>

type Item = Results['errors'][number]

/** The checks of a certificate, each with its text when passed. */
const certificateChecks: Readonly<Record<CertificateCheck, string>> = {
  chain: 'The certificate leads to a trusted root.',
  validity: 'The certificate is inside its validity.',
  revocation: 'No authority has revoked the certificate.',
  policy: 'The policy of the certificate is accepted.',
  keyUsage: 'Signing is a purpose of the certificate.',
  algorithm: 'The algorithms of the certificate are strong enough.',
}

const item = (type: string, message: string): Item => ({ type, message, detail: null })

/** One that the engine says in every language. */
const told = (type: string, inLanguage: (language: InterfaceLanguage) => string): Item => ({
  ...item(type, inLanguage('en-US')),
  messages: { 'pt-BR': inLanguage('pt-BR'), 'en-US': inLanguage('en-US') },
})

/** Results for a certificate that is to sign now. */
export function certificateResults(verdict: CertificateVerdict, certificate: Certificate): Results {
  const { passedChecks, errors, indeterminateItens } = certificateItems(verdict, certificate, ofSigningNow)
  return { passedChecks, errors, indeterminateItens, warnings: [], isValid: verdict.indication === 'valid' }
}

/** Results for a certificate that could not be validated. */
export const unjudgedResults = (reason: string): Results => ({
  passedChecks: [],
  errors: [],
  warnings: [],
  indeterminateItens: [item('chain', reason)],
  isValid: false,
})

/** An expired certificate may have been valid at an unproven time in the past; for signing now it is an error. */
const ofSigningNow = ({ code }: CertificateReason): 'errors' | 'indeterminateItens' =>
  code === 'validity.expired' ? 'errors' : ofReason({ code })

const ofReason = ({ code }: Pick<CertificateReason, 'code'>): 'errors' | 'indeterminateItens' =>
  certificateReasons[code].indication === 'invalid' ? 'errors' : 'indeterminateItens'

function certificateItems(
  { reasons, anchor }: CertificateVerdict,
  certificate: Certificate,
  placeOf: (reason: CertificateReason) => 'errors' | 'indeterminateItens',
) {
  const items = { passedChecks: [] as Item[], errors: [] as Item[], indeterminateItens: [] as Item[] }
  for (const reason of reasons) items[placeOf(reason)].push(toldReason(reason, certificate))
  const failed = new Set<CertificateCheck>(reasons.map(({ code }) => certificateReasons[code].check))
  // Without a trusted root no revocation source was asked.
  if (anchor === null) failed.add('revocation')
  for (const [check, passed] of Object.entries(certificateChecks))
    if (!failed.has(check as CertificateCheck)) items.passedChecks.push(item(check, passed))
  return items
}

const toldReason = (reason: CertificateReason, certificate: Certificate): Item =>
  told(reason.code, (language) => reasonText(reason, certificate, language))

/** Where a finding stands: what was never looked at is neither an error nor right. */
function placeOfFinding({ severity, code }: Finding): 'errors' | 'warnings' | 'indeterminateItens' {
  if (severity !== 'error') return 'warnings'
  return leavesOpen(code) ? 'indeterminateItens' : 'errors'
}

/** Results for a signature. */
export function signatureResults({ indication, integrity, certificate, signer, findings }: SignatureReport): Results {
  const ofCertificate =
    certificate && signer
      ? certificateItems(certificate, signer.certificate, ofReason)
      : { passedChecks: [], errors: [], indeterminateItens: [] }
  const found = { errors: [] as Item[], warnings: [] as Item[], indeterminateItens: [] as Item[] }
  for (const finding of findings)
    if (finding.severity !== 'info') found[placeOfFinding(finding)].push(findingItem(finding))
  return {
    passedChecks: [
      ...(isPassed(integrity.content) ? [item('content', 'The content is what was signed.')] : []),
      ...(isPassed(integrity.signature) ? [item('signature', 'The key of the certificate made the signature.')] : []),
      ...ofCertificate.passedChecks,
    ],
    errors: [...found.errors, ...ofCertificate.errors],
    warnings: found.warnings,
    indeterminateItens: [...found.indeterminateItens, ...ofCertificate.indeterminateItens],
    isValid: indication === 'valid',
  }
}

const findingItem = (finding: Finding): Item => told(finding.code, (language) => findingText(finding, language))
