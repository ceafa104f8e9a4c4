/** The ways in the order they are shown: the one used last comes first, the others stay as they are. */
export const waysInOrder = <Way extends string>(ways: readonly Way[], last: string | null): readonly Way[] => [
  ...ways.filter((way) => way === last),
  ...ways.filter((way) => way !== last),
]
