import type { Dialect } from './store.ts'

/** Columns of rows that are handed to a statement as one JSON list; PostgreSQL keeps the declared type. */
export type JsonColumns = readonly (readonly [name: string, type: string])[]

/** The rows of the statement's first parameter, a JSON list of lists, as something to select from. */
export const jsonRows: Readonly<Record<Dialect, (columns: JsonColumns) => string>> = {
  sqlite: (columns) =>
    `(select ${columns.map(([name], at) => `value ->> ${at} as ${name}`).join(', ')} from json_each(?))`,
  postgres: (columns) =>
    `(select ${columns.map(([name, type], at) => `(value ->> ${at})::${type} as ${name}`).join(', ')} from json_array_elements($1::json))`,
}
