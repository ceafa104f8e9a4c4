import { invalidField } from '@chancela/service-kernel/errors'

/** What is kept about a document besides its files: names with any number of values. */
export type Metadata = Readonly<Record<string, readonly string[]>>

const NAME = /^[\p{L}\p{M}\p{Nd}_ -]{1,50}$/u
const LONGEST_VALUE = 500
const MOST_NAMES = 50
const MOST_VALUES = 50

/** Names match in any case (pki-core facts 4.2). */
export const metadataKey = (name: string): string => name.toLowerCase()

/** Metadata of a request; `field` names them in refusals. A name without values is left out. */
export function readMetadata(given: Readonly<Record<string, readonly string[] | null>>, field: string): Metadata {
  const entries = Object.entries(given).filter((entry): entry is [string, readonly string[]] => entry[1] !== null)
  if (entries.length > MOST_NAMES) throw invalidField(field, `has more than ${MOST_NAMES} names`)
  const seen = new Set<string>()
  for (const [name, values] of entries) {
    if (!NAME.test(name)) throw invalidField(`${field}.${name}`, NAME_RULE)
    if (seen.has(metadataKey(name))) throw invalidField(`${field}.${name}`, 'is given twice')
    if (values.length > MOST_VALUES) throw invalidField(`${field}.${name}`, `has more than ${MOST_VALUES} values`)
    if (values.some((value) => value.length > LONGEST_VALUE))
      throw invalidField(`${field}.${name}`, `has a value of more than ${LONGEST_VALUE} characters`)
    seen.add(metadataKey(name))
  }
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0))
}

const NAME_RULE = 'must have 1 to 50 letters, digits, hyphens, underscores and spaces'

/** Both; where a name is in both, the values of `own` count. */
export function mergedMetadata(base: Metadata, own: Metadata): Metadata {
  const names = new Set(Object.keys(own).map(metadataKey))
  return { ...Object.fromEntries(Object.entries(base).filter(([name]) => !names.has(metadataKey(name)))), ...own }
}
