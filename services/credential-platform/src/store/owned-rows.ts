// Rows that an organization sets up and may delete: institutions, courses, flows, templates. They are treated alike.
import { containingAnyCase, type Db, isUniqueViolation, tablesOf } from '@chancela/service-kernel/store'
import { refuse } from '../rules/refuse.ts'
import type { Tables } from './tables.ts'
import type { TenantTables } from './tenant-tables.ts'

export type OwnedTable = 'institute' | 'course' | 'flow' | 'template'

/** What they have in common. */
interface OwnedRow {
  id: string
  subscription_id: string
  name: string
  updated_at: string
  deleted_at: string | null
  institute_id?: string | null
}

// Kysely cannot follow a table named by a type parameter; the signatures below check the names.
const rows = tablesOf<{ row: OwnedRow }>()

/** One that was not deleted; that of another organization does not exist. */
export async function findOwned<Table extends OwnedTable>(
  db: Db<Tables>,
  table: Table,
  subscriptionId: string,
  id: string,
): Promise<TenantTables[Table] | undefined> {
  const found = await rows(db)
    .selectFrom(table as 'row')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found as TenantTables[Table] | undefined
}

export interface OwnedAsked {
  readonly subscriptionId: string
  readonly instituteId?: string | undefined
  readonly q: string | undefined
  readonly limit: number
  readonly offset: number
}

export async function listOwned<Table extends OwnedTable>(
  db: Db<Tables>,
  table: Table,
  { subscriptionId, instituteId, q, limit, offset }: OwnedAsked,
): Promise<{ readonly items: readonly TenantTables[Table][]; readonly total: number }> {
  const matching = rows(db)
    .selectFrom(table as 'row')
    .where('subscription_id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .$if(instituteId !== undefined, (query) => query.where('institute_id', '=', instituteId!))
    .$if(q !== undefined, (query) => query.where(containingAnyCase('name', q!)))
  const items = await matching.selectAll().orderBy('name').orderBy('id').limit(limit).offset(offset).execute()
  const { total } = await matching
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items: items as unknown as TenantTables[Table][], total: Number(total) }
}

/** The field that no two have the same of, for the refusal. */
const uniqueField = { institute: 'code', course: 'emecCode', flow: 'name', template: 'name' } as const

export const insertOwned = <Table extends OwnedTable>(
  db: Db<Tables>,
  table: Table,
  row: TenantTables[Table],
): Promise<void> =>
  unique(table, async () => {
    await rows(db)
      .insertInto(table as 'row')
      .values(row as OwnedRow)
      .execute()
  })

export const updateOwned = <Table extends OwnedTable>(
  db: Db<Tables>,
  table: Table,
  id: string,
  set: Partial<TenantTables[Table]>,
): Promise<TenantTables[Table]> =>
  unique(table, async () => {
    const row = await rows(db)
      .updateTable(table as 'row')
      .set(set as Partial<OwnedRow>)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return row as unknown as TenantTables[Table]
  })

async function unique<T>(table: OwnedTable, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error)
      ? refuse('already-exists', { fields: { [uniqueField[table]]: [`is that of another ${table}`] } }, error)
      : error
  }
}

const ofInstitute = [
  'degree',
  'emission',
  'registration',
  'academic_transcript',
  'curriculum',
  'cancellation_list',
  'inspection_file',
  'restamp',
  'batch',
] as const

/** Whether anything was issued or registered for an institution. */
export async function isInUse(db: Db<Tables>, instituteId: string): Promise<boolean> {
  for (const table of ofInstitute)
    if (await db.selectFrom(table).select('id').where('institute_id', '=', instituteId).executeTakeFirst()) return true
  return false
}
