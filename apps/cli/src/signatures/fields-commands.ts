import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  addSignatureFields,
  listSignatureFields,
  type NewSignatureField,
  readSignatureFields,
  type SignatureFieldSummary,
} from '@chancela/signature-engine/pades'
import type { CommandContext } from '../command-context.ts'
import { textTable } from '../text-table.ts'
import { eachFile } from './each-file.ts'
import { inputFiles, readInput, writeOutput } from './files.ts'
import { fromJsonFile } from './json-files.ts'
import { fieldsName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { type PlaceOptions, pageOf, rectangleOf } from './place-options.ts'
import { logProduced } from './produced-files.ts'

export interface AddFieldsOptions extends PlaceOptions {
  readonly out?: string
  readonly force?: boolean
  readonly json?: boolean
  /** A JSON file. */
  readonly fields?: string
  readonly name?: string
}

/** `chancela fields add IN… --name NAME | --fields FILE`: empty signature fields, for others to sign. */
export async function addFieldsCommand(
  context: CommandContext,
  paths: readonly string[],
  options: AddFieldsOptions,
): Promise<void> {
  const fields = await fieldsOf(options)
  const inputs = await inputFiles(paths)
  const outputOf = await outputFor(paths, options.out, fieldsName)
  const outcomes = await eachFile(context, inputs, async (input) => {
    const output = outputOf(input)
    await writeOutput(output, addSignatureFields(await readInput(input.path), fields), options)
    return { output }
  })
  logProduced(context, outcomes, { json: options.json, done: 'prepared' })
}

async function fieldsOf({ fields, name, place, page }: AddFieldsOptions): Promise<readonly NewSignatureField[]> {
  if ((fields === undefined) === (name === undefined))
    throw new StartupProblem('Say which fields to make: --name for one, or --fields for those in a JSON file.')
  if (fields !== undefined) return fromJsonFile(fields, readSignatureFields)
  if (place === undefined) return [{ name: name! }]
  const on = page === undefined ? 1 : pageOf(page)
  if (on === 'all')
    throw new StartupProblem('A signature field stands on one page: --page takes a number from 1, or last.')
  return [{ name: name!, place: { ...rectangleOf(place), page: on } }]
}

/** `chancela fields list FILE`: the signature fields of a PDF, empty and signed. */
export async function listFieldsCommand(
  { print }: CommandContext,
  path: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const fields = listSignatureFields(await readInput(path))
  if (json) print(JSON.stringify(fields, inBase64, 2))
  else if (fields.length === 0) print('There are no signature fields.')
  else print(textTable(['FIELD', 'PAGE', 'PLACE', 'SIGNED', 'LOCKS', 'ASKS FOR'], fields.map(rowOf)))
}

function rowOf({ name, page, place, isSigned, lock, seedValue, unsupported }: SignatureFieldSummary): string[] {
  const locks = lock ? [lock.action, ...(lock.fields ?? [])].join(' ') : '-'
  const asks = unsupported === undefined ? Object.keys(seedValue ?? {}).join(' ') || '-' : `${unsupported} (unknown)`
  const at = place ? [place.x, place.y, place.width, place.height].map(rounded).join(',') : 'invisible'
  return [name, String(page ?? '-'), at, isSigned ? 'yes' : 'no', locks, asks]
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/** Certificates of seed values. */
const inBase64 = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
