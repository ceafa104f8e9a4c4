import { migrate, type Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { documentPlatformSchema } from './migrations.ts'
import type { Tables } from './tables.ts'

const AT = '2026-11-01T00:00:00.000Z'

/** The schema with the platform's own steps up to one. */
const upTo = (last: number) => ({
  ...documentPlatformSchema,
  'api-keys': documentPlatformSchema['api-keys']!.slice(0, 1),
  'document-platform': documentPlatformSchema['document-platform']!.filter(({ id }) => id <= last),
  // They move and replace a table of a later step.
  ...Object.fromEntries(['audit-places', 'audit-chain', 'audit-entries'].map((owner) => [owner, []])),
})

/** An instance as it was when people were shared: Maria is known to two organizations and signs in for the second. */
async function before(store: Store<Tables>): Promise<void> {
  await migrate(store, upTo(2))
  const statements = [
    `insert into organization (id, name, time_zone, created_at) values
      ('a', 'A', 'UTC', '${AT}'), ('b', 'B', 'UTC', '${AT}')`,
    `insert into person (id, name, identifier, email, phone, password_hash, created_at, updated_at) values
      ('maria', 'Maria', '39053344705', 'maria@b.example', '+55', 'hash', '${AT}', '${AT}'),
      ('zé', 'Zé', null, 'ze@a.example', null, null, '${AT}', '${AT}')`,
    `insert into member (organization_id, person_id, administrator, manager, operator, created_at) values
      ('b', 'maria', 1, 0, 1, '${AT}')`,
    document('d1', 'a', 'Application'),
    document('d2', 'b', 'User'),
    participant('p1', 'd1', 'a', 'maria', 'maria@a.example'),
    participant('p2', 'd2', 'b', 'maria', 'maria@b.example'),
    `insert into observer (id, document_id, person_id, name, email) values ('o1', 'd1', 'zé', 'Zé', 'ze@a.example')`,
    `insert into client_application (id, name, created_at) values ('app', 'erp', '${AT}')`,
    `insert into application_scope (application_id, organization_id, role) values ('app', 'a', 'Organization')`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(store.db)
}

const document = (id: string, organization: string, createdBy: string) => `insert into document (id, organization_id,
    key, name, name_key, filename, mime_type, size, md5, status, format, is_envelope, force_cades, signature_type,
    created_by_id, created_by_name, created_by_key, created_by_type, created_at, updated_at, has_signers, revision,
    original_digest, current_digest, current_size, signatures, notified_emails, disable_pending_notifications,
    disable_notifications, timestamp_enabled)
  values ('${id}', '${organization}', 'key ${id}', 'n', 'n', 'n', 'm', 1, 'm', 'Pending', 'Pades', 0, 0, 'None',
    'maria', 'Maria', 'maria', '${createdBy}', '${AT}', '${AT}', 1, 1, 'x', 'x', 1, 0, '[]', 0, 0, 0)`

const participant = (id: string, documentId: string, organization: string, person: string, email: string) =>
  `insert into participant (id, action_id, document_id, organization_id, position, person_id, name, name_key,
    identifier, email, is_electronic, reminders)
  values ('${id}', 'action', '${documentId}', '${organization}', 0, '${person}', 'Maria', 'maria', '39053344705',
    '${email}', 0, 0)`

for (const [name, open] of Object.entries(testStores)) {
  describe(`an instance in which people were shared, on ${name}`, () => {
    test('gives each organization its own contacts, and who signed in an account under the same id', async () => {
      const store = await open<Tables>()
      await before(store)
      await migrate(store, documentPlatformSchema)
      const contacts = await store.db
        .selectFrom('contact')
        .select(['organization_id', 'id', 'name', 'identifier', 'email', 'phone'])
        .orderBy('organization_id')
        .orderBy('id')
        .execute()
      const maria = { id: 'maria', name: 'Maria', identifier: '39053344705' }
      expect(contacts).toEqual([
        { organization_id: 'a', ...maria, email: 'maria@a.example', phone: null },
        { organization_id: 'a', id: 'zé', name: 'Zé', identifier: null, email: 'ze@a.example', phone: null },
        { organization_id: 'b', ...maria, email: 'maria@b.example', phone: '+55' },
      ])
      const accounts = await store.db.selectFrom('account').select(['id', 'email', 'password_hash']).execute()
      expect(accounts).toEqual([{ id: 'maria', email: 'maria@b.example', password_hash: 'hash' }])
      const [member] = await store.db.selectFrom('member').selectAll().execute()
      expect(member).toMatchObject({ organization_id: 'b', person_id: 'maria', account_id: 'maria' })
      const involved = await store.db
        .selectFrom('document_term')
        .select(['shelf', 'term', 'document_id'])
        .orderBy('document_id')
        .orderBy('term')
        .execute()
      expect(involved).toEqual([
        { shelf: 'a', term: 'vmaria', document_id: 'd1' },
        { shelf: 'a', term: 'vzé', document_id: 'd1' },
        { shelf: 'b', term: 'vmaria', document_id: 'd2' },
      ])
      const [scope] = await store.db.selectFrom('application_scope').selectAll().execute()
      expect(scope).toMatchObject({ name: 'erp' })
    })
  })
}
