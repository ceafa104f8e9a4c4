import { EngineError } from '@chancela/signature-engine'
import { checkNewCades, validateCades, validateCadesStream } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { checkNewPades, validatePades } from '@chancela/signature-engine/pades'
import { type Finding, findingText, type ValidationReport } from '@chancela/signature-engine/report'
import type { Certificate } from '@chancela/signature-engine/x509'
import { validateXades } from '@chancela/signature-engine/xades'
import type { SignatureFormat } from '../domain/job.ts'
import { JobFailure } from '../domain/job-failure.ts'
import type { SignatureLevel } from '../domain/profile.ts'
import { piecesOf } from './pieces-of-file.ts'

/** What a signature was asked to be. */
interface AskedSignature {
  readonly format: SignatureFormat
  readonly level: SignatureLevel
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
  /** When it was made. */
  readonly now: Date
}

/** A finished file, before armour and encryption. */
type FinishedFile = Uint8Array | { readonly path: string }

/**
 * Checks a file that was just signed, from the bytes that will be written, as a stranger would: the signature is intact,
 * covers the whole file, is of the profile's certificate and of the level asked for. Whether that certificate is to be
 * trusted is the business of the pre-sign validation: a profile may switch that off, and its signatures still have to be
 * what they claim to be. Throws JobFailure job.verification-failed.
 */
export async function checkSignature(file: FinishedFile, asked: AskedSignature): Promise<void> {
  const problems = await problemsOf(file, asked)
  if (problems.length > 0) throw new JobFailure('job.verification-failed', problems.join(' '), { lines: problems })
}

async function problemsOf(file: FinishedFile, asked: AskedSignature): Promise<readonly string[]> {
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
function quickFindings(file: Uint8Array, { format, level, ...rest }: AskedSignature): readonly Finding[] | undefined {
  if (level !== 'B-B' && level !== 'AD-RB') return undefined
  if (format === 'Pades') return checkNewPades(file, { ...rest, level })
  return format === 'Cades' ? checkNewCades(file, { ...rest, level }) : undefined
}

function report(file: FinishedFile, { format, now }: AskedSignature): Promise<ValidationReport> {
  const options = { judge: unasked, now }
  if (!(file instanceof Uint8Array)) return validateCadesStream(piecesOf(file.path), options)
  return validators[format](file, options)
}

const validators = { Pades: validatePades, Cades: validateCades, Xades: validateXades } as const

/** A judge that says nothing about anybody: only the form and the cryptography count here. */
const unasked: Judge = {
  certificate: async (certificate, { at }) => ({
    indication: 'indeterminate',
    reasons: [{ code: 'chain.no-path', certificate }],
    at,
    path: [certificate],
    anchor: null,
    revocation: [],
  }),
  validationData: () => Promise.reject(new Error('Checking a signature gathers no validation data.')),
}

/** Findings that are about trust or about other people's signatures. */
const leftOut: ReadonlySet<Finding['code']> = new Set([
  'certificate-not-trusted',
  'certificate-indeterminate',
  'timestamp-authority-untrusted',
])

function problemsIn({ signatures }: ValidationReport, { level, certificate }: AskedSignature): readonly string[] {
  // A document may carry signatures of others: the new one is the last.
  const made = signatures.filter(({ kind }) => kind === 'signature').at(-1)
  if (!made) return ['The file holds no signature.']
  const { integrity, coverage, signer, findings } = made
  const later = coverage.laterChanges ?? []
  // Long-term levels append evidence and timestamps behind the signature.
  const isWhole = coverage.wholeDocument || (later.length > 0 && later.every(({ permitted }) => permitted))
  return [
    ...(integrity.contentIntact && integrity.signatureIntact ? [] : ['The signature is not intact.']),
    ...(isWhole ? [] : ['The signature does not cover the whole file.']),
    ...(signer?.certificate.der.equals(certificate.der) ? [] : ['It is not a signature of the certificate.']),
    ...(made.level === level ? [] : [`The signature has the level ${made.level} and not ${level}.`]),
    ...findings.filter(({ severity, code }) => severity === 'error' && !leftOut.has(code)).map(inEnglish),
  ]
}

const inEnglish = (finding: Finding): string => findingText(finding, 'en-US')
