import type { Db } from '@chancela/service-kernel/store'
import { sessionMoves } from '../rules/session-states.ts'
import type { ProviderRow, Tables } from './tables.ts'

/** Channel that notifies every instance of changed providers. */
export const PROVIDER_CHANNEL = 'cloud-hub-providers'

/** Every provider, in order. */
export const allProviders = (db: Db<Tables>): Promise<readonly ProviderRow[]> =>
  db.selectFrom('provider').selectAll().orderBy('position').orderBy('id').execute()

export const findProvider = (db: Db<Tables>, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('provider').selectAll().where('id', '=', id).executeTakeFirst()

export async function insertProvider(db: Db<Tables>, row: ProviderRow): Promise<void> {
  await db.insertInto('provider').values(row).execute()
}

/** Overwrites a row. */
export async function replaceProvider(db: Db<Tables>, { id, ...columns }: ProviderRow): Promise<void> {
  await db.updateTable('provider').set(columns).where('id', '=', id).execute()
}

export async function deleteProvider(db: Db<Tables>, id: string): Promise<void> {
  await db.deleteFrom('provider').where('id', '=', id).execute()
}

/** The position after the last one. */
export async function nextPosition(db: Db<Tables>): Promise<number> {
  const { last } = await db
    .selectFrom('provider')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  return last === null ? 1 : Number(last) + 1
}

/** Whether a session of this provider is live or may still be authorized. */
export async function hasLiveSessions(db: Db<Tables>, providerId: string, now: Date): Promise<boolean> {
  const live = await db
    .selectFrom('session')
    .select('id')
    .where('provider_id', '=', providerId)
    .where('state', 'in', [...sessionMoves.end.from])
    .where('expires_at', '>', now.toISOString())
    .limit(1)
    .executeTakeFirst()
  return live !== undefined
}
