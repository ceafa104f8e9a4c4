// What both ways of searching items share: the question, and its conditions as SQL.
import { type Db, dialectOf } from '@chancela/service-kernel/store'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchedTable } from './item-terms.ts'
import type { Tables } from './tables.ts'

/** The filter of a list, and which page of it. */
export interface ItemsAsked {
  readonly subscriptionId: string
  readonly q?: string | undefined
  readonly statuses?: readonly string[] | undefined
  readonly instituteId?: string | undefined
  /** Of the kinds that batches make. */
  readonly batchId?: string | undefined
  /** Of the creation; the second is exclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** How many items each way takes on. */
export interface Limits {
  /** Most items in a state that are looked through one by one. */
  readonly rare: number
  /** Most items that are passed in the order of a list. */
  readonly passed: number
  /** Most items that are counted one by one. */
  readonly counted: number
}

export interface Search {
  readonly db: Db<Tables>
  readonly table: SearchedTable
  readonly asked: ItemsAsked
  readonly words: readonly string[]
  readonly limits: Limits
}

export interface FoundIds {
  readonly ids: readonly string[]
  readonly total: number | null
}

export type Condition = RawBuilder<SqlBool>

/** Shorter words must match whole: too many words begin with one or two given letters. */
export const SHORTEST_BEGINNING = 3

export const all = (conditions: readonly Condition[]): Condition =>
  sql<SqlBool>`${sql.join([...conditions], sql` and `)}`

export const created = (table: string, { from, to }: Pick<ItemsAsked, 'from' | 'to'>): readonly Condition[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`${sql.ref(`${table}.created_at`)} >= ${from}`]),
  ...(to === undefined ? [] : [sql<SqlBool>`${sql.ref(`${table}.created_at`)} < ${to}`]),
]

/** Every word of the search is the beginning of a word of the item, or a whole one where it is short. */
export function wordsIn(db: Db<Tables>, words: readonly string[]): readonly Condition[] {
  const position = sql.raw(dialectOf(db) === 'sqlite' ? 'instr' : 'strpos')
  return words.map((word) =>
    word.length < SHORTEST_BEGINNING
      ? sql<SqlBool>`${position}(search_key || ' ', ${` ${word} `}) > 0`
      : sql<SqlBool>`${position}(search_key, ${` ${word}`}) > 0`,
  )
}
