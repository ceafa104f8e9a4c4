import { type HotStatement, hotStatement } from './hot-statement.ts'
import type { Dialect } from './store.ts'

/** How a database writes placeholders in a statement's text. */
export interface Notation {
  readonly dialect: Dialect
  /** The n-th value. */
  readonly place: (n: number) => string
  /** The n-th value, a list, as a table with the column `value`. */
  readonly list: (n: number, type: 'text' | 'bigint', name: string) => string
  /** That a column is one of the n-th value, a list of texts. */
  readonly oneOf: (column: string, n: number) => string
}

export const notations: Readonly<Record<Dialect, Notation>> = {
  sqlite: {
    dialect: 'sqlite',
    place: (n) => `?${n}`,
    list: (n, _type, name) => `json_each(?${n}) as ${name}`,
    oneOf: (column, n) => `${column} in (select value from json_each(?${n}))`,
  },
  postgres: {
    dialect: 'postgres',
    place: (n) => `$${n}`,
    list: (n, type, name) => `unnest($${n}::${type}[]) as ${name} (value)`,
    oneOf: (column, n) => `${column} = any($${n}::text[])`,
  },
}

type ToList = (values: readonly unknown[]) => unknown

/** A list as one value: JSON for SQLite, an array for PostgreSQL. */
export const lists: Readonly<Record<Dialect, ToList>> = {
  sqlite: (values) => JSON.stringify(values),
  postgres: (values) => values,
}

/** A hot statement that differs between the databases only in its placeholders. */
export function portableStatement<Input, Row>(
  name: string,
  text: (notation: Notation) => string,
  parameters: (input: Input, list: ToList) => readonly unknown[],
): HotStatement<Input, Row> {
  const form = (dialect: Dialect) => ({
    text: text(notations[dialect]),
    parameters: (input: Input) => parameters(input, lists[dialect]),
  })
  return hotStatement<Input, Row>(name, { sqlite: form('sqlite'), postgres: form('postgres') })
}
