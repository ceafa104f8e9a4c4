import { isAbsolute } from 'node:path'
import { faultsOf } from '@chancela/service-kernel/config'
import { MAX_PATH_LENGTH } from '../rules/job.ts'
import { refuse } from '../rules/refuse.ts'
import { type Trouble, troubleIn, troubleOf } from '../rules/trouble.ts'
import { settingName, wireName } from '../rules/watched-folder.ts'
import { InputFolder, type InputFolderEntry } from '../settings.ts'

/** Problems by field, as a form shows them. */
type Fields = Record<string, string[]>

/** The language in which whoever fills in a form is told. */
export type FormLocale = Parameters<typeof troubleIn>[0]

/** The entry of a form; refuses `folder.invalid` with every field that an entry of Storage:Inputs could not have. */
export function entryOf(
  name: string,
  options: Readonly<Record<string, unknown>>,
  locale: FormLocale,
): InputFolderEntry {
  const given = Object.entries(options).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const entry = { Name: name, ...Object.fromEntries(given.map(([field, value]) => [settingName(field), value])) }
  const fields: Fields = {}
  const add = (field: string, sentence: string) => {
    fields[field] = [...(fields[field] ?? []), sentence]
  }
  for (const [field] of given) if (!isOption(field)) add(field, 'is not known.')
  for (const { path, sentence } of faultsOf(InputFolder, entry)) add(wireName(path[0] ?? 'path'), `${sentence}.`)
  const { Path } = entry as { Path?: unknown }
  if (typeof Path === 'string') for (const problem of pathProblems(Path)) add('path', troubleIn(locale, problem))
  if (Object.keys(fields).length > 0) throw refuse('folder.invalid', { fields })
  return entry as InputFolderEntry
}

/** A relative path of the settings file begins at the data folder, which whoever fills in a form does not know. */
function pathProblems(path: string): readonly Trouble[] {
  if (!isAbsolute(path)) return [troubleOf('path-relative')]
  return path.length > MAX_PATH_LENGTH ? [troubleOf('path-too-long', { limit: MAX_PATH_LENGTH })] : []
}

const isOption = (field: string): boolean =>
  field === wireName(field) && field !== 'name' && Object.hasOwn(InputFolder.properties, settingName(field))

type Kind = 'text' | 'number' | 'list' | 'flag'

const kinds: Readonly<Record<string, Kind>> = { integer: 'number', number: 'number', array: 'list', boolean: 'flag' }

/** The options of an entry, for a form: those that this build knows. */
export const folderFields = Object.entries(InputFolder.properties)
  .filter(([name]) => name !== 'Name')
  .map(([name, schema]) => ({
    name: wireName(name),
    kind: kinds[(schema as { type?: string }).type ?? ''] ?? ('text' as const),
    required: (InputFolder.required as readonly string[]).includes(name),
  }))
