import { describe, expect, test } from 'vitest'
import { administration } from './test-support/administration.ts'
import { databases, type PlatformWorld, sharedPlatform, testOnce } from './test-support/platform-world.ts'
import { browserOf, newUser, PASSWORD, signedIn } from './test-support/users.ts'

const address = () => `${crypto.randomUUID()}@example.com`
const administrator = { accessProfile: { administrator: true, manager: true } }

for (const database of databases) {
  describe(`users of organizations on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('a user is added, listed, given other roles and removed', async () => {
      const world = await platform()
      const email = address()
      const ana = { name: 'Ana Souza', email: email.toUpperCase(), identifier: null }
      const { body: added } = await world.json('POST', '/api/organizations/users', { ...ana, ...administrator })
      expect(added).toEqual({
        id: expect.any(String),
        name: 'Ana Souza',
        identifier: null,
        email,
        phone: null,
        accessProfile: { administrator: true, manager: true, operator: true },
        hasAccount: false,
        creationDate: world.clock().toISOString(),
      })
      const bruno = { name: 'Bruno Lima', email: address(), accessProfile: { administrator: true } }
      await world.json('POST', '/api/organizations/users', bruno)
      const changed = await world.json('POST', '/api/organizations/users', {
        ...ana,
        accessProfile: { operator: false },
      })
      expect(changed.body).toMatchObject({
        id: added.id,
        accessProfile: { administrator: false, manager: false, operator: false },
      })
      const listed = await world.json('GET', `/api/organizations/${world.organization.id}/users?Q=&Limit=10`)
      expect(listed.body.items.map(({ name }: { name: string }) => name)).toEqual(['Ana Souza', 'Bruno Lima'])
      expect((await world.json('GET', '/api/organizations/users?q=LIMA')).body.totalCount).toBe(1)
      expect((await world.json('DELETE', `/api/organizations/users/${added.id}`)).status).toBe(200)
      expect(await world.json('DELETE', `/api/organizations/users/${added.id}`)).toMatchObject({
        status: 422,
        body: { code: 'UserNotFound' },
      })
    })

    test('the last administrator stays one', async () => {
      const world = await platform()
      const ana = { name: 'Ana Souza', email: address() }
      const { body } = await world.json('POST', '/api/organizations/users', { ...ana, ...administrator })
      const last = { status: 422, body: { code: 'LastAdministrator' } }
      expect(await world.json('DELETE', `/api/organizations/users/${body.id}`)).toMatchObject(last)
      const less = { ...ana, accessProfile: { manager: true } }
      expect(await world.json('POST', '/api/organizations/users', less)).toMatchObject(last)
      const admin = administration(world)
      const path = `/api/admin/organizations/${world.organization.id}/users/${body.id}`
      expect(await admin('DELETE', path)).toMatchObject(last)
      expect(await world.json('DELETE', path)).toMatchObject({ status: 403 })
      await world.json('POST', '/api/organizations/users', { name: 'Bruno', email: address(), ...administrator })
      expect((await admin('DELETE', path)).status).toBe(200)
    })

    test('of two administrators who remove one another at once, one stays', async () => {
      const world = await platform()
      const ids: string[] = []
      for (const name of ['Ana', 'Bruno'])
        ids.push(
          (await world.json('POST', '/api/organizations/users', { name, email: address(), ...administrator })).body.id,
        )
      const answers = await Promise.all(ids.map((id) => world.json('DELETE', `/api/organizations/users/${id}`)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    })

    test('somebody who signs in for another organization is linked by the administration, and invited by others', async () => {
      const [world, other] = [await platform(), await platform()]
      const ana = await newUser(world)
      const user = { name: 'Ana Souza', email: ana.email }
      const added = await other.json('POST', '/api/organizations/users', user)
      expect(added).toMatchObject({ status: 200, body: { hasAccount: false } })
      expect((await browserOf(world).signIn(ana.email)).body.organizations).toHaveLength(1)
      const linked = await administration(world)('POST', `/api/organizations/${other.organization.id}/users`, user)
      expect(linked).toMatchObject({ status: 200, body: { id: added.body.id, hasAccount: true } })
      expect((await browserOf(world).signIn(ana.email)).body.organizations).toHaveLength(2)
    })

    test('an organization chooses no passwords', async () => {
      const world = await platform()
      const user = { name: 'Ana Souza', email: address(), password: PASSWORD }
      const { status, body } = await world.json('POST', '/api/organizations/users', user)
      expect([status, Object.keys(body.details)]).toEqual([400, ['password']])
    })

    test('a user without a right to administer is forbidden to', async () => {
      const world = await platform()
      const ana = await signedIn(world, { accessProfile: { operator: true } })
      expect(await ana.call('POST', '/api/organizations/users', { name: 'Bruno', email: address() })).toMatchObject({
        status: 403,
        body: { code: 'Forbidden' },
      })
    })

    testOnce(database).each([
      [{ name: 'Ana' }, 'email'],
      [{ name: 'Ana', email: 'não é um endereço' }, 'email'],
      [{ name: 'Ana', email: 'ana@example.com', identifier: '111.111.111-11' }, 'identifier'],
      [{ name: 'Ana', email: 'ana@example.com', password: 'curta' }, 'password'],
    ])('%j is refused for its %s', async (user, field) => {
      const world = await platform()
      const { status, body } = await world.json('POST', '/api/organizations/users', user)
      expect([status, Object.keys(body.details)]).toEqual([400, [field]])
      expect((await world.json('GET', '/api/organizations/users')).body.totalCount).toBe(0)
    })
  })

  describe(`everybody who signs in on ${database}`, () => {
    const platform = sharedPlatform(database)
    const accountOf = async (world: PlatformWorld, email: string) =>
      (await administration(world)('GET', `/api/users?q=${email}`)).body.items[0]

    test('is listed and changed by the administration', async () => {
      const world = await platform()
      const admin = administration(world)
      const name = `Ana ${crypto.randomUUID()}`
      const { email } = await newUser(world, { name })
      await world.json('POST', '/api/organizations/users', { name, email: address() })
      expect(await world.json('GET', '/api/users')).toMatchObject({ status: 403 })
      const { body } = await admin('GET', `/api/users?q=${encodeURIComponent(name)}`)
      const creationDate = world.clock().toISOString()
      expect(body.items).toEqual([{ id: expect.any(String), name, identifier: null, email, phone: null, creationDate }])
      const { id } = body.items[0]
      const moved = address()
      const changed = await admin('PUT', `/api/users/${id}`, { email: moved.toUpperCase(), phone: '+5511999' })
      expect(changed.body).toMatchObject({ name, email: moved, phone: '+5511999' })
      expect(await admin('PUT', `/api/users/${crypto.randomUUID()}`, { name: 'x' })).toMatchObject({
        status: 422,
        body: { code: 'UserNotFound' },
      })
      expect((await admin('PUT', `/api/users/${id}`, { email: 'x' })).status).toBe(400)
    })

    test('two who sign in never have one address', async () => {
      const world = await platform()
      const [first, second] = [await newUser(world), await newUser(world)]
      const { id } = await accountOf(world, second.email)
      expect(await administration(world)('PUT', `/api/users/${id}`, { email: first.email })).toMatchObject({
        status: 422,
        body: { code: 'UserEmailTaken' },
      })
    })
  })
}
