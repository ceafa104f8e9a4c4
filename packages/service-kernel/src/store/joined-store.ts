import type { Transaction } from 'kysely'
import type { Store } from './store.ts'

/**
 * A store seen from inside a transaction: what is done with it joins the transaction. A change of the kernel's own and
 * the event that tells of it happen together so, or not at all.
 */
export const joinedStore = <Tables>(store: Store<Tables>, tx: Transaction<Tables>): Store<Tables> => ({
  ...store,
  db: tx,
  transaction: (work) => work(tx),
})
