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

/** The expected properties of a signature. */
export interface AskedSignature {
  readonly format: 'Pades' | 'Cades' | 'Xades'
  readonly level: Exclude<SignatureLevel, 'none'>
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  /** When it was made. */
  readonly now: Date
  /** `part`: it covers one element of its document. Default `whole`. */
  readonly covers?: 'whole' | 'part'
  /** Whether the same CMS may contain signatures of others. Default false. */
  readonly isShared?: boolean
  /** The content of a detached signature. Default: it is inside. */
  readonly content?: Uint8Array
}

/** A finished file; a stream is an attached CMS. */
type FinishedFile = Uint8Array | AsyncIterable<Uint8Array>

/**
 * The problems of a file that was just signed, found in the bytes that will be written, as a third party would; empty
 * when the signature is intact, covers the whole file, and has the requested certificate and level. Whether that
 * certificate is trusted is up to the pre-sign validation: even where that is off, signatures must be what they claim
 * to be.
 */
export async function signatureProblems(file: FinishedFile, asked: AskedSignature): Promise<readonly string[]> {
  const quick = file instanceof Uint8Array ? quickFindings(file, asked) : undefined
  if (quick) return quick.map(inEnglish)
  try {
    return problemsIn(await report(file, asked), asked)
  } catch (error) {
    // Bytes the engine does not recognise as a signed file.
    if (error instanceof EngineError) return [error.message]
    throw error
  }
}

/** Most signatures are basic, and every file is checked: they have a faster path. */
function quickFindings(
  file: Uint8Array,
  { format, level, isShared = false, content, ...rest }: AskedSignature,
): readonly Finding[] | undefined {
  if ((level !== 'B-B' && level !== 'AD-RB') || isShared || content) return undefined
  if (format === 'Pades') return checkNewPades(file, { ...rest, level })
  return format === 'Cades' ? checkNewCades(file, { ...rest, level }) : undefined
}

function report(file: FinishedFile, { format, now, content }: AskedSignature): Promise<ValidationReport> {
  const options = { judge: untrustingJudge, now, ...(content && { content }) }
  if (!(file instanceof Uint8Array)) return validateCadesStream(file, options)
  return validators[format](file, options)
}

const validators = { Pades: validatePades, Cades: validateCades, Xades: validateXades } as const

/** A judge that trusts no root: only the form and the cryptography of a signature count. */
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

/** Findings about trust or about other signatures. */
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
  // A document may contain other signatures: the new one is the last, but a CMS has no order.
  const present = signatures.filter(({ kind }) => kind === 'signature')
  const made = present.findLast(isOfCertificate) ?? present.at(-1)
  if (!made) return ['The file holds no signature.']
  const { integrity, coverage, findings } = made
  const later = coverage.laterChanges ?? []
  // Long-term levels append evidence and timestamps after the signature.
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
