// Whose the sessions were that are forgotten: the audit of their uses is kept for longer.
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** Keeps the holders of sessions that are about to be deleted. */
export async function keepHolders(tx: Db<Tables>, sessionIds: readonly string[]): Promise<void> {
  await tx
    .insertInto('past_holder')
    .columns(['session_id', 'creation_id', 'identifier_type', 'sealed_identifier', 'identifier_digest', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom('session as s')
        .innerJoin('creation as c', 'c.id', 's.creation_id')
        .select(['s.id', 'c.id as creation_id'])
        .select(({ ref }) => [
          ref('c.identifier_type').$notNull().as('identifier_type'),
          ref('c.sealed_identifier').$notNull().as('sealed_identifier'),
          ref('c.identifier_digest').$notNull().as('identifier_digest'),
          's.expires_at',
        ])
        .where('s.id', 'in', sessionIds)
        .where('c.identifier_type', 'is not', null)
        .where('c.identifier_digest', 'is not', null),
    )
    .execute()
}

/** Deletes up to `limit` of those whose last use is older than a time; returns how many. */
export async function purgeHolders(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('past_holder')
    .select('session_id')
    .where('expires_at', '<', before.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('past_holder').where('session_id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
