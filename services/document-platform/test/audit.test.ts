// The audit of an organization: who did what, from where; and that nobody can change it unseen.
import { DAY } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import { later } from './test-support/look-now.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  approver,
  createDocument,
  databases,
  type PlatformWorld,
  people,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'
import { browserOf, newUser, PASSWORD, signedIn } from './test-support/users.ts'

const { Email } = await fileMailbox()

const pathOf = ({ organization }: PlatformWorld) => `/api/organizations/${organization.id}`

/** Entries of the world's organization, oldest first. */
async function entriesOf(world: PlatformWorld, query = '') {
  const { status, body } = await world.json('GET', `${pathOf(world)}/audit?limit=500${query}`)
  if (status !== 200) throw new Error(`No audit: ${JSON.stringify(body)}`)
  return body.items.toReversed()
}
const kindsOf = async (world: PlatformWorld, query = '') =>
  (await entriesOf(world, query)).map(({ kind }: { kind: string }) => kind)

const verdictOf = async (world: PlatformWorld) => (await world.json('GET', `${pathOf(world)}/audit/verification`)).body

for (const database of databases) {
  describe(`the audit on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })
    const once = testOnce(database)

    test('tells who did what to whom, from where, with what was before and after', async () => {
      const world = await platform()
      const helena = await signedIn(world, { name: 'Helena Prado' })
      const email = `${crypto.randomUUID()}@example.com`
      const bia = (await helena.call('POST', '/api/organizations/users', { name: 'Bia Reis', email })).body
      const roles = { name: 'Bia Reis', email, accessProfile: { manager: true, operator: true } }
      await helena.call('POST', '/api/organizations/users', roles)
      await helena.call('PUT', pathOf(world), { name: 'Santa Clara SA' })
      const [changed] = await entriesOf(world, '&kind=UserRolesChanged')
      expect(changed).toEqual({
        number: expect.any(Number),
        date: world.clock().toISOString(),
        kind: 'UserRolesChanged',
        actor: { type: 'User', id: helena.id, name: 'Helena Prado' },
        ipAddress: '127.0.0.1',
        subject: { kind: 'user', id: bia.id, name: 'Bia Reis' },
        before: { manager: false },
        after: { manager: true },
        hash: expect.stringMatching(/^[\w-]{43}$/),
      })
      expect(await entriesOf(world, '&kind=OrganizationChanged')).toMatchObject([
        { before: { name: world.organization.name }, after: { name: 'Santa Clara SA' } },
      ])
      await helena.call('DELETE', `/api/organizations/users/${bia.id}`)
      expect(await kindsOf(world, `&actorId=${helena.id}`)).toEqual([
        'SignedIn',
        'UserAdded',
        'InvitationSent',
        'UserRolesChanged',
        'InvitationSent',
        'OrganizationChanged',
        'UserRemoved',
      ])
    })

    test('tells of applications, keys and webhooks, and never their secrets', async () => {
      const world = await platform()
      const path = pathOf(world)
      const { body: made } = await world.json('POST', `${path}/applications`, { name: 'erp' })
      const keys = `${path}/applications/${made.application.id}/keys`
      const { body: key } = await world.json('POST', keys, { description: 'nova' })
      // Of what changes nothing there is nothing to tell.
      for (let times = 0; times < 2; times += 1) await world.json('DELETE', `${keys}/${key.id}`)
      const webhook = { url: 'https://example.com/hook', authType: 'Bearer', token: 'segredo-do-cliente' }
      const { body: hook } = await world.json('POST', `${path}/webhooks`, webhook)
      const one = `${path}/webhooks/${hook.id}`
      await world.json('PUT', one, { ...webhook, url: 'https://example.com/other' })
      await world.json('PUT', `${one}/state`, { state: 'paused' })
      const { body: rotated } = await world.json('POST', `${one}/secret`)
      await world.json('DELETE', one)
      expect(await kindsOf(world)).toEqual([
        'ApplicationCreated',
        'ApiKeyCreated',
        'ApiKeyCreated',
        'ApiKeyRevoked',
        'WebhookCreated',
        'WebhookChanged',
        'WebhookSwitched',
        'WebhookSecretRotated',
        'WebhookDeleted',
      ])
      const kept = JSON.stringify(await world.store.db.selectFrom('audit_entry').selectAll().execute())
      for (const secret of [webhook.token, hook.secret, rotated.secret, made.apiKey.split('|')[1], PASSWORD])
        expect(kept).not.toContain(secret)
      expect((await entriesOf(world, '&kind=WebhookChanged'))[0]).toMatchObject({
        actor: { type: 'Application', id: world.organization.applicationId },
        before: { url: 'https://example.com/hook' },
        after: { url: 'https://example.com/other' },
      })
    })

    test('tells of sign-ins, wrong passwords, the lock and what follows', async () => {
      const world = await platform()
      const ana = await newUser(world)
      const browser = browserOf(world)
      await browser.signIn(ana.email, 'errada')
      await browser.signIn(ana.email)
      await browser.call('PUT', '/api/session/password', { password: PASSWORD, newPassword: 'um trem para as onze' })
      await browserOf(world).signIn(ana.email, 'um trem para as onze')
      await browser.call('DELETE', '/api/session/sessions')
      await browser.call('DELETE', '/api/session')
      await browser.call('POST', '/api/session/password-reset', { email: ana.email })
      for (let time = 0; time < 7; time += 1) await browser.signIn(ana.email, 'errada')
      const entries = await entriesOf(world)
      expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual([
        'UserAdded',
        'SignInFailed',
        'SignedIn',
        'PasswordChanged',
        'SignedIn',
        'SessionsEnded',
        'SignedOut',
        'PasswordResetRequested',
        ...Array(5).fill('SignInFailed'),
        'SignInLocked',
      ])
      expect(entries[1]).toMatchObject({ actor: { type: 'Anonymous', id: null }, subject: { id: ana.id } })
      expect(entries[3]).toMatchObject({ actor: { type: 'User', id: ana.id, name: 'Ana Souza' } })
    })

    test('tells of folders and documents that were deleted, of files that users opened, of addresses given out', async () => {
      const world = await platform()
      const helena = await signedIn(world)
      const folder = (await world.json('POST', '/api/folders', { name: 'velha' })).body
      const id = await createDocument(world, [approver(people.ana)])
      await helena.call('GET', `/api/documents/${id}/ticket?type=Original`)
      await world.json('GET', `/api/documents/${id}/ticket?type=Original`)
      const asked = { identifier: people.ana.identifier }
      await helena.call('POST', `/api/documents/${id}/action-url`, asked)
      await world.json('POST', `/api/documents/${id}/action-url`, asked)
      await world.json('DELETE', `/api/documents/${id}`)
      await world.json('POST', `/api/folders/${folder.id}/delete`, {})
      const told = await entriesOf(world)
      expect(told.slice(2)).toMatchObject([
        { kind: 'FolderCreated', subject: { id: folder.id, name: 'velha' }, after: { name: 'velha', parentId: null } },
        { kind: 'DocumentDownloaded', actor: { id: helena.id }, subject: { id }, after: { type: 'Original' } },
        { kind: 'ActionUrlCreated', actor: { id: helena.id }, subject: { id } },
        { kind: 'DocumentDeleted', actor: { type: 'Application' }, subject: { id } },
        { kind: 'FolderDeleted', subject: { id: folder.id, name: 'velha' } },
      ])
    })

    test('is an organization’s own: of one account each sees what concerns it', async () => {
      const [world, other] = [await platform(), await platform()]
      const admin = administration(world)
      const ana = await newUser(world)
      world.clock.advance(1000)
      const user = { name: 'Outra Ana', email: ana.email }
      await admin('POST', `${pathOf(other)}/users`, user)
      const browser = browserOf(world)
      await browser.signIn(ana.email)
      expect(await kindsOf(other)).toEqual(['UserAdded'])
      await browser.signIn(ana.email, 'errada')
      expect(await kindsOf(world)).toEqual(['UserAdded', 'SignedIn', 'SignInFailed'])
      const [, failed] = await entriesOf(other)
      expect(failed).toMatchObject({ kind: 'SignInFailed', subject: { name: 'Outra Ana' } })
      expect(JSON.stringify(await entriesOf(other))).not.toContain(ana.id)
      await browser.signIn(ana.email)
      await browser.call('PUT', '/api/session/organization', { organizationId: other.organization.id })
      expect((await kindsOf(other)).at(-1)).toBe('OrganizationEntered')
      expect(await world.json('GET', `${pathOf(other)}/audit`)).toMatchObject({ status: 403 })
      expect((await admin('GET', `${pathOf(other)}/audit`)).body.items).toHaveLength(3)
    })

    test('outlives its organization, for the administration', async () => {
      const world = await platform()
      const admin = administration(world)
      const { body: made } = await admin('POST', '/api/admin/organizations', { name: 'Clínica' })
      await admin('DELETE', `/api/admin/organizations/${made.id}`)
      const { body } = await admin('GET', `/api/organizations/${made.id}/audit`)
      expect(body.items).toMatchObject([{ kind: 'OrganizationDeleted' }, { kind: 'OrganizationCreated' }])
    })

    test('is read page by page, of a kind, an actor and a time', async () => {
      const world = await platform()
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await world.json('POST', `${pathOf(world)}/applications`, { name })
        world.clock.advance(1000)
      }
      const page = async (query: string) => (await world.json('GET', `${pathOf(world)}/audit?${query}`)).body
      const first = await page('limit=4&kind=ApplicationCreated')
      expect(first.items.map(({ subject }: { subject: { name: string } }) => subject.name)).toEqual([
        'e',
        'd',
        'c',
        'b',
      ])
      const second = await page(`limit=4&kind=ApplicationCreated&cursor=${first.nextCursor}`)
      expect(second).toMatchObject({ items: [{ subject: { name: 'a' } }], nextCursor: null })
      const [until, since] = [first.items[0].date, first.items[2].date]
      expect((await page(`since=${since}&until=${until}&kind=ApplicationCreated`)).items).toHaveLength(2)
      expect((await page(`actorId=${crypto.randomUUID()}`)).items).toEqual([])
      expect((await world.json('GET', `${pathOf(world)}/audit?since=ontem`)).status).toBe(400)
    })

    test('is written with the change, or neither is', async () => {
      const world = await platform()
      await world.store.db.schema.alterTable('organization_audit').renameTo('elsewhere').execute()
      const answer = await world.json('PUT', pathOf(world), { name: 'Outro nome' })
      await world.store.db.schema.alterTable('elsewhere').renameTo('organization_audit').execute()
      expect(answer.status).toBe(500)
      expect((await world.json('GET', pathOf(world))).body.name).toBe(world.organization.name)
    })

    test('stays whole when many act at once', async () => {
      const world = await platform()
      const names = Array.from({ length: 20 }, (_, at) => `app ${at}`)
      await Promise.all(names.map((name) => world.json('POST', `${pathOf(world)}/applications`, { name })))
      const entries = await entriesOf(world)
      expect(entries.map(({ number }: { number: number }) => number)).toEqual(
        entries.map((_: unknown, at: number) => at + 1),
      )
      expect(await verdictOf(world)).toEqual({
        isIntact: true,
        entries: 40,
        first: { number: 1, date: entries[0].date },
        last: { number: 40, date: entries[39].date, hash: entries[39].hash },
        brokenAt: null,
      })
    })

    const tampering: Readonly<Record<string, (world: PlatformWorld) => Promise<unknown>>> = {
      'changes an entry': ({ store, organization }) =>
        store.db
          .updateTable('audit_entry')
          .set({ actor_name: 'Outra pessoa' })
          .where('organization_id', '=', organization.id)
          .where('number', '=', 2)
          .execute(),
      'removes an entry': ({ store, organization }) =>
        store.db
          .deleteFrom('audit_entry')
          .where('organization_id', '=', organization.id)
          .where('number', '=', 2)
          .execute(),
      'removes one and closes the gap': async ({ store, organization }) => {
        const own = store.db.deleteFrom('audit_entry').where('organization_id', '=', organization.id)
        await own.where('number', '=', 2).execute()
        for (const number of [3, 4])
          await store.db
            .updateTable('audit_entry')
            .set({ number: number - 1 })
            .where('organization_id', '=', organization.id)
            .where('number', '=', number)
            .execute()
      },
      'removes the latest': ({ store, organization }) =>
        store.db
          .deleteFrom('audit_entry')
          .where('organization_id', '=', organization.id)
          .where('number', '>', 1)
          .execute(),
      'removes the chain': ({ store, organization }) =>
        store.db.deleteFrom('organization_audit').where('organization_id', '=', organization.id).execute(),
    }

    test.each(Object.entries(tampering))('shows that somebody at the database %s', async (what, tamper) => {
      const world = await platform()
      for (const name of ['a', 'b']) await world.json('POST', `${pathOf(world)}/applications`, { name })
      expect(await verdictOf(world)).toMatchObject({ isIntact: true, entries: 4 })
      await tamper(world)
      const brokenAt = what === 'removes the chain' ? 5 : 2
      expect(await verdictOf(world)).toMatchObject({ isIntact: false, brokenAt })
    })

    test('goes after its time, from the oldest entry on, and what is left stays whole', async () => {
      const world = await startPlatform(database, { settings: { Audit: { RetentionDays: 30 } } })
      await world.json('POST', `${pathOf(world)}/applications`, { name: 'a' })
      world.clock.advance(20 * DAY)
      await world.json('POST', `${pathOf(world)}/applications`, { name: 'b' })
      await later(world, 11 * DAY)
      await vi.waitUntil(async () => (await entriesOf(world)).length === 2, { interval: 20 })
      expect(await verdictOf(world)).toMatchObject({ isIntact: true, entries: 2, first: { number: 3 } })
      await later(world, 40 * DAY)
      await vi.waitUntil(async () => (await entriesOf(world)).length === 1, { interval: 20 })
      await world.json('POST', `${pathOf(world)}/applications`, { name: 'c' })
      expect(await verdictOf(world)).toMatchObject({ isIntact: true, last: { number: 6 } })
    })

    test('is exported as a file in the reader’s language, of the own organization alone, and tells so', async () => {
      const [world, other] = [await platform(), await platform()]
      const helena = await signedIn(world, { name: 'Helena Prado' })
      await other.json('POST', `${pathOf(other)}/applications`, { name: 'de outra' })
      world.clock.advance(1000)
      const from = world.clock()
      await world.json('POST', `${pathOf(world)}/applications`, { name: '=soma' })
      const file = async (query: string) => {
        const answer = await world.call('GET', `${pathOf(world)}/audit/export.${query}`)
        return { answer, text: await answer.text() }
      }
      const csv = await file('csv')
      expect(csv.answer.headers.get('content-disposition')).toMatch(/attachment; filename="?audit-[\d-]+\.csv/)
      const rows = csv.text.split('\r\n')
      expect([rows.length, rows[0]]).toEqual([7, expect.stringContaining('"Data e hora (UTC)"')])
      expect(rows[1]).toContain('"Um usuário foi incluído: Helena Prado"')
      expect(rows[2]).toContain(`"Helena Prado","127.0.0.1","user","${helena.id}"`)
      expect(csv.text).not.toContain('de outra')
      const jsonl = await file('jsonl?language=en-US')
      const lines = jsonl.text.trimEnd().split('\n')
      const last = JSON.parse(lines.at(-1)!)
      expect([lines.length, last]).toEqual([
        6,
        expect.objectContaining({
          type: 'AuditExported',
          address: '127.0.0.1',
          text: 'The audit was exported as a file.',
          changes: { before: {}, after: { format: 'jsonl', since: null, until: null } },
        }),
      ])
      expect(await kindsOf(world, '&kind=AuditExported')).toHaveLength(2)
      expect((await file(`jsonl?until=${from.toISOString()}`)).text.trimEnd().split('\n')).toHaveLength(2)
      expect((await file('csv?since=ontem')).answer.status).toBe(400)
      const foreign = await world.call('GET', `${pathOf(other)}/audit/export.csv`)
      expect([foreign.status, await kindsOf(other, '&kind=AuditExported')]).toEqual([403, []])
    })

    once('an address that the instance has not is refused', async () => {
      const world = await platform()
      expect(await administration(world)('GET', `/api/organizations/${crypto.randomUUID()}/audit`)).toMatchObject({
        status: 422,
        body: { code: 'OrganizationNotFound' },
      })
    })
  })
}
