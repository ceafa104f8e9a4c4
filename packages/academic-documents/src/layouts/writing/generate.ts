import type { LayoutProblem } from '../judging/problems.ts'
import { type DocumentInput, type DocumentKind, MEC_NAMESPACES, type NamespaceForm, written } from '../kinds.ts'
import { type Choice, choice, type Element } from '../language/content.ts'
import { DocumentWriter } from './document-writer.ts'

export interface GenerateOptions {
  /** How the namespace of the ministry begins. Default `http`, as in the original schemas and in issued degrees. */
  readonly namespace?: NamespaceForm
  /** Puts signatures that sign nothing where the layout wants some, so that a schema processor can judge the rest. */
  readonly placeholderSignatures?: boolean
  /** Problems told at most. Default 100. */
  readonly mostProblems?: number
}

export type Generated =
  | { readonly valid: true; readonly bytes: Buffer }
  | { readonly valid: false; readonly problems: readonly LayoutProblem[] }

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
const MOST_PROBLEMS = 100

/** One of the root elements of each kind. */
const roots = Object.fromEntries(
  Object.entries(written).map(([kind, elements]) => [kind, choice(...(elements as readonly Element[]))]),
) as unknown as Readonly<Record<DocumentKind, Choice<readonly Element[]>>>

/** Writes a document: the same input gives the same bytes. Input that the layout refuses is told field by field. */
export function generate<Kind extends DocumentKind>(
  kind: Kind,
  input: DocumentInput<Kind>,
  options: GenerateOptions = {},
): Generated {
  return generateUnchecked(kind, input, options)
}

/** The same for input of unknown shape, as it comes over the network. */
export function generateUnchecked(kind: DocumentKind, input: unknown, options: GenerateOptions = {}): Generated {
  const form = options.namespace ?? 'http'
  const writer = new DocumentWriter({
    namespace: MEC_NAMESPACES[form],
    https: form === 'https',
    placeholders: options.placeholderSignatures ?? false,
    mostProblems: options.mostProblems ?? MOST_PROBLEMS,
  })
  const body = writer.document(roots[kind], input)
  if (writer.problems.length > 0) return { valid: false, problems: writer.problems }
  return { valid: true, bytes: Buffer.from(DECLARATION + body, 'utf8') }
}
