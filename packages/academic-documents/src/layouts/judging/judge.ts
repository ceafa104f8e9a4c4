import { EngineError } from '@chancela/signature-engine'
import { ROOT, scanXml, type XmlIndex } from '@chancela/signature-engine/xml'
import {
  type DocumentKind,
  documentKinds,
  type LayoutVersion,
  layouts,
  MEC_NAMESPACES,
  type NamespaceForm,
  WRITTEN_VERSION,
} from '../kinds.ts'
import type { Element } from '../language/content.ts'
import { labelOf } from '../language/labels.ts'
import { DocumentJudge } from './document-judge.ts'
import { lineAt } from './lines.ts'
import { type LayoutProblem, type LayoutProblemCode, problemAt } from './problems.ts'

export interface JudgeOptions {
  /** Before signing: signatures may be absent. Those that are there are judged all the same. */
  readonly beforeSigning?: boolean
  /** Problems told at most. Default 100. */
  readonly mostProblems?: number
  /** Bytes of a document at most. Default 64 MiB. */
  readonly mostBytes?: number
}

export interface LayoutVerdict {
  readonly valid: boolean
  readonly kind?: DocumentKind
  /** The root element, which tells the three transcripts apart. */
  readonly root?: string
  readonly version?: LayoutVersion
  readonly namespace?: NamespaceForm
  readonly problems: readonly LayoutProblem[]
}

const MOST_PROBLEMS = 100
const MOST_BYTES = 64 * 1024 * 1024
/** No layout comes near it; what signatures hold does not either. */
const MOST_DEPTH = 128

/** Judges a document by the layout it claims to have. Bad documents are an answer, never an exception. */
export function judge(bytes: Uint8Array, options: JudgeOptions = {}): LayoutVerdict {
  const scanned = scan(bytes, options.mostBytes ?? MOST_BYTES)
  if ('problem' in scanned) return { valid: false, problems: [scanned.problem] }
  const { index } = scanned
  try {
    return judgeIndex(index, options)
  } finally {
    index.release()
  }
}

function judgeIndex(index: XmlIndex, options: JudgeOptions): LayoutVerdict {
  const root = index.localName(ROOT)
  const form = namespaceForm(index)
  if (form === undefined) return unknown('namespace-unknown', root, index.namespaceName(ROOT))
  const found = layoutOf(index, root)
  if (found === undefined) return unknown('root-unknown', root, root)
  const judge = new DocumentJudge(index, {
    namespace: MEC_NAMESPACES[form],
    https: form === 'https',
    roots: found.roots,
    withoutSignatures: options.beforeSigning ?? false,
    mostProblems: options.mostProblems ?? MOST_PROBLEMS,
  })
  const problems = judge.problemsOf(ROOT, found.root)
  return { valid: problems.length === 0, kind: found.kind, root, version: found.version, namespace: form, problems }
}

function namespaceForm(index: XmlIndex): NamespaceForm | undefined {
  const name = index.namespaceName(ROOT)
  return (Object.keys(MEC_NAMESPACES) as NamespaceForm[]).find((form) => MEC_NAMESPACES[form] === name)
}

function unknown(code: LayoutProblemCode, root: string, name: string): LayoutVerdict {
  const where = { path: `/${root}`, place: labelOf(root), line: 1, column: 1 }
  return { valid: false, root, problems: [problemAt(code, where, { name })] }
}

interface FoundLayout {
  readonly kind: DocumentKind
  readonly version: LayoutVersion
  readonly root: Element
  readonly roots: readonly Element[]
}

/** By root element and version; a document without a known version is judged by the newest. */
export function layoutOf(index: XmlIndex, root: string): FoundLayout | undefined {
  const claimed = claimedVersion(index)
  const version =
    claimed !== undefined && Object.hasOwn(layouts, claimed) ? (claimed as LayoutVersion) : WRITTEN_VERSION
  for (const kind of documentKinds) {
    const roots = layouts[version][kind] ?? []
    const element = roots.find(({ name }) => name === root)
    if (element !== undefined) return { kind, version, root: element, roots }
  }
  return undefined
}

/** The first child of the root that has data says which layout it follows. */
function claimedVersion(index: XmlIndex): string | undefined {
  const [data] = index.children(ROOT)
  return data === undefined ? undefined : index.attribute(data, 'versao')
}

const tooLarge = new Set(['xml.too-large', 'xml.too-deep', 'xml.too-many-nodes', 'xml.too-many-attributes'])

function scan(bytes: Uint8Array, mostBytes: number): { index: XmlIndex } | { problem: LayoutProblem } {
  try {
    return { index: scanXml(bytes, { bytes: mostBytes, depth: MOST_DEPTH }) }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { problem: problemAt(codeOf(error), placeOf(bytes, error), { reason: error.message }) }
  }
}

function codeOf({ code }: EngineError): LayoutProblemCode {
  if (code === 'xml.doctype') return 'xml-doctype'
  return tooLarge.has(code) ? 'xml-too-large' : 'xml-unreadable'
}

function placeOf(bytes: Uint8Array, { details }: EngineError) {
  const offset = typeof details?.offset === 'number' ? details.offset : 0
  return { path: '/', place: 'XML', ...lineAt(bytes, offset) }
}
