import { EngineError } from '@chancela/signature-engine'
import { checkNewCades, validateCades, validateCadesStream } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { checkNewPades, validatePades } from '@chancela/signature-engine/pades'
import {
  type Finding,
  findingText,
  type SignatureLevel,
  type SignatureReport,
  type ValidationReport,
} from '@chancela/signature-engine/report'
import type { Certificate } from '@chancela/signature-engine/x509'
import { validateXades } from '@chancela/signature-engine/xades'

/** What a signature was asked to be. */
export interface AskedSignature {
  readonly format: 'Pades' | 'Cades' | 'Xades'
  readonly level: Exclude<SignatureLevel, 'none'>
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  /** When it was made. */
  readonly now: Date
  /** `part`: it is over one element of its document. Default `whole`. */
  readonly covers?: 'whole' | 'part'
  /** Whether the file may hold signatures of others in the same CMS. Default false. */
  readonly isShared?: boolean
}

/** A finished file; pieces are those of an attached CMS. */
type FinishedFile = Uint8Array | AsyncIterable<Uint8Array>

/**
 * What is wrong with a file that was just signed, from the bytes that will be written, as a stranger would see it; nothing
 * when the signature is intact, covers the whole file, is of the certificate and of the level asked for. Whether that
 * certificate is to be trusted is the business of the pre-sign validation: where that is switched off, signatures still
 * have to be what they claim to be.
 */
export async function signatureProblems(file: FinishedFile, asked: AskedSignature): Promise<readonly string[]> {
  const quick = file instanceof Uint8Array ? quickFindings(file, asked) : undefined
  if (quick) return quick.map(inEnglish)
  try {
    return problemsIn(await report(file, asked), asked)
  } catch (error) {
    // Bytes the engine does not even take for a signed file.
    if (error instanceof EngineError) return [error.message]
    throw error
  }
}

/** Most signatures by far are basic, and their check is on the path of every file: it has a way of its own. */
function quickFindings(
  file: Uint8Array,
  { format, level, isShared = false, ...rest }: AskedSignature,
): readonly Finding[] | undefined {
  if ((level !== 'B-B' && level !== 'AD-RB') || isShared) return undefined
  if (format === 'Pades') return checkNewPades(file, { ...rest, level })
  return format === 'Cades' ? checkNewCades(file, { ...rest, level }) : undefined
}

function report(file: FinishedFile, { format, now }: AskedSignature): Promise<ValidationReport> {
  const options = { judge: untrustingJudge, now }
  if (!(file instanceof Uint8Array)) return validateCadesStream(file, options)
  return validators[format](file, options)
}

const validators = { Pades: validatePades, Cades: validateCades, Xades: validateXades } as const

/** A judge that trusts nobody: only the form and the cryptography of a signature count. */
export const untrustingJudge: Judge = {
  certificate: async (certificate, { at }) => ({
    indication: 'indeterminate',
    reasons: [{ code: 'chain.no-path', certificate }],
    at,
    path: [certificate],
    anchor: null,
    revocation: [],
  }),
  validationData: () => Promise.reject(new Error('Whoever trusts nobody gathers no validation data.')),
}

/** Findings that are about trust or about other people's signatures. */
const leftOut: ReadonlySet<Finding['code']> = new Set([
  'certificate-not-trusted',
  'certificate-indeterminate',
  'timestamp-authority-untrusted',
])

function problemsIn(
  { signatures }: ValidationReport,
  { level, certificate, covers = 'whole' }: AskedSignature,
): readonly string[] {
  const isOfCertificate = ({ signer }: SignatureReport) => signer?.certificate.der.equals(certificate.der) === true
  // A document may carry signatures of others: the new one is the last, but a CMS has no order.
  const present = signatures.filter(({ kind }) => kind === 'signature')
  const made = present.findLast(isOfCertificate) ?? present.at(-1)
  if (!made) return ['The file holds no signature.']
  const { integrity, coverage, findings } = made
  const later = coverage.laterChanges ?? []
  // Long-term levels append evidence and timestamps behind the signature.
  const isWhole =
    covers === 'part' || coverage.wholeDocument || (later.length > 0 && later.every(({ permitted }) => permitted))
  return [
    ...(integrity.contentIntact && integrity.signatureIntact ? [] : ['The signature is not intact.']),
    ...(isWhole ? [] : ['The signature does not cover the whole file.']),
    ...(isOfCertificate(made) ? [] : ['It is not a signature of the certificate.']),
    ...(made.level === level ? [] : [`The signature has the level ${made.level} and not ${level}.`]),
    ...findings.filter(({ severity, code }) => severity === 'error' && !leftOut.has(code)).map(inEnglish),
  ]
}

const inEnglish = (finding: Finding): string => findingText(finding, 'en-US')
