// Files, documents and signatures: an owner of its own in the schema, so that other parts of the service grow beside it.
import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

export const documentMigrations: readonly Migration[] = [
  { id: 1, name: 'documents-files', breaking: false, up: createFiles },
]

type Columns = Readonly<Record<string, string>>

const files: Readonly<Record<string, Columns>> = {
  upload: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    state: 'text not null',
    digest: 'text',
    size: 'integer',
    name: 'text',
    content_type: 'text',
    created_at: 'text not null',
    expires_at: 'text not null',
  },
  upload_part: {
    upload_id: 'text not null references upload (id) on delete cascade',
    position: 'integer not null',
    digest: 'text not null',
    size: 'integer not null',
    md5: 'text not null',
    'primary key': '(upload_id, position)',
  },
  blob_sweep: { id: 'integer primary key', swept_at: 'text not null' },
}

const fileIndexes = [
  'index upload_to_purge on upload (expires_at)',
  'index upload_blob on upload (digest)',
  'index upload_part_blob on upload_part (digest)',
]

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await create(db, files, fileIndexes)
  await sql`insert into blob_sweep (id, swept_at) values (1, '1970-01-01T00:00:00.000Z')`.execute(db)
}

async function create(
  db: Kysely<unknown>,
  tables: Readonly<Record<string, Columns>>,
  indexes: readonly string[],
): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}
