import type { Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'

/** Certificates that subscriptions have met: an owner of its own in the schema. */
export const certificateMigrations: readonly Migration[] = [
  { id: 1, name: 'certificates-known', breaking: false, up: createCertificates },
]

async function createCertificates(db: Kysely<unknown>): Promise<void> {
  await sql`create table known_certificate (
    subscription_id text not null references subscription (id),
    thumbprint text not null,
    certificate text not null,
    issuers text not null,
    first_at text not null,
    last_at text not null,
    primary key (subscription_id, thumbprint)
  )`.execute(db)
  await sql`create index known_certificate_to_purge on known_certificate (last_at)`.execute(db)
}
