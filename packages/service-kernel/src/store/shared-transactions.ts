import { CompiledQuery, type Transaction } from 'kysely'
import { CommitBatch, type Pending } from '../concurrency/index.ts'
import type { Db, Store } from './store.ts'

/** Pieces of work written in one transaction: whoever comes last waits for all of them. */
const MOST = 32

type Work<Tables, T = unknown> = (tx: Transaction<Tables>) => Promise<T>

/**
 * On SQLite, what many calls have to write shares one transaction: one flush of the disk for all that came while the last
 * one ran. Each is told once its own is durable, and one that throws takes nothing of the others along. PostgreSQL has a
 * connection for each transaction and groups their flushes itself.
 */
export function sharingTransactions<Tables>(store: Store<Tables>): Store<Tables> {
  if (store.dialect !== 'sqlite') return store
  const batch = new CommitBatch<Work<Tables>, unknown>({
    write: (works) => writeTogether(store, works),
    most: MOST,
    gathers: 'each',
  })
  return { ...store, transaction: <T>(work: Work<Tables, T>) => batch.add(work) as Promise<T> }
}

/** A single statement that writes: PostgreSQL needs no transaction around it, SQLite shares one. */
export const writeAlone = <Tables, T>(store: Store<Tables>, work: (db: Db<Tables>) => Promise<T>): Promise<T> =>
  store.dialect === 'postgres' ? work(store.db) : store.transaction(work)

async function writeTogether<Tables>(
  store: Store<Tables>,
  works: readonly Pending<Work<Tables>, unknown>[],
): Promise<void> {
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
async function attempt<Tables>(tx: Transaction<Tables>, work: Pending<Work<Tables>, unknown>): Promise<() => void> {
  await tx.executeQuery(savepoint)
  try {
    const result = await work.entry(tx)
    await tx.executeQuery(release)
    return () => work.resolve(result)
  } catch (error) {
    await tx.executeQuery(undo)
    await tx.executeQuery(release)
    return () => work.reject(error)
  }
}
