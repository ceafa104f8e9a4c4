import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { administration } from './test-support/administration.ts'
import { databases, sharedPlatform, startPlatform } from './test-support/platform-world.ts'

for (const database of databases) {
  describe(`operations on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('anybody learns whether the process answers and whether it can work', async () => {
      const world = await platform()
      const { baseUrl } = world
      const health = await fetch(`${baseUrl}/api/health`)
      expect([health.status, await health.json()]).toEqual([200, { healthy: true, status: 'OK' }])
      const ready = await fetch(`${baseUrl}/api/ready`)
      const own = ['signing-key', 'certificate', 'certificate-expiring'].map((kind) => `${kind}:electronic-signatures`)
      const names = [
        'database',
        'master-key',
        'audit-chain',
        'signing-key:audit-chain',
        ...own,
        'storage',
        'disk',
        'workers',
      ]
      const checks = names.map((name) => ({ name, ok: true }))
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
          checks: expect.arrayContaining([{ name: 'storage', ok: false }]),
        },
      })
      const admin = administration(world)
      const { status, body } = await admin('GET', '/api/ready/details')
      const { detail } = body.checks.find(({ name }: { name: string }) => name === 'storage')
      expect([status, detail]).toEqual([503, expect.stringMatching(/\w/)])
      expect((await world.json('GET', '/api/ready/details')).status).toBe(403)
      await rename(`${folder}-gone`, folder)
      expect((await world.json('GET', '/api/ready')).status).toBe(200)
    })

    test('a timestamp authority, a session server and a hub that are away are told, and do not gate', async () => {
      // Nobody listens on port 1.
      const nowhere = 'http://127.0.0.1:1/'
      const { json } = await startPlatform(database, {
        settings: {
          Signing: { TimestampAuthority: nowhere },
          SessionServer: { Endpoint: nowhere, ApiKey: 'key' },
          CloudHub: { Endpoint: nowhere, ApiKey: 'key' },
        },
      })
      const { status, body } = await json('GET', '/api/ready')
      const red = body.checks.filter(({ ok }: { ok: boolean }) => !ok).map(({ name }: { name: string }) => name)
      expect([status, red]).toEqual([200, ['timestamp-authority', 'cloud-hub', 'session-server']])
    })

    test('a key of electronic signatures whose file is gone is told before the next start', async () => {
      const { pki } = await pkiOfToday()
      const issued = pki.certificate('ana-souza')
      const file = join(temporaryFolder(), 'seal.p12')
      await writeFile(file, pki.pkcs12(issued, { password: 'the password' }))
      const { json, clock } = await startPlatform(database, {
        settings: { Signing: { ElectronicCertificateFile: file, ElectronicCertificatePassword: 'the password' } },
      })
      const check = async () => {
        clock.advance(3 * MINUTE)
        const { status, body } = await json('GET', '/api/ready')
        return [status, body.checks.find(({ name }: { name: string }) => name === 'signing-key:electronic-signatures')]
      }
      expect(await check()).toMatchObject([200, { ok: true }])
      await rename(file, `${file}-gone`)
      expect(await check()).toMatchObject([200, { ok: false }])
      await rename(`${file}-gone`, file)
      expect(await check()).toMatchObject([200, { ok: true }])
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
