import { validateCades } from '../cades/validate-cades.ts'
import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { PolicyCatalogue } from '../policies/policy-catalogue.ts'
import { contentCheck, worstCheck } from '../report/check.ts'
import { statusWith } from '../report/indications.ts'
import { type Finding, finding, type SignatureReport, type ValidationReport } from '../report/report.ts'
import { reasonOf } from '../report/tried.ts'
import { validateTimestamp } from '../timestamps/validate-timestamp.ts'
import type { PolicyOption } from '../validation-policy/apply-policy.ts'
import { validateXades } from '../xades/validate-xades.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { type AsicContainer, fileNamed } from './container.ts'
import type { ManifestReference } from './manifest.ts'
import { manifestOf, readableManifest, signedContent } from './manifests-of-container.ts'
import { filesOfSignatures, referencedFiles } from './signatures-file.ts'

export interface ValidateAsicOptions extends PolicyOption {
  readonly judge: Judge
  readonly now: Date
  /** Lists of policies beyond the engine's own table. */
  readonly policies?: PolicyCatalogue
}

/** One signature of a container, with the names of the files it is over. */
export interface JudgedSignature {
  readonly report: SignatureReport
  readonly files: readonly string[]
}

/** What one file of META-INF holds. */
export interface JudgedFile {
  readonly signatures: readonly JudgedSignature[]
  /** What concerns the file and not one of its signatures. */
  readonly findings: readonly Finding[]
}

type Validate = (content: Buffer | undefined) => Promise<ValidationReport>

/** That a file of META-INF is older than now. */
interface Proven {
  /** The time of a valid archive timestamp over it. */
  readonly provenAt: Date | undefined
}

/** The signatures of a CMS: over the file of an ASiC-S, over the manifest of an ASiC-E. */
export const judgeCms = (
  container: AsicContainer,
  file: ZipEntry,
  { provenAt, ...options }: ValidateAsicOptions & Proven,
): Promise<JudgedFile> =>
  overContent(container, file, (content) =>
    validateCades(file.content, {
      ...options,
      ...(provenAt && { latestProof: provenAt }),
      ...(content && { content }),
    }),
  )

/** A timestamp on its own, over the same. */
export const judgeToken = (
  container: AsicContainer,
  file: ZipEntry,
  { judge, now, provenAt }: ValidateAsicOptions & Proven,
): Promise<JudgedFile> =>
  overContent(container, file, (content) =>
    validateTimestamp(file.content, { judge, now, ...(provenAt && { provenAt }), ...(content && { content }) }),
  )

/** The signatures of an XAdESSignatures file, each over the files that it names. */
export const judgeXml = (container: AsicContainer, file: ZipEntry, options: ValidateAsicOptions): Promise<JudgedFile> =>
  readable(file, async () => {
    const index = scanXml(file.content)
    const files = filesOfSignatures(container, index)
    const report = await validateXades(file.content, { ...options, contents: referencedFiles(container, index) })
    const signatures = report.signatures.map((signature, at) => ({
      // That a signature is a part of its file says nothing: what it covers of the container does.
      report: {
        ...signature,
        name: `${file.name}#${signature.name}`,
        findings: signature.findings.filter(isOfContainer),
      },
      files: files[at] ?? [],
    }))
    return { signatures, findings: report.findings }
  })

const isOfContainer = ({ code }: Finding): boolean => code !== 'xml.partial-coverage'

function overContent(container: AsicContainer, file: ZipEntry, validate: Validate): Promise<JudgedFile> {
  return readable(file, async () => {
    const report = await validate(signedContent(container, file))
    const manifest = manifestOf(container, file)
    const { findings, files } = manifest ? manifestCoverage(container, manifest) : simpleCoverage(container)
    const signatures = report.signatures.map((signature, at) => ({
      report: { ...withFindings(signature, findings), name: nameOf(file, at, report.signatures.length) },
      files,
    }))
    return { signatures, findings: report.findings }
  })
}

const nameOf = ({ name }: ZipEntry, at: number, count: number): string => (count === 1 ? name : `${name}#${at + 1}`)

/** A file that cannot be read is not a signature that is missing: it is told by name. */
async function readable(file: ZipEntry, judge: () => Promise<JudgedFile>): Promise<JudgedFile> {
  try {
    return await judge()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return {
      signatures: [],
      findings: [finding('structure-malformed', { reason: `${file.name}: ${reasonOf(error)}` })],
    }
  }
}

interface Coverage {
  readonly files: readonly string[]
  readonly findings: readonly Finding[]
}

const simpleCoverage = ({ form, dataFiles }: AsicContainer): Coverage => ({
  files: form === 'ASiC-S' && dataFiles.length === 1 ? [dataFiles[0]!.name] : [],
  findings: [],
})

/** Annex A.4: the files of a manifest are covered by its signature if each has the digest that it names. */
function manifestCoverage(container: AsicContainer, manifest: ZipEntry): Coverage {
  const references = readableManifest(manifest)?.references ?? []
  return {
    files: references.flatMap(({ uri }) => fileNamed(container, uri)?.name ?? []),
    findings: references.flatMap((reference) => referenceFindings(container, reference)),
  }
}

function referenceFindings(
  container: AsicContainer,
  { uri, digest: name, algorithm, value }: ManifestReference,
): Finding[] {
  const file = fileNamed(container, uri)
  if (!file) return [finding('content-missing', { uri })]
  if (!name) return [finding('algorithm-unknown', { algorithm })]
  const weak = digestAlgorithms[name].sound ? [] : [finding('algorithm-weak', { algorithm: name })]
  return digestOf(file, name).equals(value) ? weak : [...weak, finding('content-changed', { uri })]
}

/** Hashed once, however many manifests and references name the file. */
function digestOf(file: ZipEntry, name: DigestName): Buffer {
  const known = digests.get(file) ?? new Map<DigestName, Buffer>()
  digests.set(file, known)
  if (!known.has(name)) known.set(name, digest(name, file.content))
  return known.get(name)!
}

const digests = new WeakMap<ZipEntry, Map<DigestName, Buffer>>()

function withFindings(report: SignatureReport, findings: readonly Finding[]): SignatureReport {
  const { integrity } = report
  return {
    ...report,
    ...statusWith(report, findings),
    integrity: { ...integrity, content: worstCheck([integrity.content, contentCheck(findings)]) },
    findings: [...report.findings, ...findings],
  }
}
