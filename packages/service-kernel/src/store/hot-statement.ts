import { CompiledQuery } from 'kysely'
import { dialectOf, rowsNow } from './adapter.ts'
import type { Db, Dialect } from './store.ts'

/** A statement for one database: its text, and the values for its placeholders in order. */
export interface StatementForm<Input> {
  readonly text: string
  parameters(input: Input): readonly unknown[]
}

/** Runs the statement on the database or transaction and returns its rows. */
export type HotStatement<Input, Row> = <Tables>(db: Db<Tables>, input: Input) => Promise<readonly Row[]>

const nameOfText = new Map<string, string>()

/**
 * Declares a statement for loops in which Kysely's compilation (0.02 to 0.1 ms) would matter: written once per
 * database, never compiled again; PostgreSQL also caches its plan under `name`, which must be unique in the program.
 * List the columns it returns: PostgreSQL refuses a cached plan whose `*` has changed meaning under a migration.
 */
export function hotStatement<Input, Row>(
  name: string,
  forms: Readonly<Record<Dialect, StatementForm<Input>>>,
): HotStatement<Input, Row> {
  nameOfText.set(forms.postgres.text, name)
  return async (db, input) => {
    const { text, parameters } = forms[dialectOf(db)]
    const values = parameters(input)
    return (rowsNow(db, text, values) ?? (await rowsInTurn(db, text, values))) as readonly Row[]
  }
}

/**
 * Runs a text as it is written. On SQLite at once where nobody uses the connection, and so before statements that were
 * not awaited.
 */
export const runStatement = async <Tables>(db: Db<Tables>, text: string, values: readonly unknown[]) =>
  rowsNow(db, text, values) ?? (await rowsInTurn(db, text, values))

async function rowsInTurn<Tables>(
  db: Db<Tables>,
  text: string,
  values: readonly unknown[],
): Promise<readonly unknown[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
  return rows
}

/** The name under which PostgreSQL caches this statement, if it was declared hot. */
export const hotStatementName = (text: string): string | undefined => nameOfText.get(text)
