// One row of a generation: its document and its count in one transaction, or its error.
import { Refusal } from '@chancela/service-kernel/errors'
import { joinedStore } from '@chancela/service-kernel/store'
import { asOneLine, plainLines } from '@chancela/service-kernel/text'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { generateDocuments } from '../../contract/templates.ts'
import type { Caller } from '../../rules/caller.ts'
import { filledWith, type LineError, valuesOf } from '../../rules/generation.ts'
import type { CsvRow, CsvTable } from '../../rules/read-csv.ts'
import { takeRow } from '../../store/generations.ts'
import type { GenerationRow } from '../../store/tables.ts'
import { createDocuments } from '../documents/create-documents.ts'
import { filledTemplate } from '../templates/filled-template.ts'

type Asked = Omit<Static<typeof generateDocuments.body>, 'dataFile' | 'templateFile'>

/** False when somebody else made the row, or the generation has ended. */
export async function generateRow(context: Context, generation: GenerationRow, table: CsvTable): Promise<boolean> {
  const row = table.rows[generation.next_row]!
  const now = context.clock()
  try {
    return await makeDocument(context, generation, table, row, now)
  } catch (error) {
    // A service that is busy or stops is no fault of the row: it is made later.
    if (!(error instanceof Refusal) || error.code === 'ServiceBusy') throw error
    return context.store.transaction((tx) => takeRow(tx, generation, lineError(row, error), now))
  }
}

async function makeDocument(
  context: Context,
  generation: GenerationRow,
  table: CsvTable,
  row: CsvRow,
  now: Date,
): Promise<boolean> {
  const values = mapped(valuesOf(table, row), plainLines)
  const fields = JSON.parse(generation.template_fields) as readonly string[]
  const filling = Object.fromEntries(Object.entries(values).filter(([column]) => fields.includes(column)))
  const name = generation.template_name.replace(/\.pdf$/i, '')
  const file = await filledTemplate(
    context,
    { filename: generation.template_name, digest: generation.template_digest },
    { id: generation.id, displayName: `${name} ${generation.next_row + 1}`, values: filling },
  )
  const { flowActions, observers, description, ...asked } = JSON.parse(generation.request) as Asked
  const request = {
    ...asked,
    ...filledWith({ flowActions, observers: observers ?? null }, inLines(values)),
    ...filledWith({ description: description ?? null }, values),
    folderId: generation.folder_id,
    files: [],
  }
  return context.store.transaction(async (tx) => {
    if (!(await takeRow(tx, generation, null, now))) return false
    const joined = { ...context, store: joinedStore(context.store, tx) }
    await createDocuments(joined, JSON.parse(generation.caller) as Caller, request, now, [file])
    return true
  })
}

/** Names are one line, whatever a cell holds: a sheet is not typed again for a line end. */
const inLines = (values: Readonly<Record<string, string>>) => mapped(values, asOneLine)

const mapped = (values: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([column, text]) => [column, change(text)]))

const lineError = ({ line }: CsvRow, { code, message, details }: Refusal): LineError => {
  const { field, reason } = (details ?? {}) as { readonly field?: string; readonly reason?: string }
  return { line, code, field: field ?? null, reason: reason ?? message }
}
