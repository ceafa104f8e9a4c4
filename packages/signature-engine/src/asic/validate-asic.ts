import { requireArguments } from '../errors/arguments.ts'
import { worstOf } from '../judgement/verdict.ts'
import { documentIndication, findingsIndication } from '../report/indications.ts'
import { type Finding, finding, type SignatureReport, type ValidationReport } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { underPolicy } from '../validation-policy/apply-policy.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { type AsicContainer, fileNamed, readContainer } from './container.ts'
import { Archives } from './judge-archives.ts'
import {
  type JudgedFile,
  type JudgedSignature,
  judgeCms,
  judgeToken,
  judgeXml,
  type ValidateAsicOptions,
} from './judge-files.ts'
import { readManifest } from './manifest.ts'

/**
 * Validates every signature and timestamp of a container, and says of every file whether one of them is over it. An
 * archive that is no container, or that can be read in two ways, is refused.
 */
export async function validateAsic(bytes: Uint8Array, options: ValidateAsicOptions): Promise<ValidationReport> {
  requireArguments('validateAsic', { bytes: [bytes, 'bytes'] }, options, ['judge', 'now'])
  const container = readContainer(bytes)
  const { own, archives } = await judgedFiles(container, options)
  const judged = [...own, ...archives]
  const reports = signaturesOf(judged).map((signature) => withCoverage(container, signature))
  const findings = [...judged.flatMap((file) => file.findings), ...containerFindings(container, own, archives)]
  const report: ValidationReport = {
    format: container.form,
    indication: indicationOf(container, reports, findings),
    judgedAt: options.now,
    signatures: reports,
    findings,
  }
  return underPolicy(report, options.policy)
}

interface Judged {
  /** Signatures, and timestamps that stand for one. */
  readonly own: readonly JudgedFile[]
  readonly archives: readonly JudgedFile[]
}

async function judgedFiles(container: AsicContainer, options: ValidateAsicOptions): Promise<Judged> {
  const { cades, xades, timestamp } = container.meta
  const archives = await new Archives(container).judge(options)
  const proven = (file: ZipEntry) => ({ ...options, provenAt: archives.proofOf(file) })
  const own: JudgedFile[] = []
  for (const file of cades) own.push(archives.withLevel(file, await judgeCms(container, file, proven(file))))
  for (const file of xades) own.push(await judgeXml(container, file, options))
  for (const file of timestamp) if (!archives.has(file)) own.push(await judgeToken(container, file, proven(file)))
  return { own, archives: timestamp.flatMap((file) => archives.judged(file) ?? []) }
}

const signaturesOf = (files: readonly JudgedFile[]): JudgedSignature[] => files.flatMap(({ signatures }) => signatures)

function withCoverage({ dataFiles }: AsicContainer, { report, files }: JudgedSignature): SignatureReport {
  const covered = new Set(files)
  const wholeDocument = dataFiles.every(({ name }) => covered.has(name))
  return { ...report, coverage: { wholeDocument, description: files.join(', ') } }
}

function containerFindings(
  container: AsicContainer,
  own: readonly JudgedFile[],
  archives: readonly JudgedFile[],
): Finding[] {
  const { form, dataFiles, otherFiles, findings } = container
  const signed = namesUnder(own)
  const archived = namesUnder(archives)
  const uncovered = [
    // An archive timestamp proves when a file was there, and nothing of who signed it.
    ...dataFiles.filter(({ name }) => !signed.has(name)),
    ...otherFiles.filter(({ name }) => !signed.has(name) && !archived.has(name)),
  ]
  return [
    ...findings,
    ...(signaturesOf([...own, ...archives]).length === 0 ? [finding('no-signature')] : []),
    ...(form === 'ASiC-S' && dataFiles.length !== 1 ? [finding('asic.data-files', { count: dataFiles.length })] : []),
    ...lostSignatures(container),
    ...uncovered.map(({ name }) => finding('asic.file-uncovered', { file: name })),
  ]
}

const namesUnder = (files: readonly JudgedFile[]): ReadonlySet<string> =>
  new Set(signaturesOf(files).flatMap((signature) => signature.files))

/** Manifests that cannot be read, and those whose signature is not there. */
function lostSignatures(container: AsicContainer): Finding[] {
  const findings: Finding[] = []
  for (const manifest of [...container.meta.manifest, ...container.meta.archiveManifest]) {
    const named = tried(findings, () => readManifest(manifest).signature)
    if (named !== undefined && !fileNamed(container, named))
      findings.push(finding('asic.signature-lost', { manifest: manifest.name, uri: named }))
  }
  return findings
}

/** A container with a file that nobody signed is never valid as a whole, even if its signatures are. */
function indicationOf(
  { dataFiles }: AsicContainer,
  reports: readonly SignatureReport[],
  findings: readonly Finding[],
): ValidationReport['indication'] {
  const covered = (name: string) =>
    !findings.some(({ code, details }) => code === 'asic.file-uncovered' && details?.file === name)
  const ofFiles = dataFiles.every(({ name }) => covered(name)) ? 'valid' : 'indeterminate'
  const ofContainer = findingsIndication(findings.filter(({ code }) => code !== 'no-signature'))
  return worstOf([documentIndication(reports), ofFiles, ofContainer])
}
