import type { Migration } from '../../store/index.ts'

/** The kernel's tables for API keys; a service that uses them adds these to its own. */
export interface ApiKeyTables {
  client_application: ClientApplicationRow
  api_key: ApiKeyRow
}

export interface ClientApplicationRow {
  id: string
  name: string
  created_at: string
  disabled_at: string | null
  /** 1: made by the operator of the instance, at the machine itself. */
  by_operator: number
}

export interface ApiKeyRow {
  id: string
  application_id: string
  /** SHA-256 of the secret, base64url; the secret itself is not stored. */
  hash: string
  description: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

/** Schema steps of the API keys, under an owner of their own: `{ 'api-keys': apiKeyMigrations, … }`. */
export const apiKeyMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'client-applications-and-keys',
    breaking: false,
    async up(db) {
      await db.schema
        .createTable('client_application')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('disabled_at', 'text')
        .execute()
      await db.schema
        .createTable('api_key')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('application_id', 'text', (column) => column.notNull().references('client_application.id'))
        .addColumn('hash', 'text', (column) => column.notNull().unique())
        .addColumn('description', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'text')
        .addColumn('revoked_at', 'text')
        .addColumn('last_used_at', 'text')
        .execute()
      await db.schema.createIndex('api_key_application').on('api_key').column('application_id').execute()
    },
  },
  {
    id: 2,
    name: 'applications-made-by-the-operator',
    breaking: false,
    async up(db) {
      // Until now nothing told who made an application; a service that lets others make some keeps a row of each.
      await db.schema
        .alterTable('client_application')
        .addColumn('by_operator', 'integer', (column) => column.notNull().defaultTo(1))
        .execute()
    },
  },
]
