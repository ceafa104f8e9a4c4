import { DAY, HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import { later } from './test-support/look-now.ts'
import { databases, sharedPlatform, startPlatform, testOnce } from './test-support/platform-world.ts'
import { browserOf, newUser, PASSWORD, signedIn } from './test-support/users.ts'

for (const database of databases) {
  describe(`sessions on ${database}`, () => {
    const platform = sharedPlatform(database)
    const once = testOnce(database)

    test('the first administrator, whose password the administration sets, signs in', async () => {
      const world = await platform()
      const admin = administration(world)
      const { body: organization } = await admin('POST', '/api/admin/organizations', { name: 'Clínica' })
      const email = 'diretora@example.com'
      const user = { name: 'Carla Dias', email, password: PASSWORD, accessProfile: { administrator: true } }
      const { body: carla } = await admin('POST', `/api/organizations/${organization.id}/users`, user)
      const browser = browserOf(world)
      const { status, body, set } = await browser.signIn(' Diretora@Example.com ')
      expect(status).toBe(200)
      const own = { id: organization.id, name: 'Clínica', isPersonal: false }
      expect(body).toEqual({
        id: carla.id,
        name: 'Carla Dias',
        email,
        language: 'Pt',
        organization: own,
        organizations: [own],
        roles: { administrator: true, manager: false, operator: true },
        rights: expect.objectContaining({ 'documents.read': 'all', 'users.change': 'all' }),
        emailEnabled: false,
        hasPassword: true,
        way: 'password',
        secondFactor: 'off',
      })
      expect(set).toMatch(/^chancela-documents=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
      expect((await browser.call('GET', '/api/session')).body).toEqual(body)
      expect((await browser.call('GET', '/api/organizations/users')).body.totalCount).toBe(1)
    })

    test('a wrong password and an unknown address are told apart by nothing', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const silent = await newUser(world, { password: undefined })
      const browser = browserOf(world)
      const refused = await browser.signIn(email, 'outra senha')
      expect(refused).toMatchObject({ status: 401, body: { code: 'InvalidCredentials' }, set: null })
      expect(await browser.signIn('ninguem@example.com')).toEqual(refused)
      expect(await browser.signIn(silent.email)).toEqual(refused)
    })

    test('passwords are kept as scrypt hashes, each with its own salt', async () => {
      const world = await platform()
      const emails = [(await newUser(world)).email, (await newUser(world)).email]
      const rows = await world.store.db
        .selectFrom('account')
        .select('password_hash')
        .where('email', 'in', emails)
        .execute()
      const hashes = rows.map(({ password_hash }) => password_hash!)
      expect(new Set(hashes).size).toBe(2)
      for (const hash of hashes) expect(hash).toMatch(/^scrypt\$1024\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    })

    once('a password hashed at another cost than the present one still signs in', async () => {
      const before = await startPlatform(database, { settings: { Auth: { PasswordCost: 11 } } })
      const { email } = await newUser(before)
      await before.stop()
      const after = await startPlatform(database, { after: before })
      expect((await browserOf(after).signIn(email)).status).toBe(200)
    })

    test('every call extends a session; without calls it ends', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const browser = browserOf(world)
      await browser.signIn(email)
      expect((await browser.call('GET', '/api/session')).set).toBeNull()
      world.clock.advance(7 * HOUR)
      expect((await browser.call('GET', '/api/session')).set).toMatch(/^chancela-documents=/)
      world.clock.advance(7 * HOUR)
      expect((await browser.call('GET', '/api/session')).status).toBe(200)
      world.clock.advance(8 * HOUR)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
    })

    once('a session ends after 30 days, however often its browser calls', async () => {
      const world = await startPlatform(database, { settings: { Auth: { SessionHours: 168 } } })
      const { email } = await newUser(world)
      const browser = browserOf(world)
      await browser.signIn(email)
      for (let days = 0; days < 24; days += 6) {
        world.clock.advance(6 * DAY)
        expect((await browser.call('GET', '/api/session')).status).toBe(200)
      }
      world.clock.advance(6 * DAY - 1)
      expect((await browser.call('GET', '/api/session')).status).toBe(200)
      world.clock.advance(1)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
    })

    test('a copy of the cookie opens nothing after signing out', async () => {
      const world = await platform()
      const browser = browserOf(world)
      const { set } = await browser.signIn((await newUser(world)).email)
      const headers = { cookie: set!.split(';')[0]! }
      await browser.call('DELETE', '/api/session')
      expect((await fetch(`${world.baseUrl}/api/session`, { headers })).status).toBe(401)
    })

    test('signing in anew ends the session that the browser had', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const browser = browserOf(world)
      const { set } = await browser.signIn(email)
      await browser.signIn(email)
      const headers = { cookie: set!.split(';')[0]! }
      expect((await fetch(`${world.baseUrl}/api/session`, { headers })).status).toBe(401)
      expect((await browser.call('GET', '/api/session/sessions')).body).toHaveLength(1)
    })

    test('a user sees where the account is signed in, and ends one session or all others', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const browsers = [browserOf(world), browserOf(world), browserOf(world)] as const
      const [here, phone, other] = browsers
      for (const [at, browser] of browsers.entries())
        await browser.call('POST', '/api/session', { email, password: PASSWORD }, { 'user-agent': `browser ${at}` })
      world.clock.advance(MINUTE)
      await phone.call('GET', '/api/session')
      const { body: listed } = await here.call('GET', '/api/session/sessions')
      const of = (agent: string) => listed.find(({ userAgent }: { userAgent: string }) => userAgent === agent)
      expect(listed).toHaveLength(3)
      expect(of('browser 1')).toEqual({
        id: expect.any(String),
        organization: { id: world.organization.id, name: world.organization.name },
        creationDate: new Date(world.clock().getTime() - MINUTE).toISOString(),
        lastUseDate: world.clock().toISOString(),
        ipAddress: '127.0.0.1',
        userAgent: 'browser 1',
        isCurrent: false,
      })
      expect(of('browser 0').isCurrent).toBe(true)
      expect((await here.call('DELETE', `/api/session/sessions/${of('browser 1').id}`)).status).toBe(200)
      expect((await phone.call('GET', '/api/session')).status).toBe(401)
      expect((await other.call('GET', '/api/session')).status).toBe(200)
      expect((await here.call('DELETE', '/api/session/sessions')).body).toEqual({ ended: 1 })
      expect((await other.call('GET', '/api/session')).status).toBe(401)
      expect((await here.call('GET', '/api/session')).status).toBe(200)
    })

    test('nobody sees or ends the sessions of another account', async () => {
      const world = await platform()
      const [ana, bia] = [await signedIn(world), await signedIn(world)]
      const { body } = await ana.call('GET', '/api/session/sessions')
      expect(await bia.call('DELETE', `/api/session/sessions/${body[0].id}`)).toMatchObject({
        status: 422,
        body: { code: 'SessionNotFound' },
      })
      expect((await bia.call('DELETE', '/api/session/sessions')).body).toEqual({ ended: 0 })
      expect((await ana.call('GET', '/api/session')).status).toBe(200)
    })

    test('sessions that nobody uses any more are deleted', async () => {
      const world = await startPlatform(database)
      const { email } = await newUser(world)
      const [gone, used] = [browserOf(world), browserOf(world)]
      await gone.signIn(email)
      world.clock.advance(4 * HOUR)
      await used.signIn(email)
      world.clock.advance(5 * HOUR)
      await used.call('GET', '/api/session')
      await later(world, MINUTE)
      const rows = () => world.store.db.selectFrom('account_session').select('id').execute()
      await vi.waitUntil(async () => (await rows()).length === 1, { interval: 20 })
      expect((await used.call('GET', '/api/session/sessions')).body).toHaveLength(1)
    })

    test('signing out takes the cookie away', async () => {
      const world = await platform()
      const browser = browserOf(world)
      await browser.signIn((await newUser(world)).email)
      expect((await browser.call('DELETE', '/api/session')).set).toMatch(/^chancela-documents=; Path=\/; Max-Age=0/)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
    })

    test('a new password ends every session; so does leaving the organization', async () => {
      const world = await platform()
      const admin = administration(world)
      const [ana, bia] = [await newUser(world), await newUser(world)]
      const [first, second] = [browserOf(world), browserOf(world)]
      await first.signIn(ana.email)
      await second.signIn(bia.email)
      const account = (await admin('GET', `/api/users?q=${ana.email}`)).body.items[0]
      await admin('PUT', `/api/users/${account.id}`, { password: 'uma senha diferente' })
      expect((await first.call('GET', '/api/session')).status).toBe(401)
      expect((await first.signIn(ana.email)).status).toBe(401)
      expect((await first.signIn(ana.email, 'uma senha diferente')).status).toBe(200)
      await world.json('DELETE', `/api/organizations/users/${bia.id}`)
      expect((await second.call('GET', '/api/session')).status).toBe(401)
      expect((await second.signIn(bia.email)).status).toBe(401)
    })

    once('a call that another site makes the browser send has no session', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const browser = browserOf(world)
      await browser.signIn(email)
      const folder = { name: 'x' }
      const from = (headers: Record<string, string>) => browser.call('POST', '/api/folders', folder, headers)
      expect((await from({ 'sec-fetch-site': 'cross-site' })).status).toBe(401)
      expect((await from({ origin: 'https://evil.example' })).status).toBe(401)
      expect(
        (await browser.call('DELETE', '/api/session', undefined, { 'sec-fetch-site': 'cross-site' })).set,
      ).toBeNull()
      expect((await from({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    })

    once('a cookie that was tampered with is none', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const browser = browserOf(world)
      const { set } = await browser.signIn(email)
      const cookie = set!.split(';')[0]!
      const middle = Math.floor(cookie.length / 2)
      const flipped = cookie[middle] === 'A' ? 'B' : 'A'
      for (const wrong of [`${cookie.slice(0, middle)}${flipped}${cookie.slice(middle + 1)}`, 'chancela-documents=x']) {
        const answer = await fetch(`${world.baseUrl}/api/session`, { headers: { cookie: wrong } })
        expect(answer.status).toBe(401)
      }
    })

    test('a user of several organizations acts for one at a time', async () => {
      const world = await platform()
      const admin = administration(world)
      const { email } = await newUser(world)
      world.clock.advance(MINUTE)
      const { body: second } = await admin('POST', '/api/admin/organizations', { name: 'Segunda' })
      const user = { name: 'Ana Souza', email, accessProfile: { operator: false } }
      await admin('POST', `/api/organizations/${second.id}/users`, user)
      const { body: third } = await admin('POST', '/api/admin/organizations', { name: 'Terceira' })
      const browser = browserOf(world)
      expect((await browser.signIn(email)).body.organization.id).toBe(world.organization.id)
      const switched = await browser.call('PUT', '/api/session/organization', { organizationId: second.id })
      expect(switched.body).toMatchObject({ organization: { id: second.id }, roles: { administrator: false } })
      expect((await browser.call('GET', '/api/session')).body.organization.id).toBe(second.id)
      expect((await browser.call('POST', '/api/folders', { name: 'x' })).status).toBe(403)
      expect(await browser.call('PUT', '/api/session/organization', { organizationId: third.id })).toMatchObject({
        status: 422,
        body: { code: 'OrganizationNotFound' },
      })
      await admin('DELETE', `/api/admin/organizations/${second.id}`)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
      expect((await browser.signIn(email)).body.organizations).toHaveLength(1)
    })

    test('an administrator of the instance’s organization administers the instance', async () => {
      const world = await platform()
      const admin = administration(world)
      const system = '/api/organizations/00000000-0000-0000-0000-000000000001/users'
      const root = { name: 'Root', email: 'root@example.com', password: PASSWORD }
      await admin('POST', system, { ...root, accessProfile: { administrator: true } })
      const browser = browserOf(world)
      await browser.signIn(root.email)
      expect((await browser.call('GET', '/api/admin/organizations')).status).toBe(200)
      const ana = browserOf(world)
      await ana.signIn((await newUser(world)).email)
      expect((await ana.call('GET', '/api/admin/organizations')).status).toBe(403)
    })

    once('sessions outlive a restart of the service', async () => {
      const world = await startPlatform(database)
      const { email } = await newUser(world)
      const { set } = await browserOf(world).signIn(email)
      await world.stop()
      world.clock.advance(DAY / 4)
      const again = await startPlatform(database, { after: world })
      const answer = await fetch(`${again.baseUrl}/api/session`, { headers: { cookie: set!.split(';')[0]! } })
      expect(answer.status).toBe(200)
    })

    once('attempts to sign in are limited by address', async () => {
      const world = await startPlatform(database, {
        settings: { RateLimiting: { Enabled: true, SignIn: { PermitsPerWindow: 3, WindowSeconds: 60 } } },
      })
      const browser = browserOf(world)
      const statuses = []
      for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await browser.signIn('x@example.com')).status)
      expect(statuses).toEqual([401, 401, 401, 429])
    })
  })
}
