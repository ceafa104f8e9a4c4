// Finds the items of a page: along an index of the list where that has them, else by their numbers.
import type { Db } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'
import { soughtWords } from '../rules/search-key.ts'
import type { DocumentTables } from './document-tables.ts'
import type { SearchedTable } from './item-terms.ts'
import {
  all,
  type Condition,
  created,
  type FoundIds,
  type ItemsAsked,
  type Limits,
  type Search,
  wordsIn,
} from './search-conditions.ts'
import { byNumbers } from './search-numbers.ts'
import type { Tables } from './tables.ts'

interface FoundItems<Row> {
  readonly items: readonly Row[]
  /** Null where there are more than are counted, or counting would take longer than finding. */
  readonly total: number | null
}

const LIMITS: Limits = { rare: 5_000, passed: 5_000, counted: 10_000 }

export async function searchItems<Table extends SearchedTable>(
  db: Db<Tables>,
  table: Table,
  asked: ItemsAsked,
  limits: Limits = LIMITS,
): Promise<FoundItems<DocumentTables[Table]>> {
  const search = { db, table, asked, words: soughtWords(asked.q ?? ''), limits }
  const { ids, total } = await ((await isQuickInOrder(search)) ? inOrder(search) : byNumbers(search))
  if (ids.length === 0) return { items: [], total }
  const { rows } = await sql<DocumentTables[Table]>`select * from ${sql.table(table)} where id in (${sql.join(ids)})
    order by created_at desc, id desc`.execute(db)
  return { items: rows, total }
}

/** The indexes of a list have its items by state, or by batch; they have neither words nor, with a state, institutions. */
async function isQuickInOrder(search: Search): Promise<boolean> {
  const { asked, words, limits } = search
  if (asked.batchId !== undefined) return true
  if (words.length === 0 && asked.instituteId === undefined)
    return asked.statuses !== undefined || asked.offset <= limits.passed
  if (!asked.statuses) return false
  return (await countUpTo(search, ofStates(asked), limits.rare)) <= limits.rare
}

/** Along the index of the list, or of each state. */
async function inOrder({ asked, words, ...search }: Search): Promise<FoundIds> {
  const rest = [
    ...(asked.instituteId === undefined ? [] : [sql<SqlBool>`d.institute_id = ${asked.instituteId}`]),
    ...wordsIn(search.db, words),
  ]
  const states = asked.statuses?.map((status) => [status]) ?? [undefined]
  const end = asked.offset + asked.limit
  const parts = states.map(
    (statuses) => sql`select * from (select d.id, d.created_at from ${sql.table(search.table)} as d
      where ${all([...ofStates({ ...asked, statuses }), ...rest])}
      order by d.created_at desc, d.id desc limit ${sql.lit(end)}) as part`,
  )
  const { rows } = await sql<{ id: string }>`select id from (${sql.join(parts, sql` union all `)}) as d
    order by created_at desc, id desc limit ${sql.lit(asked.limit)} offset ${sql.lit(asked.offset)}`.execute(search.db)
  const { counted } = search.limits
  const n = await countUpTo(search, [...ofStates(asked), ...rest], counted)
  return { ids: rows.map(({ id }) => id), total: n > counted ? null : n }
}

async function countUpTo({ db, table }: Pick<Search, 'db' | 'table'>, where: readonly Condition[], most: number) {
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from (
    select 1 from ${sql.table(table)} as d where ${all(where)} limit ${sql.lit(most + 1)}) as counted`.execute(db)
  return Number(rows[0]!.n)
}

const ofStates = ({ subscriptionId, statuses, batchId, from, to }: ItemsAsked): readonly Condition[] => [
  ...(batchId === undefined
    ? [sql<SqlBool>`d.subscription_id = ${subscriptionId}`]
    : // The index of batches is the one to walk along, not that of the organization.
      [sql<SqlBool>`d.batch_id = ${batchId}`, sql<SqlBool>`d.subscription_id || '' = ${subscriptionId}`]),
  ...(statuses ? [sql<SqlBool>`d.status in (${sql.join([...statuses])})`] : []),
  ...created('d', { from, to }),
]
