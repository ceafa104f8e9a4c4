import type { Kysely, Selectable, Updateable } from 'kysely'
import type { Db } from './store.ts'

/** Every way a row may change state. The table is the rule: no other code assigns the state. */
export type MoveTable<State extends string = string> = Readonly<
  Record<string, { readonly from: readonly State[]; readonly to: State }>
>

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
  const moved = await (db as unknown as Kysely<{ row: Record<string, unknown> }>)
    .updateTable(table as string as 'row')
    .set({ ...set, [column]: to })
    .where('id', '=', id)
    .where(column as string, 'in', [...from])
    .returningAll()
    .executeTakeFirst()
  return moved as Selectable<Tables[Table]> | undefined
}
