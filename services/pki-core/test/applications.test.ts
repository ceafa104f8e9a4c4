import { createApplication, createKey } from '@chancela/service-kernel/http'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { DEFAULT_SUBSCRIPTION } from '../src/rules/subscription.ts'
import { type CoreWorld, clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { rootClient } from './test-support/management.ts'
import { clock } from './test-support/pki.ts'

type Client = Pick<CoreWorld, 'json'>

const named = (prefix = 'app') => `${prefix} ${crypto.randomUUID().slice(0, 8)}`

const create = ({ json }: Client, roles: readonly string[] = ['Worker'], more: object = {}) =>
  json('POST', '/api/applications', { name: named(), authorizationData: { roles }, ...more })

const newKey = ({ json }: Client, id: string, body: object = { description: 'produção' }) =>
  json('POST', `/api/applications/${id}/api-keys`, body)

const unknown = { status: 422, body: { code: 'EntityNotFound', details: { entity: 'Application' } } }

for (const database of databases) {
  describe(`applications on ${database}`, () => {
    const open = sharedCore(database)
    const once = testOnce(database)
    const admin = () => clientAt(open(), { roles: ['Admin'] })

    test('one is made, its key is shown once and works with the next call', async () => {
      const world = open()
      const own = await admin()
      const { status, body } = await create(own)
      expect(status).toBe(200)
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{14}4/),
        subscriptionId: own.subscriptionId,
        name: body.name,
        rootRoles: [],
        subscriptions: [{ subscriptionId: own.subscriptionId, roles: ['Worker'], parentRoles: [] }],
        grantAppId: null,
      })
      const made = await newKey(own, body.id, { description: ' produção ', expiresOn: '2027-01-01T00:00:00Z' })
      expect(made.body.info).toMatchObject({
        type: 'ApiKey',
        applicationId: body.id,
        description: 'produção',
        expiresOn: '2027-01-01T00:00:00.000Z',
        certificateThumbprint: null,
      })
      const { key } = made.body
      expect(key).toMatch(new RegExp(`^${body.name}\\|[0-9a-f]{64}$`))
      const worker = callerOf(world.baseUrl, { 'X-Api-Key': key })
      expect((await worker.json('GET', '/Api/Authentication')).status).toBe(200)
      const listed = await own.json('GET', `/api/applications/${body.id}/api-keys/`)
      expect(listed.body).toMatchObject([{ id: made.body.info.id, dateRevoked: null }])
      expect(JSON.stringify(listed.body)).not.toContain(key.split('|')[1])
      const rows = await world.store.db.selectFrom('api_key').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(key.split('|')[1])
    })

    test('a revoked key and those of a deleted application are refused at once, and the name is free again', async () => {
      const world = open()
      const own = await admin()
      const { body } = await create(own)
      const [one, other] = [await newKey(own, body.id), await newKey(own, body.id)]
      const works = async ({ body: { key } }: typeof one) =>
        (await callerOf(world.baseUrl, { 'X-Api-Key': key }).json('GET', '/Api/Authentication')).status
      const path = `/api/applications/${body.id}`
      const revoke = () => own.json('DELETE', `${path}/api-keys/${one.body.info.id}`)
      expect([(await revoke()).status, (await revoke()).status]).toEqual([200, 200])
      expect([await works(one), await works(other)]).toEqual([401, 200])
      const deleted = await Promise.all([own.json('DELETE', path), own.json('DELETE', path)])
      expect(deleted.map(({ status }) => status).toSorted()[0]).toBe(200)
      expect(await works(other)).toBe(401)
      expect(await own.json('GET', path)).toMatchObject(unknown)
      expect(await own.json('DELETE', path)).toMatchObject(unknown)
      expect(await newKey(own, body.id)).toMatchObject(unknown)
      expect((await own.json('POST', '/api/applications', { name: body.name })).status).toBe(200)
      const told = await world.context.events.list({ type: ['ApiKeyRevoked', 'ApplicationDeleted'], text: body.name })
      expect(told.total).toBe(2)
    })

    test('a list has the applications of its subscription, by name, part of a name and page', async () => {
      const [own, other] = [await admin(), await admin()]
      const prefix = named('Lista')
      for (const at of [1, 2, 3]) await own.json('POST', '/api/applications', { name: `${prefix} ${at}` })
      await other.json('POST', '/api/applications', { name: `${prefix} 4` })
      const list = async (query: string) => (await own.json('GET', `/api/applications?${query}`)).body
      const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
      const all = await list(`Q=${prefix.toUpperCase()}`)
      expect([namesOf(all), all.totalCount]).toEqual([[1, 2, 3].map((at) => `${prefix} ${at}`), 3])
      const page = await list(`q=${prefix}&Limit=1&offset=1&Order=Desc`)
      expect([namesOf(page), page.totalCount]).toEqual([[`${prefix} 2`], 3])
      expect(await list(`name=${prefix} 3`)).toMatchObject({ totalCount: 1 })
      expect(await list(`name=${prefix} 4`)).toMatchObject({ items: [], totalCount: 0 })
      expect(await list(`Q=${prefix.slice(0, 4)}%`)).toMatchObject({ totalCount: 0 })
      expect((await own.json('GET', '/api/applications?Order=Sideways')).status).toBe(400)
      expect((await own.json('GET', '/api/applications?Limit=-1')).status).toBe(400)
    })

    test('names are unique in the instance, of two who take one at the same time one gets it', async () => {
      const [own, other] = [await admin(), await admin()]
      const name = named()
      const available = (client: Client) =>
        client.json('GET', `/api/applications/name-availability?name=${encodeURIComponent(name)}`)
      expect((await available(own)).body).toBe(true)
      const made = await Promise.all([own, other].map((one) => one.json('POST', '/api/applications', { name })))
      expect(made.map(({ status }) => status).toSorted()).toEqual([200, 422])
      expect(made.find(({ status }) => status === 422)!.body.code).toBe('EntityAlreadyExists')
      expect((await available(other)).body).toBe(false)
    })

    test('nobody gives roles they do not have, nor a key of an application that has them', async () => {
      const world = open()
      const own = await admin()
      const manager = await clientAt(world, { roles: ['Manager'], subscriptionId: own.subscriptionId })
      for (const roles of [['Manager'], ['Worker', 'Monitor'], []])
        expect((await create(manager, roles)).status).toBe(200)
      expect((await create(manager, ['Admin'])).status).toBe(403)
      expect((await create(own, ['Worker'], { rootAuthorizationData: { roles: ['Reader'] } })).status).toBe(403)
      const higher = (await create(own, ['Admin'])).body
      const path = `/api/applications/${higher.id}`
      expect((await manager.json('GET', path)).status).toBe(200)
      expect((await newKey(manager, higher.id)).status).toBe(403)
      expect((await manager.json('DELETE', path)).status).toBe(403)
      expect((await manager.json('PUT', `${path}/authorization-data`, { roles: ['Worker'] })).status).toBe(403)
      expect((await manager.json('PUT', `${path}/default-document-metadata`, {})).status).toBe(403)
      const lower = (await create(manager)).body
      expect(
        (await manager.json('PUT', `/api/applications/${lower.id}/authorization-data`, { roles: ['Admin'] })).status,
      ).toBe(403)
      // Nor itself.
      expect(
        (
          await manager.json('PUT', `/api/applications/${manager.applicationId}/authorization-data`, {
            roles: ['Admin'],
          })
        ).status,
      ).toBe(403)
    })

    test('an application that also works for another subscription is managed by whoever may in both', async () => {
      const world = open()
      const [own, other] = [await admin(), await admin()]
      const owner = await rootClient(world, ['Owner'])
      const { id } = (await create(own)).body
      const there = { 'X-Subscription': other.subscriptionId }
      const path = `/api/applications/${id}`
      expect(await other.json('PUT', `${path}/authorization-data`, { roles: ['Worker'] })).toMatchObject(unknown)
      const given = await owner.json('PUT', `${path}/authorization-data`, { roles: ['Worker'] }, there)
      expect(given.body.subscriptions).toHaveLength(2)
      expect((await own.json('GET', path)).body.subscriptions).toEqual([
        { subscriptionId: own.subscriptionId, roles: ['Worker'], parentRoles: [] },
      ])
      expect((await other.json('GET', path)).body.subscriptions).toMatchObject([
        { subscriptionId: other.subscriptionId },
      ])
      for (const client of [own, other]) expect((await newKey(client, id)).status).toBe(403)
      const made = await owner.json('POST', `${path}/api-keys`, { description: 'x' }, there)
      const worker = callerOf(world.baseUrl, { 'X-Api-Key': made.body.key })
      const nonce = (headers: object) => worker.json('GET', '/Api/Authentication', undefined, headers)
      expect([(await nonce({})).status, (await nonce(there)).status]).toEqual([403, 200])
      // Taken out of it, it is unknown there.
      await owner.json('PUT', `${path}/authorization-data`, { roles: [] }, there)
      expect(await other.json('GET', path)).toMatchObject(unknown)
      expect((await nonce(there)).status).toBe(403)
      expect((await nonce({})).status).toBe(200)
    })

    test('roles in the instance are given by an owner, in the name of an application that has them', async () => {
      const world = open()
      const own = await admin()
      const there = own.subscriptionId
      const [owner, contributor] = [
        await rootClient(world, ['Owner'], there),
        await rootClient(world, ['Contributor'], there),
      ]
      const { body } = await create(owner, [], { rootAuthorizationData: { roles: ['Reader'] } })
      expect(body).toMatchObject({
        rootRoles: ['Reader'],
        grantAppId: owner.applicationId,
        subscriptions: [{ subscriptionId: there, roles: [], parentRoles: ['Monitor'] }],
      })
      const path = `/api/applications/${body.id}/root-authorization-data`
      expect((await contributor.json('PUT', path, { roles: [] })).status).toBe(403)
      expect((await newKey(contributor, body.id)).status).toBe(403)
      expect((await newKey(own, body.id)).status).toBe(403)
      const inNameOf = (grantAppId: string) => owner.json('PUT', path, { roles: ['Contributor'], grantAppId })
      expect((await inNameOf(own.applicationId)).status).toBe(403)
      expect((await inNameOf(contributor.applicationId)).status).toBe(403)
      expect(await inNameOf(crypto.randomUUID())).toMatchObject(unknown)
      expect((await inNameOf(owner.applicationId)).body).toMatchObject({ rootRoles: ['Contributor'] })
      expect((await owner.json('PUT', path, { roles: [], grantAppId: owner.applicationId })).status).toBe(400)
      expect((await owner.json('PUT', path, { roles: [] })).body).toMatchObject({ rootRoles: [], grantAppId: null })
    })

    test('roles that were taken away are gone with the next call', async () => {
      const world = open()
      const own = await admin()
      const worker = await clientAt(world, { subscriptionId: own.subscriptionId })
      expect((await worker.json('GET', '/Api/Authentication')).status).toBe(200)
      const path = `/api/applications/${worker.applicationId}/authorization-data`
      expect((await own.json('PUT', path, { roles: ['Monitor'] })).status).toBe(200)
      expect((await worker.json('GET', '/Api/Authentication')).status).toBe(403)
      expect((await own.json('PUT', path, { roles: [] })).status).toBe(200)
      expect((await worker.json('GET', '/api/applications')).status).toBe(403)
    })

    test('metadata for documents are kept by application, under the names the contract knows', async () => {
      const [own, other] = [await admin(), await admin()]
      const { id } = (await create(own)).body
      const path = `/api/applications/${id}/default-document-metadata`
      expect((await own.json('GET', path)).body).toEqual({})
      const metadata = { 'Centro de custo': ['7', '8'], 'ação_1-b': ['x'] }
      expect((await own.json('PUT', `${path}/`, metadata)).body).toEqual(metadata)
      expect((await own.json('GET', path)).body).toEqual(metadata)
      expect(await other.json('GET', path)).toMatchObject(unknown)
      for (const wrong of [
        { 'a.b': ['x'] },
        { [`${'n'.repeat(51)}`]: ['x'] },
        { a: ['x'.repeat(501)] },
        { a: 'x' },
        { a: ['x'], A: ['y'] },
      ])
        expect([wrong, (await own.json('PUT', path, wrong)).status]).toEqual([wrong, 400])
      expect((await own.json('GET', path)).body).toEqual(metadata)
    })

    once('malformed requests are refused, and nothing is made', async () => {
      const own = await admin()
      const before = (await own.json('GET', '/api/applications')).body.totalCount
      const { id } = (await create(own)).body
      for (const body of [
        {},
        { name: '' },
        { name: ' ' },
        { name: 'a|b' },
        { name: 'x'.repeat(101) },
        { name: 'x', authorizationData: { roles: ['King'] } },
      ])
        expect([body, (await own.json('POST', '/api/applications', body)).status]).toEqual([body, 400])
      for (const body of [
        {},
        { description: '' },
        { description: ' ' },
        { description: 'x', expiresOn: 'soon' },
        { description: 'x', expiresOn: '2020-01-01T00:00:00Z' },
      ])
        expect([body, (await newKey(own, id, body)).status]).toEqual([body, 400])
      expect((await own.json('GET', '/api/applications')).body.totalCount).toBe(before + 1)
      // What clients in Java send (pki-core facts 4.6).
      const java = {
        name: named(),
        authorizationData: { roles: ['Worker'] },
        rootAuthorizationData: { roles: null, grantAppId: null },
      }
      expect((await own.json('POST', '/api/applications/', java)).status).toBe(200)
    })

    test('an expired key is refused', async () => {
      const world = open()
      const own = await admin()
      const { id } = (await create(own)).body
      const expiresOn = new Date(clock().getTime() + 60_000).toISOString()
      const { key } = (await newKey(own, id, { description: 'curta', expiresOn })).body
      const status = async () =>
        (await callerOf(world.baseUrl, { 'X-Api-Key': key }).json('GET', '/Api/Authentication')).status
      expect(await status()).toBe(200)
      clock.advance(61_000)
      expect(await status()).toBe(401)
    })

    test('an application of the operator owns the instance until it is given other roles', async () => {
      const world = open()
      const { id, name } = await createApplication(world.store, named('operator'), clock(), { byOperator: true })
      const { key } = await createKey(world.store, { applicationId: id, description: 'x' }, clock())
      const operator = callerOf(world.baseUrl, { 'X-Api-Key': key })
      await vi.waitUntil(async () => (await operator.json('GET', '/api/subscriptions')).status === 200, { interval: 5 })
      const { body } = await operator.json('GET', `/api/applications?name=${name}`)
      expect(body.items).toMatchObject([
        { id, rootRoles: ['Owner'], subscriptions: [{ subscriptionId: DEFAULT_SUBSCRIPTION, parentRoles: ['Admin'] }] },
      ])
      const path = `/api/applications/${id}`
      expect((await operator.json('PUT', `${path}/default-document-metadata`, { a: ['b'] })).status).toBe(200)
      expect((await operator.json('GET', '/api/subscriptions')).status).toBe(200)
      expect((await operator.json('PUT', `${path}/root-authorization-data`, { roles: [] })).status).toBe(200)
      expect((await operator.json('GET', '/api/subscriptions')).status).toBe(403)
      expect((await operator.json('GET', path)).body).toMatchObject({ rootRoles: [] })
    })
  })
}
