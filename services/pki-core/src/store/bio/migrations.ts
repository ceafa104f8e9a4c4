import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Tables of the biometric sessions, with an owner of their own: they change apart from the others. */
export const bioMigrations: readonly Migration[] = [
  { id: 1, name: 'bio-sessions-and-subjects', breaking: false, up: sessionsAndSubjects },
  { id: 2, name: 'bio-listed-subjects', breaking: false, up: listedSubjects },
]

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bio_session: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    application_id: 'text not null',
    application: 'text not null',
    type: 'text not null',
    state: 'text not null',
    failure: 'text',
    token_hash: 'text not null unique',
    ticket_hash: 'text not null unique',
    completed_at: 'text',
    subject_identifier: 'text',
    subject_id: 'text',
    overrides: 'integer not null',
    trusted_origin: 'text',
    return_url: 'text',
    consent: 'text',
    attempts: 'integer not null',
    frame: 'integer not null',
    capture: 'text',
    face_image: 'text',
    created_at: 'text not null',
    expires_at: 'text not null',
    ended_at: 'text',
  },
  bio_subject: {
    id: 'text primary key',
    subscription_id: 'text not null references subscription (id)',
    identifier: 'text',
    face_id: 'text',
    engine: 'text',
    template: 'text',
    face_image: 'text',
    consent: 'text',
    created_at: 'text not null',
    updated_at: 'text not null',
    deleted_at: 'text',
  },
}

const indexes: readonly string[] = [
  // Two enrollments of one person at the same moment: one of them finds the other here.
  'unique index bio_subject_identifier on bio_subject (subscription_id, identifier)',
  'index bio_session_running on bio_session (state, expires_at)',
  'index bio_session_ended on bio_session (ended_at)',
]

async function sessionsAndSubjects(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
    await sql.raw(`create table ${table} (${list.join(', ')})`).execute(db)
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}

/** For the lists of the admin page, and for what goes with a subject that is deleted. */
async function listedSubjects(db: Kysely<unknown>): Promise<void> {
  await sql`create index bio_subject_newest on bio_subject (created_at, id)`.execute(db)
  await sql`create index bio_subject_of_subscription on bio_subject (subscription_id, created_at, id)`.execute(db)
  await sql`create index bio_session_subject on bio_session (subject_id)`.execute(db)
}
