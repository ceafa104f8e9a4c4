import type { Dialect, Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import { createTables, type TableColumns } from './create-tables.ts'

/** Schema steps of the eight kinds, of their files and of batches. */
export const documentMigrations: readonly Migration[] = [{ id: 1, name: 'documents', breaking: false, up: documents }]

const must = 'text not null'

const item = {
  id: 'text primary key',
  subscription_id: 'text not null references subscription (id)',
  institute_id: 'text not null references institute (id)',
  version: must,
  status: must,
}
const times = { created_at: must, updated_at: must }
const searched = { search_key: must }
const ofStudent = {
  ...searched,
  student_name: must,
  student_social_name: 'text',
  student_cpf: must,
  course: must,
  course_id: 'text references course (id)',
  issuing_ies: must,
}
const signed = {
  flow_id: 'text references flow (id)',
  signer_document_id: 'text',
  signer_document_url: 'text',
  signing_error: 'text',
}

// Long texts are the last columns: SQLite reads the others without them.
const tables: TableColumns = {
  degree: {
    ...item,
    ...ofStudent,
    ...signed,
    was_restored: 'integer not null',
    registrar_institute_id: 'text references institute (id)',
    registering_ies: must,
    nonce: must,
    verification_code: 'text',
    reason: 'text',
    cancellation_reason: 'text',
    transcript_creation_error: 'text',
    transcript_id: 'text',
    emission_id: 'text',
    batch_id: 'text',
    emission_date: 'text',
    registration_date: 'text',
    concluded_at: 'text',
    suspended_until: 'text',
    annulled_at: 'text',
    wallet_index: 'integer',
    ...times,
    input: must,
    book: 'text',
  },
  emission: {
    ...item,
    ...ofStudent,
    ...signed,
    status_before: 'text',
    nonce: must,
    reason: 'text',
    partnership_id: 'text references partnership (id)',
    registrar_institute_id: 'text references institute (id)',
    registration_id: 'text',
    registration_status: 'text',
    registration_cancellation_reason: 'text',
    degree_id: 'text',
    batch_id: 'text',
    sent_at: 'text',
    ...times,
    input: must,
  },
  registration: {
    ...item,
    ...ofStudent,
    ...signed,
    description: 'text',
    reason: 'text',
    cancellation_reason: 'text',
    partnership_id: 'text references partnership (id)',
    issuer_subscription_id: 'text',
    emission_id: 'text',
    nonce: must,
    verification_code: 'text',
    expedition_date: 'text',
    registration_date: 'text',
    sent_to_issuer_at: 'text',
    annulled_at: 'text',
    ...times,
    input: must,
    book: 'text',
  },
  academic_transcript: {
    ...item,
    ...ofStudent,
    ...signed,
    type: must,
    verification_code: must,
    reason: 'text',
    degree_id: 'text',
    batch_id: 'text',
    concluded_at: 'text',
    ...times,
    input: must,
  },
  curriculum: {
    ...item,
    ...searched,
    ...signed,
    code: must,
    course: must,
    course_id: 'text references course (id)',
    ies_name: must,
    validation_code: must,
    reason: 'text',
    concluded_at: 'text',
    ...times,
    input: must,
  },
  cancellation_list: {
    ...item,
    ...signed,
    ies_code: must,
    ies_name: must,
    sequence_number: 'integer not null',
    maximum_next_update_date: must,
    items: 'integer not null',
    signed_at: 'text',
    ...times,
  },
  inspection_file: {
    ...item,
    ...signed,
    type: must,
    ies_code: must,
    inspected_degrees: 'integer not null',
    start_date: must,
    end_date: must,
    details: 'text',
    ...times,
  },
  restamp: {
    ...item,
    document_type: must,
    document_id: must,
    identifier: must,
    archiving_expires_at: must,
    due_at: must,
    error_reason: 'text',
    updates: 'integer not null',
    ...times,
  },
  item_file: {
    item_id: must,
    name: must,
    version: 'integer not null',
    digest: must,
    bytes: 'integer not null',
    media_type: must,
    created_at: must,
    'primary key': '(item_id, name, version)',
  },
  blob_sweep: { id: 'integer primary key', swept_at: must },
  batch: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    institute_id: 'text not null references institute (id)',
    kind: must,
    status: must,
    digest: must,
    format: must,
    options: must,
    rows: 'integer not null',
    done: 'integer not null',
    failed: 'integer not null',
    created_by: must,
    ...times,
    finished_at: 'text',
  },
  batch_row: {
    batch_id: 'text not null references batch (id)',
    number: 'integer not null',
    status: must,
    item_id: 'text',
    errors: 'text',
    'primary key': '(batch_id, number)',
  },
}

/** Lists go from the newest item to the oldest, of an organization, in one state, or of one institute. */
const listed = (table: string): readonly string[] => [
  `index ${table}_list on ${table} (subscription_id, created_at, id)`,
  `index ${table}_status on ${table} (subscription_id, status, created_at, id)`,
  `index ${table}_institute on ${table} (institute_id, created_at, id)`,
]

const kinds = [
  'degree',
  'emission',
  'registration',
  'academic_transcript',
  'curriculum',
  'cancellation_list',
  'inspection_file',
  'restamp',
] as const

const indexes: readonly string[] = [
  ...kinds.flatMap(listed),
  'unique index degree_nonce on degree (nonce)',
  // The public page is found by the code alone: no two degrees of an instance have one.
  'unique index degree_code on degree (verification_code) where verification_code is not null',
  'unique index degree_wallet on degree (institute_id, wallet_index) where wallet_index is not null',
  'index degree_annulled on degree (registrar_institute_id, annulled_at) where annulled_at is not null',
  'index degree_registered on degree (registrar_institute_id, registration_date) where registration_date is not null',
  'index degree_emitted on degree (institute_id, emission_date) where emission_date is not null',
  'index degree_signer on degree (signer_document_id) where signer_document_id is not null',
  'unique index degree_emission on degree (emission_id) where emission_id is not null',
  'unique index emission_nonce on emission (nonce)',
  'index emission_registration on emission (registration_id) where registration_id is not null',
  'index emission_signer on emission (signer_document_id) where signer_document_id is not null',
  'unique index registration_code on registration (verification_code) where verification_code is not null',
  // A request that is open, or was granted, is not made twice for one academic documentation.
  "unique index registration_nonce on registration (institute_id, nonce) where status not in ('Rejected', 'Canceled')",
  'index registration_emission on registration (emission_id) where emission_id is not null',
  'index registration_signer on registration (signer_document_id) where signer_document_id is not null',
  'unique index academic_transcript_code on academic_transcript (verification_code)',
  'index academic_transcript_degree on academic_transcript (degree_id) where degree_id is not null',
  'index academic_transcript_signer on academic_transcript (signer_document_id) where signer_document_id is not null',
  'unique index curriculum_validation_code on curriculum (validation_code)',
  "unique index curriculum_concluded on curriculum (institute_id, code) where status = 'Concluded'",
  'index curriculum_signer on curriculum (signer_document_id) where signer_document_id is not null',
  'unique index cancellation_list_number on cancellation_list (institute_id, sequence_number)',
  "unique index cancellation_list_unsigned on cancellation_list (institute_id) where status = 'Created'",
  "index inspection_file_generating on inspection_file (created_at) where status = 'Generating'",
  "unique index restamp_open on restamp (document_type, document_id) where status in ('Scheduled', 'ApplyingError')",
  "index restamp_due on restamp (due_at) where status = 'Scheduled'",
  'index item_file_digest on item_file (digest)',
  'index batch_list on batch (subscription_id, created_at, id)',
  "index batch_open on batch (created_at) where status in ('Created', 'Processing')",
  'index batch_digest on batch (digest)',
  "index batch_row_waiting on batch_row (batch_id, number) where status = 'Waiting'",
  "index batch_row_failed on batch_row (batch_id, number) where status = 'Failed'",
]

async function documents(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createTables(db, tables, indexes)
  await sql`insert into blob_sweep (id, swept_at) values (1, '1970-01-01T00:00:00.000Z')`.execute(db)
  // The items of one term are a range of the key in the order of their ids, so that the newest are read alone.
  const clustered = sql.raw(dialect === 'sqlite' ? ' without rowid' : '')
  const binary = sql.raw(dialect === 'postgres' ? ' collate "C"' : '')
  await sql`create table item_term (
    shelf text${binary} not null,
    term text${binary} not null,
    item_id text${binary} not null,
    primary key (shelf, term, item_id)
  )${clustered}`.execute(db)
}
