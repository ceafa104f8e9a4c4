import { requireArguments } from '../errors/arguments.ts'
import { worstOf } from '../judgement/verdict.ts'
import { documentIndication, findingsIndication } from '../report/indications.ts'
import { type Finding, finding, type SignatureReport, type ValidationReport } from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { underPolicy } from '../validation-policy/apply-policy.ts'
import { type AsicContainer, fileNamed, readContainer } from './container.ts'
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
  const judged = await judgedFiles(container, options)
  const signatures = judged.flatMap(({ signatures }) => signatures)
  const reports = signatures.map((signature) => withCoverage(container, signature))
  const findings = [...judged.flatMap((file) => file.findings), ...containerFindings(container, signatures)]
  const report: ValidationReport = {
    format: container.form,
    indication: indicationOf(container, reports, findings),
    judgedAt: options.now,
    signatures: reports,
    findings,
  }
  return underPolicy(report, options.policy)
}

async function judgedFiles(container: AsicContainer, options: ValidateAsicOptions): Promise<JudgedFile[]> {
  const { cades, xades, timestamp } = container.meta
  const judged: JudgedFile[] = []
  for (const file of cades) judged.push(await judgeCms(container, file, options))
  for (const file of xades) judged.push(await judgeXml(container, file, options))
  for (const file of timestamp) judged.push(await judgeToken(container, file, options))
  return judged
}

function withCoverage({ dataFiles }: AsicContainer, { report, files }: JudgedSignature): SignatureReport {
  const wholeDocument = dataFiles.every(({ name }) => files.includes(name))
  return { ...report, coverage: { wholeDocument, description: files.join(', ') } }
}

function containerFindings(container: AsicContainer, signatures: readonly JudgedSignature[]): Finding[] {
  const { form, dataFiles, otherFiles, findings } = container
  const covered = new Set(signatures.flatMap(({ files }) => files))
  const uncovered = [...dataFiles, ...otherFiles].filter(({ name }) => !covered.has(name))
  return [
    ...findings,
    ...(signatures.length === 0 ? [finding('no-signature')] : []),
    ...(form === 'ASiC-S' && dataFiles.length !== 1 ? [finding('asic.data-files', { count: dataFiles.length })] : []),
    ...lostSignatures(container),
    ...uncovered.map(({ name }) => finding('asic.file-uncovered', { file: name })),
  ]
}

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
