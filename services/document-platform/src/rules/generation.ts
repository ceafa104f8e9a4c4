import type { MoveTable } from '@chancela/service-kernel/states'
import type { CsvRow, CsvTable } from './read-csv.ts'
import { refuse } from './refuse.ts'

export type GenerationStatus = 'Created' | 'Processing' | 'Completed' | 'Canceled'

/** Every way a generation changes its status. */
export const generationMoves = {
  begin: { from: ['Created'], to: 'Processing' },
  complete: { from: ['Processing'], to: 'Completed' },
  cancel: { from: ['Created', 'Processing'], to: 'Canceled' },
} as const satisfies MoveTable<GenerationStatus>

/** A line of the data file that made no document. */
export interface LineError {
  readonly line: number
  readonly code: string
  /** The field of the request or the column that is wrong, where one can be named. */
  readonly field: string | null
  readonly reason: string
}

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g

/** Refuses a placeholder that names no column: it would stay in every document. */
export function requireColumns(request: unknown, { columns }: CsvTable): void {
  for (const [, name] of JSON.stringify(request).matchAll(PLACEHOLDER))
    if (!columns.includes(name!)) throw refuse('InvalidParticipantsFile', { field: name, reason: 'is no column' })
}

/** What a row says, by column; refuses one that has more or fewer cells than the header. */
export function valuesOf({ columns }: CsvTable, { cells }: CsvRow): Readonly<Record<string, string>> {
  if (cells.length !== columns.length)
    throw refuse('InvalidParticipantsFile', { reason: `has ${cells.length} cells instead of ${columns.length}` })
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]!]))
}

/** A copy in which every `{{column}}` is what the row says. */
export function filledWith<T>(value: T, values: Readonly<Record<string, string>>): T {
  if (typeof value === 'string')
    return value.replaceAll(PLACEHOLDER, (whole, name: string) => values[name] ?? whole) as T
  if (Array.isArray(value)) return value.map((item) => filledWith(item, values)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledWith(inner, values)])) as T
}
