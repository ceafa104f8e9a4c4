import type { Selectable, Updateable } from 'kysely'
import type { MoveTable } from '../states/index.ts'
import { tablesOf } from './part-of-store.ts'
import type { Db } from './store.ts'

export interface MoveRequest<
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
  Moves extends MoveTable,
> {
  readonly table: Table
  /** The column that holds the state; only moves assign it. */
  readonly column: Column
  /** The row's `id`. */
  readonly id: string
  readonly moves: Moves
  readonly move: keyof Moves & string
  /** What else changes with the move. */
  readonly set?: Omit<Updateable<Tables[Table]>, Column | 'id'>
}

const anyRow = tablesOf<{ row: Record<string, unknown> }>()

/**
 * Moves a row to its next state and returns it, or returns nothing when the row is absent or in none of the states the
 * move starts from. The `where` is the lock: of two that ask for one move, one wins.
 */
export async function move<
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
  Moves extends MoveTable<Extract<Selectable<Tables[Table]>[Column & keyof Selectable<Tables[Table]>], string>>,
>(db: Db<Tables>, request: MoveRequest<Tables, Table, Column, Moves>): Promise<Selectable<Tables[Table]> | undefined> {
  const { table, column, id, moves, set = {} } = request
  const { from, to } = moves[request.move]!
  if (column in set) throw new Error(`${table}.${column} changes by a move only, not by what is set with it.`)
  // Kysely cannot follow a table named by a type parameter; the signature above has checked the names.
  const moved = await anyRow(db)
    .updateTable(table as string as 'row')
    .set({ ...set, [column]: to })
    .where('id', '=', id)
    .where(column as string, 'in', [...from])
    .returningAll()
    .executeTakeFirst()
  return moved as Selectable<Tables[Table]> | undefined
}
