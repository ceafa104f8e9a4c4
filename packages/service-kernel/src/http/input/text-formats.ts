// Formats of texts that people wrote, as schemas name them: what is refused by the field's name, and what is cleaned.
import { isOneLine, plainLines, withoutUnseen } from '@chancela/signature-engine/text'
import type { TSchema } from 'typebox'
import { Format } from 'typebox/format'
import { branchesOf, keywordsOf, propertiesOf } from './json-schema.ts'

/** A name: one line that is read as it is written. Anything else is refused, because nobody would find it by its name. */
export const ONE_LINE = 'one-line'

/**
 * Names of files come from their owners' disks, numbers of telephones and texts are pasted from anywhere: they are
 * cleaned, so that no client fails on what it does not see.
 */
const cleaned: Readonly<Record<string, (text: string) => string>> = {
  'cleaned-line': (text) => withoutUnseen(text),
  'cleaned-lines': plainLines,
}

/** Makes the formats known to the validator, which keeps them for the whole process. */
export const knowTextFormats = (): void => Format.Set(ONE_LINE, isOneLine)

type Cleaning = (value: unknown) => void

/** Cleans the texts of a value that the schema says are to be cleaned; undefined when it names none. */
export function cleanTexts(schema: TSchema): Cleaning | undefined {
  const fields = propertiesOf(schema).flatMap(([name, property]) => {
    const clean = cleanerOf(property)
    const within = cleanTexts(property)
    return clean || within ? [{ name, clean, within }] : []
  })
  const items = branchesOf(schema).flatMap((branch) => keywordsOf(branch).items ?? [])
  const cleanItem = items[0] && cleanTexts(items[0])
  if (fields.length === 0 && !cleanItem) return undefined
  return (value) => {
    if (Array.isArray(value)) for (const item of value) cleanItem?.(item)
    else if (isRecord(value))
      for (const { name, clean, within } of fields) {
        const given = value[name]
        if (clean && typeof given === 'string') value[name] = clean(given)
        else within?.(given)
      }
  }
}

const cleanerOf = (schema: TSchema): ((text: string) => string) | undefined =>
  branchesOf(schema)
    .map((branch) => cleaned[keywordsOf(branch).format ?? ''])
    .find((clean) => clean !== undefined)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
