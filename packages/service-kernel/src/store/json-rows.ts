import type { Dialect } from './store.ts'

/** Columns of rows that are passed to a statement as one JSON list; PostgreSQL uses the declared type. */
export type JsonColumns = readonly (readonly [name: string, type: string])[]

/** The rows of the statement's first parameter, a JSON list of lists, as something to select from. */
export const jsonRows: Readonly<Record<Dialect, (columns: JsonColumns) => string>> = {
  sqlite: (columns) =>
    `(select ${columns.map(([name], at) => `value ->> ${at} as ${name}`).join(', ')} from json_each(?))`,
  postgres: (columns) =>
    `(select ${columns.map(([name, type], at) => `(value ->> ${at})::${type} as ${name}`).join(', ')} from json_array_elements($1::json))`,
}

/** A row of a table as one JSON text: drivers convert every column, which costs more than one text. */
export const jsonRow: Readonly<Record<Dialect, (table: string, columns: readonly string[]) => string>> = {
  sqlite: (table, columns) => `json_object(${columns.map((name) => `'${name}', ${table}.${name}`).join(', ')})`,
  postgres: (table) => `row_to_json(${table})::text`,
}

/** The rows of a table that match, in no order, as one JSON text. */
export const jsonList: Readonly<Record<Dialect, (table: string, columns: readonly string[], where: string) => string>> =
  {
    sqlite: (table, columns, where) =>
      `(select json_group_array(${jsonRow.sqlite(table, columns)}) from ${table} where ${where})`,
    postgres: (table, _columns, where) =>
      `(select coalesce(json_agg(${table}), '[]')::text from ${table} where ${where})`,
  }
