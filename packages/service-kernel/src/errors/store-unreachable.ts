/** Errors of connections that were not made or were lost; they keep their own class and code. */
const unreachable = new WeakSet<Error>()

/** Notes that an error says no more than that the database cannot be reached, and returns it. */
export function notedUnreachable<E>(error: E): E {
  if (error instanceof Error) unreachable.add(error)
  return error
}

/** Whether an error, or what caused it, is that the database cannot be reached: no bug, and over when it is back. */
export const isStoreUnreachable = (error: unknown): boolean =>
  error instanceof Error && (unreachable.has(error) || isStoreUnreachable(error.cause))
