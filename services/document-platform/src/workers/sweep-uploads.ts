import { deleteEndpoint, endpointsOf, listDeliveries } from '@chancela/outbox/webhooks'
import { sweepOrphans } from '@chancela/service-kernel/blobs'
import { DAY, HOUR, plus } from '@chancela/service-kernel/clock'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { referencedBlobs } from '../store/blob-references.ts'
import { moveState, readState } from '../store/instance-state.ts'
import type { Tables } from '../store/tables.ts'

const AT_ONCE = 1000

/** Removes expired data: unused uploads, sessions, unreferenced bytes, webhooks of deleted organizations. */
export const sweepUploads = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of expired data', every: HOUR / 4 }, async () => {
    const now = context.clock()
    if (await removeExpired(context, now)) return true
    await removeWebhooks(context, now)
    await removeBytes(context, now)
    return false
  })

const mortal = [
  'upload',
  'segmented_upload',
  'marks_session',
  'cloud_signing',
  'token_signing',
  'sign_in_guess',
] as const

/** True while there may be more. */
async function removeExpired({ store }: Context, now: Date): Promise<boolean> {
  let most = 0
  for (const table of mortal) {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where expires_at <= ${now.toISOString()} limit ${sql.lit(AT_ONCE)})`.execute(
      store.db,
    )
    most = Math.max(most, Number(numAffectedRows ?? 0))
  }
  return most === AT_ONCE
}

/** How long the webhooks of a deleted organization are kept for their last deliveries. */
const TOLD_WITHIN = 7 * DAY

async function removeWebhooks({ store }: Context, now: Date): Promise<void> {
  const deleted = await store.db
    .selectFrom('organization')
    .select(['id', 'deleted_at'])
    .where('deleted_at', '>', plus(now, -4 * TOLD_WITHIN).toISOString())
    .execute()
  for (const { id: ownerId, deleted_at } of deleted) {
    const isOver = deleted_at! <= plus(now, -TOLD_WITHIN).toISOString()
    for (const { id } of await endpointsOf(store.db, ownerId)) {
      const waiting = await listDeliveries(store.db, { ownerId, endpointId: id, states: ['waiting'], limit: 1 })
      if (isOver || waiting.length === 0)
        await store.transaction((tx) => deleteEndpoint<Tables>(tx, { ownerId, id }, now))
    }
  }
}

const SWEPT = 'orphans-swept-at'
const EVERY = DAY

/** Once a day, by the first instance that gets there. */
async function removeBytes({ store, blobs, settings, logger }: Context, now: Date): Promise<void> {
  const { UploadLifeHours, DeletedDocumentsLifeDays } = settings.Documents
  const last = await readState(store.db, SWEPT)
  if (last !== undefined && Date.parse(last) > now.getTime() - EVERY) return
  if (!(await moveState(store.db, SWEPT, last, now.toISOString()))) return
  const keptSince = plus(now, -DeletedDocumentsLifeDays * DAY)
  // Segments do not count as referenced; an upload does not take longer than this.
  const olderThan = (UploadLifeHours + 1) * HOUR
  const swept = await sweepOrphans(blobs, (digests) => referencedBlobs(store.db, digests, keptSince), olderThan, now)
  logger.info({ asOf: now, ...swept }, 'orphaned blobs removed')
}
