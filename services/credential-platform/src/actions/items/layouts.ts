// Data under the names of the layouts become XML, or are refused with every problem at its path.
import {
  type ConsistencyContext,
  checkConsistency,
  type DocumentInput,
  type DocumentKind,
  generateUnchecked,
} from '@chancela/academic-documents/layouts'
import type { FieldErrors } from '@chancela/service-kernel/errors'
import { wrongData } from '../../rules/refuse.ts'

interface Problem {
  readonly path: string
  readonly pt: string
  readonly en: string
}

export interface Writing {
  /** Path of what the caller gave inside the document. */
  readonly root: string
  /** The name that it has in the request; default `data`, empty where it is the request. */
  readonly field?: string
  readonly context?: ConsistencyContext
}

/** The XML of a document, valid but for its signatures. */
export function written<Kind extends DocumentKind>(
  kind: Kind,
  input: unknown,
  { root, field = 'data', context = {} }: Writing,
): { readonly bytes: Buffer; readonly input: DocumentInput<Kind> } {
  const made = generateUnchecked(kind, input)
  if (!made.valid) throw wrongData(fieldsOf(made.problems, root, field))
  // What the writer accepts has the shape that the compiler computed from the same table.
  const sound = input as DocumentInput<Kind>
  const problems = checkConsistency(kind, sound, context)
  if (problems.length > 0) throw wrongData(fieldsOf(problems, root, field))
  return { bytes: made.bytes, input: sound }
}

/** Problems under the names that the caller knows. */
export function fieldsOf(problems: readonly Problem[], root: string, as: string): FieldErrors {
  const fields: Record<string, string[]> = {}
  for (const { path, pt, en } of problems) {
    const field = requestPath(path, root, as)
    fields[field] = [...(fields[field] ?? []), `${en} (${pt})`]
  }
  return fields
}

/** The path that the caller knows. */
const requestPath = (path: string, root: string, as: string): string => {
  if (path === root) return as
  if (!path.startsWith(`${root}.`)) return path
  return as === '' ? path.slice(root.length + 1) : as + path.slice(root.length)
}

/** Fields of the layout that the platform fills in are not given by callers. */
export function requireNotGiven(data: object, filledIn: readonly string[], at = 'data'): void {
  const given = filledIn.filter((name) => Object.hasOwn(data, name))
  if (given.length > 0)
    throw wrongData(Object.fromEntries(given.map((name) => [`${at}.${name}`, ['is filled in by the platform']])))
}
