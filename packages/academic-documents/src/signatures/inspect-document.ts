import { EngineError } from '@chancela/signature-engine'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { PolicyCatalogue } from '@chancela/signature-engine/policies'
import { isIntact, type SignatureReport } from '@chancela/signature-engine/report'
import { checkXades, validateXades } from '@chancela/signature-engine/xades'
import { ELEMENT, type XmlIndex } from '@chancela/signature-engine/xml'
import { type SignatureExpectations, signatureProblems } from './inspect-signatures.ts'
import { structureProblems } from './inspect-structure.ts'
import type { DocumentKind, Party, StepName } from './plans.ts'
import { type DocumentProblem, type ProblemCode, problem } from './problems.ts'
import { progressOf, type SigningProgress } from './progress.ts'
import { type AcademicDocument, nodeBytes, readDocument } from './read-document.ts'
import { SigningRefusal, type SigningRefusalCode } from './refusals.ts'
import { decisiveDate, versionOn } from './versions.ts'

/** The verdict on a document's layout, from whoever knows the layouts. */
export interface LayoutVerdict {
  readonly valid: boolean
  /** A sentence each. */
  readonly problems: readonly string[]
}

export interface InspectOptions extends SignatureExpectations {
  /** Whom to trust, and where revocation is asked for. */
  readonly judge: Judge
  readonly now: Date
  readonly policies?: PolicyCatalogue
  /** Default: the layout is not looked at. */
  readonly layoutVerdict?: LayoutVerdict
  readonly kind?: DocumentKind
  /** CNPJs the document has to name. */
  readonly institutions?: Readonly<Partial<Record<Party, string>>>
  /** The academic documentation that was sent for registration: the degree must carry its data byte by byte. */
  readonly sent?: Uint8Array
}

export interface InspectedSignature {
  readonly id: string
  readonly step: StepName | null
  /** CPF or CNPJ. */
  readonly signer: string | null
  readonly name: string | null
  readonly level: string
  readonly time: Date | null
  readonly report: SignatureReport
}

/** The report on a document: data, with a sentence for people at each problem. */
export interface DocumentReport {
  readonly verdict: 'accepted' | 'refused' | 'undetermined'
  readonly judgedAt: Date
  readonly kind: DocumentKind | null
  readonly version: string | null
  /** The date inside the document that decides its version. */
  readonly date: string | null
  readonly signatures: readonly InspectedSignature[]
  readonly problems: readonly DocumentProblem[]
}

/** Judges a document that came from outside. Never throws for any bytes. */
export async function inspectDocument(bytes: Uint8Array, options: InspectOptions): Promise<DocumentReport> {
  const document = readable(bytes)
  if ('code' in document) return reportOf([document], [], options)
  const progress = progressOf(document, options)
  const reports = await signatureReports(document, options)
  if ('code' in reports) return reportOf([reports], [], options, document)
  const problems = [
    ...contentProblems(document, options),
    ...structureProblems(document, progress),
    ...signatureProblems(document, progress, reports, options),
  ]
  return reportOf(withReformatting(document, problems), inspected(document, progress, reports), options, document)
}

/** The engine's refusals that have a code of their own here. */
const UNREADABLE: Readonly<Record<string, ProblemCode>> = {
  'xml.doctype': 'doctype',
  'xml.entity-undeclared': 'entity',
}

const REFUSED: Readonly<Partial<Record<SigningRefusalCode, ProblemCode>>> = {
  'too-many-signatures': 'too-many-signatures',
}

function readable(bytes: Uint8Array): AcademicDocument | DocumentProblem {
  try {
    const document = readDocument(bytes)
    return document.index.tables.transcoded ? problem('not-utf8') : document
  } catch (error) {
    if (error instanceof SigningRefusal) return problem(REFUSED[error.code] ?? 'kind-unknown', error.details)
    if (!(error instanceof EngineError)) throw error
    return problem(UNREADABLE[error.code] ?? 'not-xml', { reason: error.message })
  }
}

async function signatureReports(
  { bytes, signatures: found }: AcademicDocument,
  { judge, now, policies }: InspectOptions,
): Promise<readonly SignatureReport[] | DocumentProblem> {
  try {
    const { signatures } = await validateXades(bytes, { judge, now, ...(policies && { policies }) })
    return signatures
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    // The engine reads anything that was read before, unless it refers to too much.
    return problem('too-many-signatures', { count: String(found.length) })
  }
}

/** What does not depend on signatures: kind, layout, version, institutions, the data that was sent. */
function contentProblems(document: AcademicDocument, options: InspectOptions): DocumentProblem[] {
  const { kind, layoutVerdict, institutions = {}, sent } = options
  const problems: DocumentProblem[] = []
  if (kind !== undefined && kind !== document.kind)
    problems.push(problem('kind-unexpected', { kind: document.kind, expected: kind }))
  if (layoutVerdict !== undefined && !layoutVerdict.valid)
    problems.push(
      problem('layout-invalid', {
        count: String(layoutVerdict.problems.length),
        first: layoutVerdict.problems[0] ?? '',
      }),
    )
  for (const [party, expected] of Object.entries(institutions) as [Party, string][])
    if (document.cnpjs[party] !== expected)
      problems.push(problem('institution-unexpected', { found: document.cnpjs[party] ?? '?', expected }))
  if (sent !== undefined && !carries(document, sent)) problems.push(problem('degree-data-differs'))
  return [...problems, ...versionProblems(document), ...environmentProblems(document)]
}

/** A document is issued in production unless it says otherwise. */
function environmentProblems({ index, body }: AcademicDocument): DocumentProblem[] {
  const environment = index.attribute(body, 'ambiente') ?? PRODUCTION
  return environment === PRODUCTION ? [] : [problem('not-production', { environment })]
}

const PRODUCTION = 'Produção'

function versionProblems(document: AcademicDocument): DocumentProblem[] {
  const version = document.version ?? '?'
  const date = decisiveDate(document)
  if (versionOn(version, date ?? '') === 'unknown') return [problem('version-unknown', { version })]
  // A list of annulled degrees has no date of its own: nothing to compare with.
  if (date === undefined) return document.kind === 'cancellationList' ? [] : [problem('date-missing')]
  return versionOn(version, date) === 'in-force' ? [] : [problem('version-not-in-force', { version, date })]
}

function carries(document: AcademicDocument, sent: Uint8Array): boolean {
  const source = readable(sent)
  const expected = 'code' in source ? undefined : nodeBytes(source, 'degreeData')
  const found = nodeBytes(document, 'degreeData')
  return expected !== undefined && found !== undefined && Buffer.compare(expected, found) === 0
}

const BROKEN: ReadonlySet<ProblemCode> = new Set(['content-altered', 'signature-wrong'])

/**
 * A broken document that is whole again without the blanks between its tags was re-indented; whoever did it needs to hear
 * that, not that somebody tampered with it.
 */
function withReformatting(document: AcademicDocument, problems: readonly DocumentProblem[]): DocumentProblem[] {
  const isBroken = problems.some(({ code }) => BROKEN.has(code))
  const squeezed = isBroken ? withoutBlanks(document) : undefined
  const isWholeAgain = squeezed !== undefined && checkXades(squeezed).every(isIntact)
  if (!isWholeAgain) return [...problems]
  return [problem('document-reformatted'), ...problems.filter(({ code }) => !CONSEQUENCES.has(code))]
}

/** What follows from re-indenting alone: base64 and digests are unaffected, everything hashed is not. */
const CONSEQUENCES: ReadonlySet<ProblemCode> = new Set([...BROKEN, 'timestamp-invalid', 'level-insufficient'])

/** The document without white space between tags; undefined when there is none. */
function withoutBlanks({ bytes, index }: AcademicDocument): Buffer | undefined {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const [start, end] of blanksBetween(index)) {
    pieces.push(bytes.subarray(at, start))
    at = end
  }
  return at === 0 ? undefined : Buffer.concat([...pieces, bytes.subarray(at)])
}

/** The gaps between two tags that hold nothing but white space, in document order. */
function blanksBetween(index: XmlIndex): [start: number, end: number][] {
  const { bytes, elementCount } = index.tables
  const edges = new Set<number>()
  for (let element = 0; element < elementCount; element++) {
    edges.add(index.cell(element, ELEMENT.tagEnd))
    edges.add(index.cell(element, ELEMENT.end))
  }
  return [...edges]
    .toSorted((a, b) => a - b)
    .flatMap((start): [number, number][] => {
      let end = start
      while (end < bytes.length && isBlank(bytes[end]!)) end++
      return end > start && bytes[end] === TAG ? [[start, end]] : []
    })
}

const TAG = '<'.charCodeAt(0)

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

function inspected(
  { signatures }: AcademicDocument,
  { steps }: SigningProgress,
  reports: readonly SignatureReport[],
): InspectedSignature[] {
  return signatures.map(({ element }, at) => {
    const report = reports[at]!
    const placed = steps.find((step) => step.signatures.some(({ signature }) => signature.element === element))
    const signer = placed?.signatures.find(({ signature }) => signature.element === element)?.signer
    return {
      id: report.name,
      step: placed?.step.name ?? null,
      signer: signer ?? null,
      name: report.signer?.name ?? null,
      level: report.level,
      time: report.provenTime.by === 'timestamp' ? report.provenTime.time : report.claimedTime,
      report,
    }
  })
}

function reportOf(
  problems: readonly DocumentProblem[],
  signatures: readonly InspectedSignature[],
  { now }: InspectOptions,
  document?: AcademicDocument,
): DocumentReport {
  const has = (severity: DocumentProblem['severity']) => problems.some((one) => one.severity === severity)
  return {
    verdict: has('error') ? 'refused' : has('undetermined') ? 'undetermined' : 'accepted',
    judgedAt: now,
    kind: document?.kind ?? null,
    version: document?.version ?? null,
    date: (document && decisiveDate(document)) ?? null,
    signatures,
    problems,
  }
}
