// Files, documents and signatures: an owner of its own in the schema, so that other parts of the service grow beside it.
import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

export const documentMigrations: readonly Migration[] = [
  { id: 1, name: 'documents-files', breaking: false, up: createFiles },
  { id: 2, name: 'documents-documents', breaking: false, up: (db) => create(db, documents, documentIndexes) },
  { id: 3, name: 'documents-signatures', breaking: false, up: (db) => create(db, signatures, signatureIndexes) },
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

const documents: Readonly<Record<string, Columns>> = {
  document: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    application_id: 'text not null',
    key: 'text not null unique',
    signature_type: 'text not null',
    original_digest: 'text not null',
    original_size: 'integer not null',
    original_name: 'text not null',
    original_type: 'text not null',
    signed_digest: 'text not null',
    signed_size: 'integer not null',
    signed_name: 'text not null',
    signed_type: 'text not null',
    metadata: 'text not null',
    available_until: 'text',
    created_at: 'text not null',
  },
  document_signer: {
    document_id: 'text not null references document (id) on delete cascade',
    position: 'integer not null',
    certificate: 'text not null',
    signed_at: 'text not null',
    'primary key': '(document_id, position)',
  },
  document_key: {
    key: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    application_id: 'text not null',
    provisional_metadata: 'text',
    document_id: 'text',
    created_at: 'text not null',
    used_at: 'text',
  },
  document_key_metadata: {
    key: 'text not null references document_key (key) on delete cascade',
    name: 'text not null',
    value: 'text not null',
  },
}

const documentIndexes = [
  'index document_original on document (original_digest)',
  'index document_signed on document (signed_digest)',
  'index document_key_unused on document_key (subscription_id, created_at) where used_at is null',
  'index document_key_metadata_key on document_key_metadata (key)',
  'index document_key_metadata_name on document_key_metadata (name, value)',
]

const signatures: Readonly<Record<string, Columns>> = {
  prepared_signature: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    state: 'text not null',
    plan: 'text not null',
    certificate: 'text not null',
    issuers: 'text not null',
    context_id: 'text not null',
    ignores_unknown: 'integer not null',
    document_key: 'text',
    file_digest: 'text not null',
    file_size: 'integer not null',
    file_name: 'text not null',
    file_type: 'text not null',
    extra_digest: 'text',
    created_at: 'text not null',
    expires_at: 'text not null',
  },
}

const signatureIndexes = [
  'index prepared_signature_to_purge on prepared_signature (expires_at)',
  'index prepared_signature_file on prepared_signature (file_digest)',
  'index prepared_signature_extra on prepared_signature (extra_digest)',
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
