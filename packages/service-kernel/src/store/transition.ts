import type { Selectable, Updateable, UpdateQueryBuilder, UpdateResult } from 'kysely'
import type { MoveTable } from '../states/index.ts'
import { tablesOf } from './part-of-store.ts'
import type { Db } from './store.ts'

/** The states a column of a table can hold. */
type StatesOf<Tables, Table extends keyof Tables & string, Column extends keyof Tables[Table] & string> = Extract<
  Selectable<Tables[Table]>[Column & keyof Selectable<Tables[Table]>],
  string
>

export interface MovingRequest<
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
  Moves extends MoveTable,
> {
  readonly table: Table
  /** The column that holds the state; only transitions assign it. */
  readonly column: Column
  readonly moves: Moves
  readonly move: keyof Moves & string
  /** Other columns to change with the transition. */
  readonly set?: Omit<Updateable<Tables[Table]>, Column | 'id'>
}

export interface MoveRequest<
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
  Moves extends MoveTable,
> extends MovingRequest<Tables, Table, Column, Moves> {
  /** The row's `id`. */
  readonly id: string
}

const anyRow = tablesOf<{ row: Record<string, unknown> }>()

/**
 * Moves a row to its next state and returns it, or undefined when the row is absent or in none of the states the
 * transition starts from. The `where` is the lock: of two concurrent calls only one succeeds.
 */
export async function move<
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
  Moves extends MoveTable<StatesOf<Tables, Table, Column>>,
>(db: Db<Tables>, request: MoveRequest<Tables, Table, Column, Moves>): Promise<Selectable<Tables[Table]> | undefined> {
  const moved = await updateByMove(db, request).where('id', '=', request.id).returningAll().executeTakeFirst()
  return moved as Selectable<Tables[Table]> | undefined
}

/** The same for many rows: an update of every row in a start state, to which the caller adds conditions. */
export const moving = <
  Tables,
  Table extends keyof Tables & string,
  Column extends keyof Tables[Table] & string,
  Moves extends MoveTable<StatesOf<Tables, Table, Column>>,
>(
  db: Db<Tables>,
  request: MovingRequest<Tables, Table, Column, Moves>,
): UpdateQueryBuilder<Tables, Table, Table, UpdateResult> =>
  updateByMove(db, request) as UpdateQueryBuilder<never, never, never, UpdateResult> as UpdateQueryBuilder<
    Tables,
    Table,
    Table,
    UpdateResult
  >

interface AnyMove {
  readonly table: string
  readonly column: string
  readonly moves: MoveTable
  readonly move: string
  readonly set?: object
}

// Kysely cannot follow a table named by a type parameter; the signatures above have checked the names.
function updateByMove<Tables>(db: Db<Tables>, { table, column, moves, move: name, set = {} }: AnyMove) {
  const { from, to } = moves[name]!
  if (column in set) throw new Error(`${table}.${column} changes by a move only, not by what is set with it.`)
  return anyRow(db)
    .updateTable(table as 'row')
    .set({ ...set, [column]: to })
    .where(column, 'in', [...from])
}
