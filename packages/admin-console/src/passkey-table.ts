import type { Migration } from '@chancela/service-kernel/store'

/**
 * One row of `administrator_passkey`. Nothing is sealed: a public key verifies and signs nothing, and a counter is no
 * secret. Whoever can write rows could as well replace the hash of a password.
 */
export interface PasskeyRow {
  id: string
  administrator_id: string
  /** The id the authenticator gave it, in base64url. */
  credential_id: string
  /** COSE_Key, in base64url. */
  public_key: string
  /** Of the last use; stays 0 for passkeys that do not count, such as those of a phone. */
  counter: number
  /** The name of the site it was made for. */
  rp_id: string
  /** JSON list: how browsers reach it. */
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}

/** The schema step of the table. */
export const createPasskeys: Migration['up'] = async (db) => {
  await db.schema.alterTable('administrator').addColumn('passkey_stamp', 'text').execute()
  await db.schema
    .createTable('administrator_passkey')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('administrator_id', 'text', (column) => column.notNull())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await db.schema
    .createIndex('administrator_passkey_administrator')
    .on('administrator_passkey')
    .column('administrator_id')
    .execute()
}
