import { cleanText } from './clean-text.ts'

/** A column that a table can show. */
interface Column<Row> {
  /** Its heading, where the template gives no other. */
  readonly label: string
  readonly value: (row: Row) => string | undefined
}

/** Rows of a document. `Data` is what they are read from. */
export interface DataTable<Data, Row = never> {
  readonly rows: (data: Data) => readonly Row[]
  readonly columns: Readonly<Record<string, Column<Row>>>
  /** Headings under which rows can be gathered. */
  readonly groups?: Readonly<Record<string, (row: Row, data: Data) => string | undefined>>
}

/** A table as drawing sees it: headings and cells. */
export interface TableView<Data> {
  readonly columnNames: readonly string[]
  readonly groupNames: readonly string[]
  label(column: string): string
  /** Rows in their order, gathered under the headings of a group where one is named. */
  gathered(data: Data, columns: readonly string[], group: string | undefined): readonly TableGroup[]
}

export interface TableGroup {
  readonly heading: string | undefined
  readonly rows: readonly (readonly string[])[]
}

export function tableView<Data, Row>({ rows, columns, groups = {} }: DataTable<Data, Row>): TableView<Data> {
  const cells = (row: Row, names: readonly string[]) => names.map((name) => cleanText(columns[name]!.value(row) ?? ''))
  return {
    columnNames: Object.keys(columns),
    groupNames: Object.keys(groups),
    label: (column) => columns[column]!.label,
    gathered: (data, names, group) => {
      const headed = new Map<string | undefined, (readonly string[])[]>()
      for (const row of rows(data)) {
        const heading = group === undefined ? undefined : groups[group]!(row, data)
        headed.set(heading, [...(headed.get(heading) ?? []), cells(row, names)])
      }
      return [...headed].map(([heading, gathered]) => ({ heading, rows: gathered }))
    },
  }
}
