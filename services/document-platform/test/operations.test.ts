import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { administration } from './test-support/administration.ts'
import { databases, sharedPlatform } from './test-support/platform-world.ts'

for (const database of databases) {
  describe(`operations on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('anybody learns whether the process answers and whether it can work', async () => {
      const world = await platform()
      const { baseUrl } = world
      const health = await fetch(`${baseUrl}/api/health`)
      expect([health.status, await health.json()]).toEqual([200, { healthy: true, status: 'OK' }])
      const ready = await fetch(`${baseUrl}/api/ready`)
      const checks = ['database', 'master-key', 'audit-chain', 'storage', 'disk', 'workers'].map((name) => ({
        name,
        ok: true,
      }))
      expect([ready.status, await ready.json()]).toEqual([200, { ready: true, checks }])
    })

    test('a storage that takes no bytes makes the service not ready; why is for those who watch it', async () => {
      const world = await platform()
      const folder = join(world.dataFolder, 'document-platform', 'blobs')
      await rename(folder, `${folder}-gone`)
      expect(await world.json('GET', '/api/ready')).toMatchObject({
        status: 503,
        body: {
          ready: false,
          checks: [...Array(3).fill({ ok: true }), { name: 'storage', ok: false }, ...Array(2).fill({ ok: true })],
        },
      })
      const admin = administration(world)
      const { status, body } = await admin('GET', '/api/ready/details')
      expect([status, body.checks[3].detail]).toEqual([503, expect.stringMatching(/\w/)])
      expect((await world.json('GET', '/api/ready/details')).status).toBe(403)
      await rename(`${folder}-gone`, folder)
      expect((await world.json('GET', '/api/ready')).status).toBe(200)
    })

    test('metrics tell of webhooks and mails to those who watch the instance', async () => {
      const world = await platform()
      expect((await world.call('GET', '/api/metrics')).status).toBe(403)
      const headers = { 'X-Api-Key': world.administrationKey }
      const text = await (await world.call('GET', '/api/metrics', { headers })).text()
      expect(text).toMatch(/^# TYPE webhook_attempts_total counter$/m)
      expect(text).toMatch(/^# TYPE mail_attempts_total counter$/m)
    })
  })
}
