import { sealedTable } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { WebhookSettingsRow } from './tenant-tables.ts'

/** A token opens for its owner alone. */
export const tokenContext = (ownerId: string): string => `webhook_settings ${ownerId} token`

/** For the sealed tables of the service, so that a rotation of the master key includes them. */
export const sealedWebhookSettings = sealedTable<WebhookSettingsRow>({
  table: 'webhook_settings',
  idColumn: 'owner_id',
  columns: ['sealed_token'],
  context: ({ owner_id }) => tokenContext(owner_id),
})

export const findSettings = (db: Db<Tables>, ownerId: string): Promise<WebhookSettingsRow | undefined> =>
  db.selectFrom('webhook_settings').selectAll().where('owner_id', '=', ownerId).executeTakeFirst()

/** Institutes whose events go where those of the organization go. */
export const followersOf = (db: Db<Tables>, subscriptionId: string): Promise<readonly WebhookSettingsRow[]> =>
  db
    .selectFrom('webhook_settings')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('uses_subscription', '=', 1)
    .execute()

export const deleteSettings = async (db: Db<Tables>, ownerId: string): Promise<void> => {
  await db.deleteFrom('webhook_settings').where('owner_id', '=', ownerId).execute()
}

export const writeSettings = async (db: Db<Tables>, row: WebhookSettingsRow): Promise<void> => {
  const { owner_id: _, subscription_id: __, ...set } = row
  await db
    .insertInto('webhook_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(set))
    .execute()
}
