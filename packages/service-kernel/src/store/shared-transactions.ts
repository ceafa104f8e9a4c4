import { CompiledQuery, type Transaction } from 'kysely'
import { CommitBatch, type Pending } from '../concurrency/index.ts'
import type { Db, Store } from './store.ts'

/** Most pieces of work in one transaction: the last one waits for all of them. */
const MOST = 32

type Work<Tables, T = unknown> = (tx: Transaction<Tables>) => Promise<T>

/**
 * On SQLite, concurrent writes share one transaction: one disk flush for all that arrived during the last one. Each
 * resolves once it is durable, and one that throws does not affect the others. PostgreSQL has a connection for each
 * transaction and groups their flushes itself.
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

/** A single write statement: PostgreSQL needs no explicit transaction, SQLite shares one. */
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

/** Runs one piece of work, and rolls it back alone when it throws. */
async function attempt<Tables>(tx: Transaction<Tables>, work: Pending<Work<Tables>, unknown>): Promise<() => void> {
  await tx.executeQuery(savepoint)
  try {
    const result = await work.entry(tx)
    await tx.executeQuery(release)
    return () => work.resolve(result)
  } catch (error) {
    await undone(tx, error)
    return () => work.reject(error)
  }
}

/** SQLite rolls everything back by itself where the disk is full: nothing is left to undo, and all are told that reason. */
async function undone<Tables>(tx: Transaction<Tables>, reason: unknown): Promise<void> {
  try {
    await tx.executeQuery(undo)
    await tx.executeQuery(release)
  } catch {
    throw reason
  }
}
