import { EngineError } from '@chancela/signature-engine'
import { checkNewCades, detachCadesContent, validateCades, validateCadesStream } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { checkNewPades, validatePades } from '@chancela/signature-engine/pades'
import {
  type Finding,
  findingText,
  isIntact,
  type Language,
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
  const problems = await signatureProblemTexts(file, asked)
  return problems.map((problem) => problem['en-US'])
}

/** A problem of a signature in each language. */
export type ProblemText = Readonly<Record<Language, string>>

/** The same for readers of every language. */
export async function signatureProblemTexts(
  file: FinishedFile,
  asked: AskedSignature,
): Promise<readonly ProblemText[]> {
  const quick = file instanceof Uint8Array ? quickFindings(file, asked) : undefined
  if (quick) return quick.map(inWords)
  try {
    return problemsIn(await report(file, asked), asked)
  } catch (error) {
    if (error instanceof EngineError) return [inEnglish(error)]
    throw error
  }
}

/** Who must have signed a file, and what. */
export interface AskedSigners {
  /** SHA-256 of the content, in lower-case hex. */
  readonly contentSha256: string
  /** SHA-256 of each signer's certificate, in lower-case hex; one who signs twice stands here twice. */
  readonly thumbprints: readonly string[]
  /** When the last of them signed. */
  readonly now: Date
  /** The levels that signatures must have, by thumbprint. Default: any. */
  readonly levels?: Readonly<Record<string, SignatureLevel>>
}

/** What is wrong with the signatures of several people. */
export interface SignerSetProblems {
  /** Those who did not sign. */
  readonly missing: readonly string[]
  readonly problems: readonly ProblemText[]
}

/**
 * The problems of an attached CMS that exactly these people must have signed: a signature of anybody else is one, and
 * so is a signature that is not intact, whoever made it. Whom to trust is not asked: that was before each signed.
 */
export async function signerSetProblems(
  file: AsyncIterable<Uint8Array>,
  { contentSha256, thumbprints, now, levels = {} }: AskedSigners,
): Promise<SignerSetProblems> {
  try {
    const { detached, ...known } = await detachCadesContent(file)
    const found = await validateCades(detached, { judge: untrustingJudge, now, ...known })
    const signers = found.signatures.map(({ signer }) => signer?.certificate.fingerprint ?? '')
    const isContent = known.contentDigests.sha256?.toString('hex') === contentSha256
    return {
      missing: without(thumbprints, signers),
      problems: [
        ...(isContent ? [] : [words.otherContent]),
        ...without(signers, thumbprints).map(() => words.stranger),
        ...found.signatures.flatMap((one) => [...brokenIn(one), ...levelIn(one, levels), ...errorsIn(one)]),
      ],
    }
  } catch (error) {
    if (error instanceof EngineError) return { missing: thumbprints, problems: [inEnglish(error)] }
    throw error
  }
}

/** The first list after one of each of the others was taken from it. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return all.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const brokenIn = ({ integrity }: SignatureReport): readonly ProblemText[] => (isIntact(integrity) ? [] : [words.broken])

function levelIn({ signer, level }: SignatureReport, levels: NonNullable<AskedSigners['levels']>) {
  const asked = levels[signer?.certificate.fingerprint ?? '']
  return asked === undefined || asked === level ? [] : [otherLevel(level, asked)]
}

const errorsIn = ({ findings }: SignatureReport): readonly ProblemText[] =>
  findings.filter(({ severity, code }) => severity === 'error' && !leftOut.has(code)).map(inWords)

/** Bytes the engine does not recognise as a signed file; it says so in English only. */
const inEnglish = ({ message }: EngineError): ProblemText => ({ 'en-US': message, 'pt-BR': message })

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
    policies: [],
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
): readonly ProblemText[] {
  const isOfCertificate = ({ signer }: SignatureReport) => signer?.certificate.der.equals(certificate.der) === true
  // A document may contain other signatures: the new one is the last, but a CMS has no order.
  const present = signatures.filter(({ kind }) => kind === 'signature')
  const made = present.findLast(isOfCertificate) ?? present.at(-1)
  if (!made) return [words.none]
  const { coverage } = made
  const later = coverage.laterChanges ?? []
  // Long-term levels append evidence and timestamps after the signature.
  const isWhole =
    covers === 'part' || coverage.wholeDocument || (later.length > 0 && later.every(({ permitted }) => permitted))
  return [
    ...brokenIn(made),
    ...(isWhole ? [] : [words.partial]),
    ...(isOfCertificate(made) ? [] : [words.another]),
    ...(made.level === level ? [] : [otherLevel(made.level, level)]),
    ...errorsIn(made),
  ]
}

const words = {
  none: { 'en-US': 'The file holds no signature.', 'pt-BR': 'O arquivo não tem assinatura.' },
  broken: { 'en-US': 'The signature is not intact.', 'pt-BR': 'A assinatura não está íntegra.' },
  partial: {
    'en-US': 'The signature does not cover the whole file.',
    'pt-BR': 'A assinatura não cobre o arquivo inteiro.',
  },
  otherContent: {
    'en-US': 'The content inside the signature is another one.',
    'pt-BR': 'O conteúdo dentro da assinatura é outro.',
  },
  stranger: {
    'en-US': 'It carries a signature of somebody who is not to sign.',
    'pt-BR': 'Ela traz a assinatura de alguém que não deveria assinar.',
  },
  another: {
    'en-US': 'It is not a signature of the certificate.',
    'pt-BR': 'Não é uma assinatura do certificado.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>

const otherLevel = (made: SignatureLevel, asked: SignatureLevel): ProblemText => ({
  'en-US': `The signature has the level ${made} and not ${asked}.`,
  'pt-BR': `A assinatura tem o nível ${made} e não ${asked}.`,
})

const inWords = (finding: Finding): ProblemText => ({
  'en-US': findingText(finding, 'en-US'),
  'pt-BR': findingText(finding, 'pt-BR'),
})
