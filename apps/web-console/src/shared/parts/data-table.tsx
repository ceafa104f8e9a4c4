import type { ReactNode } from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** Right-aligned numbers. */
  readonly numeric?: boolean
  /** The column that names the row. */
  readonly isHeader?: boolean
  /** The title is visually hidden: a column of checkboxes or buttons. */
  readonly quiet?: boolean
  readonly head?: ReactNode
  readonly cell: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  /** The caption, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  isSelected?: (row: Row) => boolean
}

/** A table that becomes a list of cards on narrow screens. */
export function DataTable<Row>({ caption, columns, rows, rowKey, isSelected }: DataTableProps<Row>) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-column={column.key} data-numeric={column.numeric}>
                {column.head ?? (column.quiet ? <span className={classes.hidden}>{column.title}</span> : column.title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-selected={isSelected?.(row) || undefined}>
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const label = column.quiet || column.isHeader ? undefined : column.title
  if (column.isHeader)
    return (
      <th scope="row" data-column={column.key}>
        {column.cell(row)}
      </th>
    )
  return (
    <td data-column={column.key} data-label={label} data-numeric={column.numeric}>
      {column.cell(row)}
    </td>
  )
}
