import { type Dialect, hotStatement } from '@chancela/service-kernel/store'

/** How values are written into a statement's text. */
export interface Notation {
  readonly dialect: Dialect
  readonly place: (n: number) => string
  /** That a column is one of the n-th value, a list of texts. */
  readonly oneOf: (column: string, n: number) => string
}

const notations: Readonly<Record<Dialect, Notation>> = {
  sqlite: {
    dialect: 'sqlite',
    place: (n) => `?${n}`,
    oneOf: (column, n) => `${column} in (select value from json_each(?${n}))`,
  },
  postgres: { dialect: 'postgres', place: (n) => `$${n}`, oneOf: (column, n) => `${column} = any($${n}::text[])` },
}

/** A list as one value: JSON for SQLite, an array for PostgreSQL. */
type ToList = (values: readonly string[]) => unknown

const lists: Readonly<Record<Dialect, ToList>> = {
  sqlite: (values) => JSON.stringify(values),
  postgres: (values) => values,
}

/** A statement of the calls that come with every document; the databases differ in how they write values. */
export function statement<Input, Row>(
  name: string,
  text: (notation: Notation) => string,
  parameters: (input: Input, list: ToList) => readonly unknown[],
) {
  const form = (dialect: Dialect) => ({
    text: text(notations[dialect]),
    parameters: (input: Input) => parameters(input, lists[dialect]),
  })
  return hotStatement<Input, Row>(`documents_${name}`, { sqlite: form('sqlite'), postgres: form('postgres') })
}
