import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedSessionServer } from './test-support/session-world.ts'
import { newCpf } from './test-support/vault.ts'

for (const database of databases) {
  describe(`workstations at the console on ${database}`, () => {
    const world = sharedSessionServer(database)
    const listed = async ({ call }: Awaited<ReturnType<typeof signedIn>>, id: string) =>
      (await call('GET', '/api/workstations')).body.find((one: { id: string }) => one.id === id)

    test('one is added with the code its agent enrols with, shown this once', async () => {
      const browser = await signedIn(world())
      const cpfs = [newCpf(), newCpf()]
      const { status, body } = await browser.call('POST', '/api/workstations', { name: ' Recepção ', cpfs })
      expect(status).toBe(200)
      const now = world().clock()
      expect(body).toEqual({
        workstation: {
          id: expect.any(String),
          name: 'Recepção',
          cpfs,
          state: 'waiting',
          platform: null,
          agentVersion: null,
          address: null,
          certificates: 0,
          enrolledAt: null,
          lastSeenAt: null,
          createdAt: now.toISOString(),
        },
        code: expect.any(String),
        expiresAt: plus(now, 15 * MINUTE).toISOString(),
      })
      expect(await listed(browser, body.workstation.id)).toEqual(body.workstation)
      const { db } = world().store
      const kept = [
        await db.selectFrom('enrolment_code').selectAll().execute(),
        await db.selectFrom('audit_event').selectAll().execute(),
      ]
      expect(JSON.stringify(kept) + world().log()).not.toContain(body.code)
    })

    test('one is changed, gets another code, and is revoked', async () => {
      const browser = await signedIn(world())
      const wanted = { name: 'Caixa', cpfs: [newCpf()] }
      const { body: added } = await browser.call('POST', '/api/workstations', wanted)
      const path = `/api/workstations/${added.workstation.id}`
      const changes = { name: 'Caixa 2', cpfs: [newCpf()] }
      expect((await browser.call('PUT', path, changes)).body).toEqual({ ...added.workstation, ...changes })
      const { body: again } = await browser.call('POST', `${path}/code`)
      expect([again.workstation.id, again.code === added.code]).toEqual([added.workstation.id, false])
      expect((await browser.call('DELETE', path)).status).toBe(204)
      expect((await listed(browser, added.workstation.id)).state).toBe('revoked')
      const { body: events } = await browser.call('GET', `/api/events?q=${added.workstation.id}`)
      expect(events.items.map(({ type, actor }: { type: string; actor: string }) => [type, actor])).toEqual(
        ['WorkstationRevoked', 'EnrolmentCodeCreated', 'WorkstationChanged', 'WorkstationCreated'].map((type) => [
          type,
          browser.email,
        ]),
      )
      const { before, after } = events.items[2].changes
      expect([events.items[2].address, before, after]).toEqual(['127.0.0.1', wanted, changes])
    })

    test('each refusal is told apart', async () => {
      const browser = await signedIn(world())
      const sound = { name: 'Caixa', cpfs: [newCpf()] }
      for (const wrong of [{ name: '' }, { name: ' ' }, { cpfs: [] }, { cpfs: ['12345678900'] }, { cpfs: ['123'] }])
        expect(refusal(await browser.call('POST', '/api/workstations', { ...sound, ...wrong }))).toEqual([
          400,
          'INVALID_REQUEST',
        ])
      const refused = [
        await browser.call('PUT', '/api/workstations/none', sound),
        await browser.call('POST', '/api/workstations/none/code'),
        await browser.call('DELETE', '/api/workstations/none'),
      ]
      for (const answer of refused) expect(refusal(answer)).toEqual([404, 'WORKSTATION_NOT_FOUND'])
    })
  })
}
