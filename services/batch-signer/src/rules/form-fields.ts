import { refuse } from './refuse.ts'

/**
 * Refuses fields of a form that nobody here reads: with `encryptionEnable`, or with `profile` beside the file, a file
 * would be signed otherwise than it was asked for.
 */
export function requireKnownFields(fields: ReadonlyMap<string, string>, known: readonly string[]): void {
  const unknown = [...fields.keys()].filter((name) => !known.includes(name))
  if (unknown.length > 0) throw wrongFields('is not known here', unknown)
}

/** A field is named under `errors`, which production shows, too. */
export const wrongFields = (text: string, names: readonly string[]) =>
  refuse('request.invalid', { fields: Object.fromEntries(names.map((name) => [name, [text]])) })
