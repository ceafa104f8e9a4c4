import { CompiledQuery, type Insertable } from 'kysely'
import { dialectOf } from './adapter.ts'
import { type HotStatement, hotStatement } from './hot-statement.ts'
import type { Db, Dialect } from './store.ts'

/** New rows by their tables. The rows of a table have the same columns, in the same order. */
export type NewRows<Tables> = { readonly [Table in keyof Tables & string]?: readonly Insertable<Tables[Table]>[] }

type Row = Readonly<Record<string, unknown>>
type TableRows = readonly [table: string, rows: readonly Row[]]

/**
 * Inserts rows of several tables, without Kysely's compilation: on PostgreSQL all in one statement, on SQLite, which is
 * in the same process, one per table.
 */
export async function insertRows<Tables>(db: Db<Tables>, rows: NewRows<Tables>): Promise<void> {
  const tables = (Object.entries(rows) as TableRows[]).filter(([, { length }]) => length > 0)
  if (tables.length > 0) await inserts[dialectOf(db)](db, tables)
}

const inserts: Readonly<Record<Dialect, <Tables>(db: Db<Tables>, tables: readonly TableRows[]) => Promise<void>>> = {
  sqlite: async (db, tables) => {
    for (const [table, rows] of tables)
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
        await db.executeQuery(sqliteInsert(table, rows.slice(from, from + ROWS_AT_ONCE)))
  },
  postgres: async (db, tables) => {
    await postgresInsert(tables)(
      db,
      tables.map(([, rows]) => jsonOf(rows)),
    )
  },
}

/** Rows per statement on SQLite: each number of rows is another prepared statement. */
const ROWS_AT_ONCE = 8

const sqliteTexts = new Map<string, Kept<string>>()

function sqliteInsert(table: string, rows: readonly Row[]): CompiledQuery {
  const columns = Object.keys(rows[0]!)
  const text = kept(sqliteTexts, `${table} ${rows.length}`, columns, () => {
    const places = `(${columns.map(() => '?')})`
    return `insert into ${table} (${columns}) values ${rows.map(() => places)}`
  })
  return CompiledQuery.raw(text, rows.flatMap(Object.values))
}

type PostgresInsert = HotStatement<readonly string[], never>

const postgresStatements = new Map<string, Kept<PostgresInsert>>()

/** The statement for these tables and columns; there are as many as kinds of changes. */
function postgresInsert(tables: readonly TableRows[]): PostgresInsert {
  const names = tables.map(([table]) => table).join(' ')
  const columns = tables.flatMap(([, [first]]) => Object.keys(first!))
  return kept(postgresStatements, names, columns, () => postgresStatement(withAll(tables.map(insertFromJson))))
}

function insertFromJson([table, [first]]: TableRows, at: number): string {
  const columns = Object.keys(first!)
  return `insert into ${table} (${columns}) select ${columns}
    from json_populate_recordset(null::${table}, $${at + 1}::json)`
}

/** A cache entry for rows of these columns. */
interface Kept<T> {
  readonly columns: readonly string[]
  readonly made: T
}

/** The cached value for the same columns; building a long statement again would cost as much as running it. */
function kept<T>(all: Map<string, Kept<T>>, key: string, columns: readonly string[], make: () => T): T {
  const known = all.get(key)
  if (known?.columns.length === columns.length && columns.every((name, at) => name === known.columns[at]))
    return known.made
  const made = make()
  all.set(key, { columns, made })
  return made
}

/** PostgreSQL checks foreign keys among the tables at the end of the statement. */
const withAll = (each: readonly string[]): string => {
  const before = each.slice(0, -1).map((insert, at) => `rows_${at} as (${insert})`)
  return `${before.length > 0 ? `with ${before.join(', ')} ` : ''}${each.at(-1)}`
}

const statements = new Map<string, PostgresInsert>()

function postgresStatement(text: string): PostgresInsert {
  const form = { text, parameters: (values: readonly string[]) => values }
  const statement =
    statements.get(text) ?? hotStatement(`insert_rows_${statements.size}`, { sqlite: form, postgres: form })
  statements.set(text, statement)
  return statement
}

const LONE_SURROGATE = /\\ud[89a-f]/

/** A lone surrogate becomes the replacement character, as in every other text a driver encodes; JSON would keep it. */
function jsonOf(rows: readonly Row[]): string {
  const json = JSON.stringify(rows)
  return LONE_SURROGATE.test(json) ? JSON.stringify(rows, (_name, value) => wellFormed(value)) : json
}

const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value).toString() : value)
