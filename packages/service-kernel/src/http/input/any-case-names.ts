import type { TSchema } from 'typebox'
import { branchesOf, keywordsOf, propertiesOf } from './json-schema.ts'

type Renaming = (value: unknown) => void

/** Renames properties to the schema's names, ignoring case. An exact name wins. */
export function anyCaseNames(schema: TSchema): Renaming | undefined {
  const fields = new Map(
    propertiesOf(schema).map(([name, property]) => [name.toLowerCase(), { name, inner: anyCaseNames(property) }]),
  )
  const items = branchesOf(schema).flatMap((branch) => keywordsOf(branch).items ?? [])
  const renameItem = items[0] && anyCaseNames(items[0])
  if (fields.size === 0 && !renameItem) return undefined

  return (value) => {
    if (Array.isArray(value)) for (const item of value) renameItem?.(item)
    else if (typeof value === 'object' && value !== null) renameFields(value as Record<string, unknown>, fields)
  }
}

type Fields = ReadonlyMap<string, { readonly name: string; readonly inner: Renaming | undefined }>

function renameFields(value: Record<string, unknown>, fields: Fields): void {
  for (const written of Object.keys(value)) {
    const field = fields.get(written.toLowerCase())
    if (!field) continue
    if (written !== field.name) {
      if (!Object.hasOwn(value, field.name)) value[field.name] = value[written]
      delete value[written]
    }
    field.inner?.(value[field.name])
  }
}
