import type { Transaction } from 'kysely'
import type { Store } from './store.ts'

/**
 * A store seen from inside a transaction: its operations join the transaction. So a change of the kernel and the event
 * that reports it happen together, or not at all.
 */
export const joinedStore = <Tables>(store: Store<Tables>, tx: Transaction<Tables>): Store<Tables> => ({
  ...store,
  db: tx,
  transaction: (work) => work(tx),
})
