import { checkNewCms } from '../cms/check-new-cms.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { asBuffer } from '../pdf/object-parser.ts'
import { openPdf, type PdfFile, type PdfPassword } from '../pdf/pdf-file.ts'
import { isDict, type PdfString } from '../pdf/pdf-object.ts'
import { type Finding, finding } from '../report/report.ts'
import { malformed } from '../report/tried.ts'
import type { Certificate } from '../x509/certificate.ts'
import { policyFor } from './levels.ts'
import { FieldTrees } from './revisions/field-tree.ts'
import { WorkLimit } from './revisions/work-limit.ts'
import { type Coverage, coverageOf } from './validate-byte-range.ts'
import { unpadded } from './validate-contents.ts'
import { RangeDigests } from './validate-range-digests.ts'

/** The expected last signature of a document. */
export interface CheckNewPadesOptions extends PdfPassword {
  readonly certificate: Certificate
  /** Issuers that were included, nearest first. Default none. */
  readonly chain?: readonly Certificate[]
  /** Default B-B. */
  readonly level?: 'B-B' | 'AD-RB'
  /** Default SHA-256. */
  readonly digest?: SigningDigest
  /** The time it was signed at: it determines the policy version. */
  readonly now: Date
}

/**
 * The findings on the basic signature that a document just got; none when it is right. Reads the finished bytes from
 * their end, as a reader would: the form's newest signature covers the whole file but itself, is intact, and is this
 * certificate's. A fifth of the work of `validatePades`, because it checks neither trust nor earlier signatures; not
 * for untrusted files.
 */
export function checkNewPades(document: Uint8Array, options: CheckNewPadesOptions): readonly Finding[] {
  requireArguments('checkNewPades', { document: [document, 'bytes'] }, options, ['certificate', 'now'])
  try {
    return findingsIn(openPdf(document, options), options)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return [malformed(error)]
  }
}

function findingsIn(file: PdfFile, options: CheckNewPadesOptions): readonly Finding[] {
  const coverage = newestSignature(file)
  if (!coverage) return [finding('no-signature')]
  const { ranges, contents, revision, findings } = coverage
  if (!ranges || !contents || !revision) return findings
  if (revision !== file.revisions.at(-1) || ranges.end !== file.source.length)
    return [finding('pdf.incremental-saving', { reason: 'bytes follow the signature', from: ranges.end })]
  const { cms, cleanPadding } = unpadded(contents.bytes)
  if (!cleanPadding || !isPlainlyWritten(file, contents)) return [finding('pdf.contents-padding')]
  const { certificate, chain = [], level = 'B-B', digest, now } = options
  return checkNewCms(cms, {
    certificate,
    chain,
    digest,
    policy: policyFor(level, { chain, now }),
    contentDigest: (name) => new RangeDigests(file.source, [ranges]).once(ranges, name),
  })
}

/** The last signature of the file; a new field is last in the form, so it is mostly the first one tried. */
function newestSignature(file: PdfFile): Coverage | undefined {
  let newest: Coverage | undefined
  for (const { terminal, type, value } of new FieldTrees(new WorkLimit()).of(file).toReversed()) {
    const dict = terminal && type === 'Sig' ? file.resolve(value) : null
    if (!isDict(dict)) continue
    const coverage = coverageOf(file, dict)
    if (coverage.revision === file.revisions.at(-1)) return coverage
    newest ??= coverage
  }
  return newest
}

/** Whether the digits are as the engine writes them: another case is a changed byte, although it means the same. */
const isPlainlyWritten = (file: PdfFile, { bytes, start, end }: PdfString): boolean =>
  start !== undefined &&
  end !== undefined &&
  file.source.read(start + 1, end - 1).toString('latin1') === asBuffer(bytes).toString('hex')
