import { MINUTE } from '@chancela/service-kernel/clock'
import { type Browser, browserOf, newAdministrator, PASSWORD, refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedSessionServer, startSessionServer, testOnce } from './test-support/session-world.ts'

const FORBIDDEN = [403, 'FORBIDDEN_FOR_ROLE']

const giveRole = ({ call }: Pick<Browser, 'call'>, id: string, role: unknown) =>
  call('PUT', `/api/administrators/${id}/role`, { role })

/** Both at the same moment, several times. */
const ROUNDS = 5

for (const database of databases) {
  describe(`roles at the console on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)

    test('whoever is added has the role that was said, and is told what it allows', async () => {
      const browser = await signedIn(world())
      for (const role of ['auditor', 'support', 'administrator', undefined]) {
        const email = `${crypto.randomUUID()}@example.com`
        const added = await browser.call('POST', '/api/administrators', {
          name: 'Eva',
          email,
          password: PASSWORD,
          role,
        })
        expect(added).toMatchObject({ status: 200, body: { role: role ?? 'administrator' } })
        const { body: me } = await browserOf(world()).signIn(email)
        expect(me.role).toBe(role ?? 'administrator')
        expect(me.rights.includes('applications.manage')).toBe(me.role === 'administrator')
        expect(me.rights.includes('lockouts.clear')).toBe(me.role !== 'auditor')
        expect(me.rights.includes('events.export')).toBe(me.role !== 'support')
        const { body: all } = await browser.call('GET', '/api/administrators')
        expect(all).toContainEqual(expect.objectContaining({ email, role: me.role }))
      }
      const unknown = { name: 'Eva', email: 'eva@example.com', password: PASSWORD, role: 'owner' }
      expect(refusal(await browser.call('POST', '/api/administrators', unknown))).toEqual([400, 'INVALID_REQUEST'])
    })

    test('another role decides about the next call of a session that is open', async () => {
      const browser = await signedIn(world())
      const other = await signedIn(world())
      const name = () => ({ name: `app ${crypto.randomUUID()}` })
      expect((await other.call('POST', '/api/applications', name())).status).toBe(200)
      expect((await giveRole(browser, other.id, 'auditor')).body).toMatchObject({ id: other.id, role: 'auditor' })
      const refused = await other.call('POST', '/api/applications', name())
      expect(refusal(refused)).toEqual(FORBIDDEN)
      expect(refused.body.error.details).toEqual({ right: 'applications.manage', role: 'auditor' })
      expect((await other.call('GET', '/api/applications')).status).toBe(200)
      expect((await giveRole(browser, other.id, 'support')).status).toBe(200)
      expect(refusal(await other.call('GET', '/api/applications'))).toEqual(FORBIDDEN)
      expect((await giveRole(browser, other.id, 'administrator')).status).toBe(200)
      expect((await other.call('POST', '/api/applications', name())).status).toBe(200)
    })

    test('a change is told with both roles and who made it; none is told where nothing changed', async () => {
      const browser = await signedIn(world())
      const { id, email } = await newAdministrator(world())
      await giveRole(browser, id, 'support')
      await giveRole(browser, id, 'support')
      const { body } = await browser.call('GET', `/api/events?type=AdministratorRoleChanged&q=${id}`)
      expect(body.items).toMatchObject([
        {
          actor: browser.email,
          address: '127.0.0.1',
          subject: { kind: 'administrator', id },
          text: expect.stringContaining(email),
          changes: { before: { role: 'administrator' }, after: { role: 'support' } },
        },
      ])
    })

    once('a role is given by administrators who proved lately who they are, to somebody who is there', async () => {
      const browser = await signedIn(world())
      const other = await newAdministrator(world(), { role: 'auditor' })
      expect(refusal(await giveRole(browser, 'nobody', 'auditor'))).toEqual([404, 'ADMINISTRATOR_NOT_FOUND'])
      expect(refusal(await giveRole(browser, other.id, 'owner'))).toEqual([400, 'INVALID_REQUEST'])
      world().clock.advance(10 * MINUTE)
      expect(refusal(await giveRole(browser, other.id, 'support'))).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    })

    once('nobody gives themselves more than they have, and is told so before a proof is asked', async () => {
      for (const role of ['auditor', 'support'] as const) {
        const browser = await signedIn(world(), role)
        world().clock.advance(10 * MINUTE)
        expect(refusal(await giveRole(browser, browser.id, 'administrator'))).toEqual(FORBIDDEN)
      }
    })

    test('whoever loses the role while they give it back to themselves has lost it', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [browser, other] = [await signedIn(world()), await signedIn(world())]
        const [mine] = await Promise.all([
          giveRole(browser, other.id, 'auditor'),
          giveRole(other, other.id, 'administrator'),
          giveRole(other, other.id, 'administrator'),
        ])
        expect(mine.status).toBe(200)
        expect((await other.call('GET', '/api/session')).body.role).toBe('auditor')
      }
    })

    once('everybody looks after their own account, and a refusal for the role is no missing session', async () => {
      for (const role of ['auditor', 'support'] as const) {
        const browser = await signedIn(world(), role)
        expect((await browser.call('POST', '/api/session/second-factor/recovery-codes')).status).toBe(200)
        expect((await browser.call('GET', '/api/session/sessions')).body).toHaveLength(1)
        const newPassword = 'outra senha comprida'
        const change = { password: PASSWORD, newPassword }
        expect((await browser.call('PUT', '/api/session/password', change)).status).toBe(200)
        expect(refusal(await browser.call('POST', '/api/applications', { name: 'x' }))).toEqual(FORBIDDEN)
        await browser.call('DELETE', '/api/session')
        expect(refusal(await browser.call('POST', '/api/applications', { name: 'x' }))).toEqual([401, 'UNAUTHORIZED'])
      }
    })

    test('support enrols a workstation and an auditor watches', async () => {
      const browser = await signedIn(world())
      const wanted = { name: 'Balcão 1', cpfs: ['52998224725'] }
      const { workstation } = (await browser.call('POST', '/api/workstations', wanted)).body
      const support = await signedIn(world(), 'support')
      const auditor = await signedIn(world(), 'auditor')
      const path = `/api/workstations/${workstation.id}`
      expect((await support.call('POST', `${path}/code`)).body.code).toEqual(expect.any(String))
      expect(refusal(await auditor.call('POST', `${path}/code`))).toEqual(FORBIDDEN)
      expect(refusal(await support.call('PUT', path, wanted))).toEqual(FORBIDDEN)
      expect(refusal(await support.call('DELETE', path))).toEqual(FORBIDDEN)
      for (const { call } of [support, auditor])
        expect((await call('GET', '/api/workstations')).body).toContainEqual(expect.objectContaining(wanted))
    })
  })

  describe(`the last administrator among other roles on ${database}`, () => {
    test('stays, and stays in the role', async () => {
      const world = await startSessionServer(database)
      const browser = await signedIn(world)
      await newAdministrator(world, { role: 'auditor' })
      await newAdministrator(world, { role: 'support' })
      const last = [422, 'LAST_ADMINISTRATOR']
      expect(refusal(await giveRole(browser, browser.id, 'auditor'))).toEqual(last)
      expect(refusal(await browser.call('DELETE', `/api/administrators/${browser.id}`))).toEqual(last)
      const { id } = await newAdministrator(world)
      expect((await giveRole(browser, browser.id, 'auditor')).status).toBe(200)
      expect(refusal(await giveRole(browser, id, 'auditor'))).toEqual(FORBIDDEN)
    })

    test('stays although two demote one another at once', async () => {
      const world = await startSessionServer(database)
      const browsers = [await signedIn(world), await signedIn(world)]
      const [first, second] = browsers as [(typeof browsers)[0], (typeof browsers)[0]]
      const answers = await Promise.all([giveRole(first, second.id, 'support'), giveRole(second, first.id, 'auditor')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
      const left = world.store.db.selectFrom('administrator').select('id').where('role', '=', 'administrator')
      expect(await left.execute()).toHaveLength(1)
    })
  })
}
