/** Every state transition of a row. The table is the rule: no other code assigns the state. */
export type MoveTable<State extends string = string> = Readonly<
  Record<string, { readonly from: readonly State[]; readonly to: State }>
>

const quoted = (state: string): string => `'${state}'`

/** The states a move starts from, as a list in SQL: `'Queued', 'AwaitingSigner'`. */
export const startsOf = (moves: MoveTable, move: string): string => moves[move]!.from.map(quoted).join(', ')

/** Every pair of states that some transitions connect, as rows in SQL: `('Created', 'Pending'), …`. */
export const pairsOf = <Moves extends MoveTable>(moves: Moves, some: readonly (keyof Moves & string)[]): string =>
  some
    .map((name) => moves[name]!)
    .flatMap(({ from, to }) => from.map((state) => `(${quoted(state)}, ${quoted(to)})`))
    .join(', ')
