import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Schema steps of applications with their roles, of subscriptions and of security contexts. */
export const managementMigrations: readonly Migration[] = [
  { id: 1, name: 'management-access', breaking: false, up: access },
  { id: 2, name: 'management-activity', breaking: false, up: activity },
]

const statements = async (db: Kysely<unknown>, texts: readonly string[]): Promise<void> => {
  for (const text of texts) await sql.raw(text).execute(db)
}

function access(db: Kysely<unknown>): Promise<void> {
  return statements(db, [
    `create table application_access (
      application_id text primary key references client_application (id),
      subscription_id text not null references subscription (id),
      root_roles text not null,
      grant_application_id text,
      default_metadata text not null,
      deleted_at text
    )`,
    'create index application_access_subscription on application_access (subscription_id)',
    'create index application_role_subscription on application_role (subscription_id)',
    'alter table subscription add column disabled_at text',
    'create unique index subscription_name on subscription (lower(name))',
    "alter table security_context add column revocation text not null default 'Required'",
    "alter table security_context add column policies text not null default '[]'",
    'alter table security_context add column version integer not null default 1',
    'create unique index security_context_name on security_context (subscription_id, lower(name))',
  ])
}

function activity(db: Kysely<unknown>): Promise<void> {
  return statements(db, [
    `create table authentication_entry (
      id text primary key,
      at text not null,
      subscription_id text not null,
      application_id text not null,
      generation text not null,
      context_id text not null,
      outcome text not null,
      subject text,
      identifier text,
      thumbprint text
    )`,
    'create index authentication_entry_at on authentication_entry (at)',
    'create index authentication_entry_subscription on authentication_entry (subscription_id, id)',
    `create table problem_entry (
      id text primary key,
      exception_code text not null,
      at text not null,
      status integer not null,
      code text not null,
      path text not null,
      problem text not null,
      detail text
    )`,
    'create index problem_entry_code on problem_entry (exception_code)',
    'create index problem_entry_at on problem_entry (at)',
  ])
}
