// Lists and inspection files of an institution, as its organization reads them.
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { type AuxiliaryTable, oneOfInstitute, pageOfInstitute } from '../../store/auxiliary.ts'
import { newestFile } from '../../store/documents.ts'
import type { Tables } from '../../store/tables.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

const absent = {
  cancellation_list: 'cancellation-list-not-found',
  inspection_file: 'inspection-file-not-found',
} as const satisfies Readonly<Record<AuxiliaryTable, ErrorCode>>

export async function listOf<Table extends AuxiliaryTable>(
  { store }: Context,
  caller: Caller,
  table: Table,
  instituteId: string,
  query: { readonly page?: number; readonly pageSize?: number },
) {
  const institute = await requiredInstitute(store.db, caller, instituteId)
  const asked = askedOf(query)
  const { items, total } = await pageOfInstitute(store.db, table, { ...asked, instituteId: institute.id })
  return {
    asked,
    items,
    total,
    page: <View>(view: (row: Tables[Table]) => View) => pageOf(asked, items.map(view), total),
  }
}

export async function oneOf<Table extends AuxiliaryTable>(
  { store }: Context,
  caller: Caller,
  table: Table,
  instituteId: string,
  id: string,
): Promise<Tables[Table]> {
  const institute = await requiredInstitute(store.db, caller, instituteId)
  const row = await oneOfInstitute(store.db, table, institute.id, idOf(id))
  if (!row) throw refuse(absent[table], { id })
  return row
}

export async function fileOf(context: Context, caller: Caller, table: AuxiliaryTable, instituteId: string, id: string) {
  const { id: itemId } = await oneOf(context, caller, table, instituteId, id)
  const file = await newestFile(context.store.db, itemId, 'xml')
  if (!file) throw refuse('file-not-found')
  return file
}
