import pg from 'pg'

/** Runs the work and counts its round trips to PostgreSQL: every query of every connection of this process. */
export async function countRoundTrips<T>(work: () => Promise<T>): Promise<{ result: T; roundTrips: number }> {
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  let roundTrips = 0
  prototype.query = function (this: unknown, ...args) {
    roundTrips++
    return original.apply(this, args)
  }
  try {
    const result = await work()
    return { result, roundTrips }
  } finally {
    prototype.query = original
  }
}
