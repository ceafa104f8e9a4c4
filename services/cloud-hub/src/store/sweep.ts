// Deletions of the sweep: the oldest rows of each table, whatever its size.
import type { Db } from '@chancela/service-kernel/store'
import { keepHolders } from './past-holders.ts'
import type { Tables } from './tables.ts'

/** Deletes the tokens of up to `limit` expired sessions; returns how many. */
export async function forgetGrants(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const expired = db
    .selectFrom('session')
    .select('id')
    .where('sealed_grant', 'is not', null)
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ sealed_grant: null })
    .where('id', 'in', expired)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Sessions whose tombstone period is over. */
export async function sessionsToPurge(db: Db<Tables>, now: Date, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('purge_at', '<=', now.toISOString())
    .orderBy('purge_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes sessions with their stored answers and lists; whose they were is kept for the audit. */
export async function purgeSessions(tx: Db<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await keepHolders(tx, ids)
  await tx.deleteFrom('signature_replay').where('session_id', 'in', ids).execute()
  await tx.deleteFrom('listed_hash').where('session_id', 'in', ids).execute()
  await tx.deleteFrom('session').where('id', 'in', ids).execute()
}

/** Deletes up to `limit` creations that expired before a time and have no session any more; returns how many. */
export async function purgeCreations(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('creation')
    .select('id')
    .where('expires_at', '<=', before.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('creation')
    .where('id', 'in', old)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('session').select('id').whereRef('session.creation_id', '=', 'creation.id'))),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes up to `limit` rows of the audit that are older than a time; returns how many. */
export async function purgeUses(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('session_use')
    .select('id')
    .where('at', '<', before.toISOString())
    .orderBy('at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('session_use').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
