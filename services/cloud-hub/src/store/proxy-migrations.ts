import type { Migration } from '@chancela/service-kernel/store'
import type { Kysely } from 'kysely'

/** Schema steps of the proxies of providers. Breaking: a program that does not know them would call past the proxy. */
export const proxyMigrations: readonly Migration[] = [{ id: 1, name: 'proxy of a provider', breaking: true, up: proxy }]

async function proxy(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('provider').addColumn('proxy_url', 'text').execute()
}
