import { CompiledQuery, type Transaction } from 'kysely'
import type { Db, Store } from './store.ts'

/** Pieces of work written in one transaction: whoever comes last waits for all of them. */
const MOST = 32

interface Waiting<Tables> {
  run(tx: Transaction<Tables>): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * On SQLite, what many calls have to write shares one transaction: one flush of the disk for all that came while the last
 * one ran. Each is told once its own is durable, and one that throws takes nothing of the others along. PostgreSQL has a
 * connection for each transaction and groups their flushes itself.
 */
export function sharingTransactions<Tables>(store: Store<Tables>): Store<Tables> {
  if (store.dialect !== 'sqlite') return store
  let waiting: Waiting<Tables>[] = []
  let running = false

  const writeAll = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      // One turn of the loop: what other calls write in the same turn comes along.
      await new Promise(setImmediate)
      const some = waiting.slice(0, MOST)
      waiting = waiting.slice(MOST)
      await writeTogether(store, some)
    }
    running = false
  }
  return {
    ...store,
    transaction: <T>(work: (tx: Transaction<Tables>) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ run: work, resolve: resolve as (result: unknown) => void, reject })
        if (!running) void writeAll()
      }),
  }
}

/** A single statement that writes: PostgreSQL needs no transaction around it, SQLite shares one. */
export const writeAlone = <Tables, T>(store: Store<Tables>, work: (db: Db<Tables>) => Promise<T>): Promise<T> =>
  store.dialect === 'postgres' ? work(store.db) : store.transaction(work)

async function writeTogether<Tables>(store: Store<Tables>, works: readonly Waiting<Tables>[]): Promise<void> {
  const outcomes: (() => void)[] = []
  try {
    await store.transaction(async (tx) => {
      for (const work of works) outcomes.push(await attempt(tx, work))
    })
  } catch (error) {
    for (const { reject } of works) reject(error)
    return
  }
  for (const report of outcomes) report()
}

const savepoint = CompiledQuery.raw('savepoint work')
const release = CompiledQuery.raw('release work')
const undo = CompiledQuery.raw('rollback to work')

/** Does one piece of work, and undoes it alone when it throws. */
async function attempt<Tables>(tx: Transaction<Tables>, work: Waiting<Tables>): Promise<() => void> {
  await tx.executeQuery(savepoint)
  try {
    const result = await work.run(tx)
    await tx.executeQuery(release)
    return () => work.resolve(result)
  } catch (error) {
    await tx.executeQuery(undo)
    await tx.executeQuery(release)
    return () => work.reject(error)
  }
}
