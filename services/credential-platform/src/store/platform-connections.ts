import { sealedTable } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import type { PlatformConnectionRow } from './platform-tables.ts'
import type { Tables } from './tables.ts'

/** A key opens for its organization alone. */
export const platformKeyContext = (subscriptionId: string): string => `platform_connection ${subscriptionId} key`

/** For the sealed tables of the service, so that a rotation of the master key includes them. */
export const sealedPlatformConnections = sealedTable<PlatformConnectionRow>({
  table: 'platform_connection',
  idColumn: 'subscription_id',
  columns: ['sealed_key'],
  context: ({ subscription_id }) => platformKeyContext(subscription_id),
})

export const findConnection = (db: Db<Tables>, subscriptionId: string): Promise<PlatformConnectionRow | undefined> =>
  db.selectFrom('platform_connection').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirst()

export async function writeConnection(db: Db<Tables>, row: PlatformConnectionRow): Promise<void> {
  const { subscription_id: _, ...set } = row
  await db
    .insertInto('platform_connection')
    .values(row)
    .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(set))
    .execute()
}

export async function deleteConnection(db: Db<Tables>, subscriptionId: string): Promise<void> {
  await db.deleteFrom('platform_connection').where('subscription_id', '=', subscriptionId).execute()
}
