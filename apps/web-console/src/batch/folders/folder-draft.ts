import type { FolderDraft } from '../api/folders.ts'
import type { Folder, FolderField } from '../api/types.ts'

/** What is typed into a form of a folder: every option as text. */
export interface TypedFolder {
  readonly name: string
  readonly profile: string
  readonly create: boolean
  readonly options: Readonly<Record<string, string>>
}

/** The form of a folder, or of a new one. */
export const typedOf = (folder: Folder | undefined): TypedFolder => ({
  name: folder?.name ?? '',
  profile: folder?.profileName ?? '',
  create: false,
  options: Object.fromEntries(
    Object.entries(folder?.options ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(' ') : String(value),
    ]),
  ),
})

const read: Readonly<Record<FolderField['kind'], (text: string) => unknown>> = {
  text: (text) => text.trim(),
  // What is no number is sent as it was typed, so that the service refuses it at its field.
  number: (text) => (Number.isNaN(Number(text)) ? text : Number(text)),
  list: (text) => text.split(/[\s,;]+/).filter((word) => word !== ''),
  flag: (text) => text === 'true',
}

/** What the service is sent; an empty field is left out, so that the service's own default holds. */
export const draftOf = (typed: TypedFolder, fields: readonly FolderField[]): FolderDraft => ({
  name: typed.name.trim(),
  profile: typed.profile || null,
  create: typed.create,
  options: Object.fromEntries(
    fields
      .map(({ name, kind }) => [name, kind, typed.options[name]?.trim() ?? ''] as const)
      .filter(([, , text]) => text !== '')
      .map(([name, kind, text]) => [name, read[kind](text)]),
  ),
})
