import type { Generated } from 'kysely'

/** One row of `search_shelf`: the numbered items of one kind of one organization. */
export interface SearchShelfRow {
  id: Generated<number>
  name: string
  /** The number that the next item gets; all lower ones are given, in the order of lists. */
  next_number: number
  /** Creation of the item with the highest number; empty where there is none. */
  last_created_at: string
  last_item_id: string
  /** Changes with every change of the numbers or their words. */
  folds: number
}

/** One row of `search_waiting`: an item that is new, or has a new word, which the blocks do not tell yet. */
interface SearchWaitingRow {
  shelf: string
  created_at: string
  item_id: string
  institute_id: string
  search_key: string
}

/** One row of `search_number`. */
interface SearchNumberRow {
  shelf: number
  number: number
  created_at: string
  item_id: string
}

/** One row of `search_block`: the items of a block of numbers that have a word. */
interface SearchBlockRow {
  shelf: number
  block: number
  term: string
  numbers: Uint8Array
}

export interface SearchTables {
  search_shelf: SearchShelfRow
  search_waiting: SearchWaitingRow
  search_number: SearchNumberRow
  search_block: SearchBlockRow
}
