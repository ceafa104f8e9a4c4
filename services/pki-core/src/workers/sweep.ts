import { SECOND } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { purgeAuthentications, purgeNonces } from '../store/authentications.ts'

/** Rows of each kind per tick, during which on SQLite every other query waits. */
const SWEPT_AT_ONCE = 500

/** Deletes what has expired. */
export const sweepAuthentications = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of authentications', every: 5 * SECOND }, async () => {
    const now = context.clock()
    const authentications = await writeAlone(context.store, (db) => purgeAuthentications(db, now, SWEPT_AT_ONCE))
    const nonces = await writeAlone(context.store, (db) => purgeNonces(db, now, SWEPT_AT_ONCE))
    return authentications === SWEPT_AT_ONCE || nonces === SWEPT_AT_ONCE
  })
