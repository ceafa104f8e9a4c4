import { type Kysely, sql } from 'kysely'

/** What signing in keeps. */
export async function signIn(db: Kysely<unknown>): Promise<void> {
  await sessions(db)
  await guesses(db)
}

async function sessions(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_session (
    id text primary key,
    account_id text not null,
    organization_id text not null,
    created_at text not null,
    seen_at text not null,
    ip text not null,
    user_agent text not null,
    ended_at text
  )`.execute(db)
  await sql`create index account_session_account on account_session (account_id, created_at)`.execute(db)
  await sql`create index account_session_age on account_session (seen_at)`.execute(db)
}

async function guesses(db: Kysely<unknown>): Promise<void> {
  await sql`create table sign_in_guess (
    id text primary key,
    guesses integer not null,
    expires_at text not null
  )`.execute(db)
  await sql`create index sign_in_guess_age on sign_in_guess (expires_at)`.execute(db)
}
