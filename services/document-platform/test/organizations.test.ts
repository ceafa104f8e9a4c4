import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import {
  approver,
  createDocument,
  databases,
  newOrganization,
  people,
  sharedPlatform,
  startPlatform,
} from './test-support/platform-world.ts'
import { receiveEvents } from './test-support/receive-events.ts'
import { newUser } from './test-support/users.ts'

const CNPJ = '11.222.333/0001-81'
const forbidden = { status: 403, body: { code: 'Forbidden' } }

const billing = {
  email: 'financeiro@example.com',
  phone: '+551130000000',
  zipCode: '01310-100',
  city: 'São Paulo',
  state: 'SP',
}

for (const database of databases) {
  describe(`organizations on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('the details list the webhooks, without their tokens', async () => {
      const world = await platform()
      const path = `/api/organizations/${world.organization.id}`
      const webhook = { url: 'https://example.com/hook', authType: 'Bearer', token: 'segredo-do-cliente' }
      const { body: created } = await world.json('POST', `${path}/webhooks`, webhook)
      const { body } = await world.json('GET', path.toUpperCase().replace('/API/ORGANIZATIONS', '/api/organizations'))
      expect(body).toMatchObject({
        id: world.organization.id,
        name: world.organization.name,
        identifier: null,
        owner: null,
        isPersonal: false,
        timeZone: 'America/Sao_Paulo',
        billingInformation: null,
        webhooks: [{ id: created.id, url: webhook.url, authType: 'Bearer', hasToken: true, state: 'enabled' }],
      })
      expect(JSON.stringify(body)).not.toContain('segredo-do-cliente')
    })

    test('another organization is forbidden; the administration sees all', async () => {
      const [world, other] = [await platform(), await platform()]
      const path = `/api/organizations/${other.organization.id}`
      expect(await world.json('GET', path)).toMatchObject(forbidden)
      expect(await world.json('PUT', path, { name: 'x' })).toMatchObject(forbidden)
      expect(await world.json('GET', `${path}/users`)).toMatchObject(forbidden)
      expect(await world.json('GET', `${path}/applications`)).toMatchObject(forbidden)
      const admin = administration(world)
      expect((await admin('GET', path)).body.id).toBe(other.organization.id)
      expect(await admin('GET', `/api/organizations/${crypto.randomUUID()}`)).toMatchObject({
        status: 422,
        body: { code: 'OrganizationNotFound' },
      })
    })

    test('name, time zone and billing information are changed; what is left out stays', async () => {
      const world = await platform()
      const path = `/api/organizations/${world.organization.id}`
      const changed = await world.json('PUT', path, {
        name: 'Santa Clara SA',
        timeZone: 'America/Manaus',
        billingInformation: billing,
      })
      expect(changed.body).toMatchObject({ timeZone: 'America/Manaus', billingInformation: billing })
      const again = await world.json('PUT', path, { name: 'Santa Clara Ltda' })
      expect(again.body).toMatchObject({
        name: 'Santa Clara Ltda',
        timeZone: 'America/Manaus',
        billingInformation: billing,
      })
      expect((await world.json('PUT', path, { name: 'x', timeZone: 'Lua' })).status).toBe(400)
      const { email: _, ...incomplete } = billing
      expect((await world.json('PUT', path, { name: 'x', billingInformation: incomplete })).status).toBe(400)
      expect((await world.json('GET', path)).body.name).toBe('Santa Clara Ltda')
    })

    test('the administration alone makes and lists organizations', async () => {
      const world = await startPlatform(database)
      expect(await world.json('GET', '/api/admin/organizations')).toMatchObject(forbidden)
      expect(await world.json('POST', '/api/admin/organizations', { name: 'x' })).toMatchObject(forbidden)
      const admin = administration(world)
      const made = await admin('POST', '/api/admin/organizations', { name: 'Clínica', identifier: CNPJ })
      expect(made.body).toMatchObject({ name: 'Clínica', identifier: '11222333000181', isPersonal: false })
      const taken = await admin('POST', '/api/admin/organizations', { name: 'Outra', identifier: '11222333000181' })
      expect(taken).toMatchObject({ status: 422, body: { code: 'OrganizationIdentifierTaken' } })
      const wrong = await admin('POST', '/api/admin/organizations', { name: 'Outra', identifier: '11222333000182' })
      expect(wrong.status).toBe(400)
      const names = async (query: string) =>
        (await admin('GET', `/api/admin/organizations${query}`)).body.items.map(({ name }: { name: string }) => name)
      expect(await names('?limit=20&offset=0&personal=False&q=')).toEqual(['Clínica', world.organization.name])
      expect(await names('?q=CL%C3%ADnica')).toEqual(['Clínica'])
      expect(await names('?q=11222')).toEqual(['Clínica'])
      expect(await names('?personal=true')).toEqual([])
    })

    test('a deleted organization has no documents, no keys and no details, and its webhooks are told', async () => {
      const world = await platform()
      const admin = administration(world)
      const events = await receiveEvents(world)
      const ids = [
        await createDocument(world, [approver(people.ana)]),
        await createDocument(world, [approver(people.ana)]),
      ]
      expect((await admin('DELETE', `/api/admin/organizations/${world.organization.id}`)).status).toBe(200)
      const { data } = await events.next('DocumentDeleted')
      expect(data.action).toBe('DeletedByOrganization')
      expect(data.documents.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
      await vi.waitFor(async () => expect((await world.json('GET', '/api/documents')).status).toBe(401))
      const notFound = { status: 422, body: { code: 'OrganizationNotFound' } }
      expect(await admin('GET', `/api/organizations/${world.organization.id}`)).toMatchObject(notFound)
      expect(await admin('DELETE', `/api/admin/organizations/${world.organization.id}`)).toMatchObject(notFound)
      const system = '00000000-0000-0000-0000-000000000001'
      expect(await admin('DELETE', `/api/admin/organizations/${system}`)).toMatchObject(forbidden)
    })

    test('a personal organization has its owner for its only user', async () => {
      const world = await platform()
      const admin = administration(world)
      const { email } = await newUser(world)
      const [ana] = (await admin('GET', `/api/users?q=${email}`)).body.items
      const { body: own } = await admin('POST', '/api/admin/organizations', { name: 'Ana', ownerId: ana.id })
      expect(own).toMatchObject({ isPersonal: true, owner: { id: ana.id, name: 'Ana Souza' } })
      expect((await admin('GET', `/api/organizations/${own.id}/users`)).body.items).toMatchObject([
        { id: ana.id, accessProfile: { administrator: true } },
      ])
      const unsupported = { status: 422, body: { code: 'OperationNotSupportedInPersonalOrganizations' } }
      const bruno = { name: 'Bruno', email: 'bruno@example.com' }
      expect(await admin('POST', `/api/organizations/${own.id}/users`, bruno)).toMatchObject(unsupported)
      const webhook = { url: 'https://example.com/' }
      expect(await admin('POST', `/api/organizations/${own.id}/webhooks`, webhook)).toMatchObject(unsupported)
      const unknown = await admin('POST', '/api/admin/organizations', { name: 'x', ownerId: crypto.randomUUID() })
      expect(unknown).toMatchObject({ status: 422, body: { code: 'UserNotFound' } })
    })
  })

  describe(`applications on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('a key is shown once, as name|secret, and works at once until it is revoked', async () => {
      const world = await platform()
      const path = `/api/organizations/${world.organization.id}/applications`
      const name = `erp ${crypto.randomUUID()}`
      const { body: made } = await world.json('POST', path, { name })
      expect(made.apiKey).toMatch(new RegExp(`^${name}\\|[0-9a-f]{64}$`))
      const headers = { 'X-Api-Key': made.apiKey }
      expect((await world.json('GET', '/api/documents', undefined, headers)).status).toBe(200)
      const further = await world.json('POST', `${path}/${made.application.id}/keys`, { description: 'nova' })
      const { body: listed } = await world.json('GET', path)
      const application = listed.find(({ id }: { id: string }) => id === made.application.id)
      expect(application).toMatchObject({ name, role: 'Organization', folderIds: null, isDisabled: false })
      expect(application.keys).toHaveLength(2)
      expect(JSON.stringify(listed)).not.toContain(made.apiKey.split('|')[1])
      const first = application.keys.find(({ description }: { description: string }) => description !== 'nova').id
      expect((await world.json('DELETE', `${path}/${made.application.id}/keys/${first}`)).status).toBe(200)
      expect((await world.json('GET', '/api/documents', undefined, headers)).status).toBe(401)
      const other = { 'X-Api-Key': further.body.apiKey }
      expect((await world.json('GET', '/api/documents', undefined, other)).status).toBe(200)
    })

    test('names that cannot be had, and applications and keys of others, are refused', async () => {
      const [world, other] = [await platform(), await platform()]
      const path = `/api/organizations/${world.organization.id}/applications`
      const name = `erp ${crypto.randomUUID()}`
      const { body: made } = await world.json('POST', path, { name })
      const invalid = { status: 422, body: { code: 'ApplicationNameInvalid' } }
      expect(await world.json('POST', path, { name })).toMatchObject(invalid)
      expect(await world.json('POST', path, { name: 'a|b' })).toMatchObject(invalid)
      const theirs = `/api/organizations/${other.organization.id}/applications/${made.application.id}/keys`
      expect(await other.json('POST', theirs, { description: 'x' })).toMatchObject({
        status: 422,
        body: { code: 'ApplicationNotFound' },
      })
      expect(await world.json('DELETE', `${path}/${made.application.id}/keys/${crypto.randomUUID()}`)).toMatchObject({
        status: 422,
        body: { code: 'ApiKeyNotFound' },
      })
      const folderIds = [crypto.randomUUID()]
      expect(await world.json('POST', path, { name: `${name} 2`, folderIds })).toMatchObject({
        status: 422,
        body: { code: 'FolderNotFound' },
      })
      expect((await world.json('POST', path, { name: `${name} 3`, folderIds: [] })).status).toBe(400)
      const past = { description: 'x', expirationDate: '2020-01-01T00:00:00-03:00' }
      expect((await world.json('POST', `${path}/${made.application.id}/keys`, past)).status).toBe(400)
    })

    test('roles beyond an organization are for applications of the administration', async () => {
      const world = await platform()
      const own = `/api/organizations/${world.organization.id}/applications`
      const system = '/api/organizations/00000000-0000-0000-0000-000000000001/applications'
      for (const role of ['Administration', 'Monitor', 'Billing']) {
        expect(await world.json('POST', own, { name: `x ${crypto.randomUUID()}`, role })).toMatchObject(forbidden)
        expect(await world.json('POST', system, { name: `x ${crypto.randomUUID()}`, role })).toMatchObject(forbidden)
      }
      const admin = administration(world)
      const { body } = await admin('POST', system, { name: `monitor ${crypto.randomUUID()}`, role: 'Monitor' })
      const headers = { 'X-Api-Key': body.apiKey }
      const time = { startDateUtc: '2026-11-01T00:00:00Z', endDateUtc: '2026-12-01T00:00:00Z' }
      expect((await world.json('POST', '/api/reports/documents/date', time, headers)).status).toBe(200)
      expect(await world.json('GET', '/api/documents', undefined, headers)).toMatchObject(forbidden)
      expect(await world.json('GET', '/api/invoices', undefined, headers)).toMatchObject(forbidden)
    })

    test('an application whose making broke off has no key', async () => {
      const world = await platform()
      const path = `/api/organizations/${world.organization.id}/applications`
      const keys = () => world.store.db.selectFrom('api_key').select('id').orderBy('id').execute()
      const before = await keys()
      // Without this table, the application's scope cannot be stored.
      await world.store.db.schema.alterTable('application_scope').renameTo('elsewhere').execute()
      onTestFinished(() => world.store.db.schema.alterTable('elsewhere').renameTo('application_scope').execute())
      expect((await world.json('POST', path, { name: 'a meio caminho' })).status).toBe(500)
      expect(await keys()).toEqual(before)
    })
  })

  describe(`reports on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('a report over a time is read by its ticket, for a while', async () => {
      const world = await platform()
      const admin = administration(world)
      await createDocument(world, [approver(people.ana)], { name: 'a, "b".pdf' })
      await createDocument(world, [approver(people.ana)], { name: '=cmd.pdf' })
      const deleted = await createDocument(world, [approver(people.ana)], { name: 'fora.pdf' })
      await world.json('DELETE', `/api/documents/${deleted}`)
      const time = { startDateUtc: '2026-11-15T00:00:00Z', endDateUtc: '2026-11-16T00:00:00Z' }
      expect(await world.json('POST', '/api/reports/documents/date', time)).toMatchObject(forbidden)
      const { body } = await admin('POST', '/api/reports/documents/date', time)
      expect(body.location).toMatch(/^\/api\/reports\/documents\?access_ticket=/)
      const answer = await fetch(`${world.baseUrl}${body.location}`)
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const lines = (await answer.text()).split('\r\n')
      expect(lines[0]).toMatch(/^id,name,status,/)
      expect(lines).toHaveLength(5)
      expect(lines.some((line) => line.includes(',"a, ""b"".pdf",Pending,false,false,'))).toBe(true)
      expect(lines.some((line) => line.includes(",'=cmd.pdf,Pending,"))).toBe(true)
      expect(lines[3]).toContain(`${deleted},fora.pdf,Pending,false,true,`)
      world.clock.advance(31 * 60_000)
      expect(await world.json('GET', body.location)).toMatchObject({
        status: 422,
        body: { code: 'ActionTicketInvalidOrExpired' },
      })
      expect((await admin('POST', '/api/reports/documents/date', { ...time, endDateUtc: 'x' })).status).toBe(400)
    })

    test('documents of another time and nothing else are left out', async () => {
      const world = await platform()
      const admin = administration(world)
      await newOrganization(world.store, world.clock(), 'Vazia')
      await createDocument(world, [approver(people.ana)])
      const time = { startDateUtc: '2026-11-16T00:00:00Z', endDateUtc: '2026-11-17T00:00:00Z' }
      const { body } = await admin('POST', '/api/reports/documents/date', time)
      expect((await (await fetch(`${world.baseUrl}${body.location}`)).text()).split('\r\n')).toHaveLength(2)
    })
  })
}
