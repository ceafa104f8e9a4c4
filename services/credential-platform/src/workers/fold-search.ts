import { plus, SECOND } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { foldWaiting, nextWaitingShelf } from '../store/fold-waiting.ts'

/** Items are numbered in the order of their creation: those of transactions that still run must not come late. */
const SETTLED = 10 * SECOND

/** Takes new items into the blocks by which they are found; until then they are looked through. */
export const foldSearch = (context: Context): Worker => {
  const { store, clock } = context
  let isStopping = false
  const worker = sweeper(context, { name: 'numbering of items for searches', every: 5 * SECOND }, async () => {
    for (
      let shelf = await nextWaitingShelf(store.db, '');
      shelf !== undefined;
      shelf = await nextWaitingShelf(store.db, shelf)
    )
      while (!isStopping && (await foldWaiting(store, shelf, plus(clock(), -SETTLED))));
    return false
  })
  return {
    ...worker,
    stop() {
      isStopping = true
      return worker.stop()
    },
  }
}
