import { mkdir, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DAY, SECOND } from '@chancela/service-kernel/clock'
import { addresses, type DemoHolder, demoHolders } from '@chancela/testkit/demo-pki'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const [ana, , carla] = demoHolders as readonly [DemoHolder, DemoHolder, DemoHolder]

/** The readiness of the compact variant, as whoever has the key sees it. */
const readyOf = ({ compact }: Pick<RunningBatchSigner, 'compact'>) =>
  compact.json<{ ready: boolean; checks: Record<string, string> }>('GET', '/api/ready')

const defaultProfile = (more: object) => [profileOf(ana.label, { Name: 'default', InputFolder: 'default', ...more })]

for (const database of databases) {
  describe(`the readiness of the compact variant on ${database}`, () => {
    test('names every check that is fine, and those that fail with their reason', async () => {
      const settings = { Encryption: { CertificateFiles: [`${carla.label}.pem`] } }
      const service = await startBatchSigner({ database, settings })
      expect(await readyOf(service)).toMatchObject({ status: 200 })
      expect((await readyOf(service)).body).toStrictEqual({
        ready: true,
        checks: {
          database: 'ok',
          'input-folder:default': 'ok',
          'uploads-folder': 'ok',
          'processing-folder': 'ok',
          'output-folder': 'ok',
          'error-folder': 'ok',
          'signing-certificate': 'ok',
          'encryption-certificate': 'ok',
        },
      })
      // The write probes leave nothing behind.
      expect(await readdir(service.output)).toStrictEqual([])
      expect(await readdir(service.input())).toStrictEqual(['.chancela-folder'])
      await rm(service.output, { recursive: true })
      await rm(service.input(), { recursive: true })
      await rm(join(service.folder, 'batch-signer', 'uploads'), { recursive: true })
      await rm(join(service.folder, `${carla.label}.pem`))
      expect(await readyOf(service)).toMatchObject({
        status: 503,
        body: {
          ready: false,
          checks: {
            'output-folder': 'fail: not writable (ENOENT)',
            'uploads-folder': 'fail: not writable (ENOENT)',
            'input-folder:default': 'fail: not writable (ENOENT)',
            'encryption-certificate': 'fail: cannot be read',
            database: 'ok',
          },
        },
      })
      await mkdir(service.output)
      const full = (await service.full.json('GET', '/api/ready/details')).body.checks
      expect(full).toContainEqual({ name: 'work-folders', ok: false, detail: expect.stringContaining('uploads') })
      await mkdir(service.input())
    })

    test('tells whoever has no key of input folders as one, and never what they are called', async () => {
      const inputs = ['default', 'payroll-of-the-board']
      const service = await startBatchSigner({ database, inputs, settings: { Health: { CacheSeconds: 0 } } })
      const seenBy = async (key: string | null) => {
        const { status, headers, body } = await service.compact.json<{ checks: Record<string, string> }>(
          'GET',
          '/api/ready',
          { key },
        )
        expect(headers.get('vary')).toContain('X-API-Key')
        return {
          status,
          names: Object.keys(body.checks),
          inputs: body.checks['input-folders'],
          text: JSON.stringify(body),
        }
      }
      for (const key of [null, '', 'a wrong key of sixteen letters']) {
        const { names, text } = await seenBy(key)
        expect(names).toEqual([
          'database',
          'input-folders',
          'uploads-folder',
          'processing-folder',
          'output-folder',
          'error-folder',
          'signing-certificate',
        ])
        expect(text).not.toContain('payroll')
      }
      await rm(service.input('payroll-of-the-board'), { recursive: true })
      expect(await seenBy(null)).toMatchObject({ status: 503, inputs: 'fail: not writable (ENOENT)' })
      const { body } = await readyOf(service)
      expect(body.checks).toMatchObject({
        'input-folder:default': 'ok',
        'input-folder:payroll-of-the-board': 'fail: not writable (ENOENT)',
      })
      expect(body.checks).not.toHaveProperty('input-folders')
      await mkdir(service.input('payroll-of-the-board'))
    })

    test('keeps a verdict for Health:CacheSeconds', async () => {
      let offset = 0
      const clock = () => new Date(Date.now() + offset)
      const service = await startBatchSigner({ database, clock, settings: { Health: { CacheSeconds: 300 } } })
      const first = await readyOf(service)
      expect(first.status).toBe(200)
      expect(first.headers.get('cache-control')).toBe('private, max-age=300')
      await rm(service.output, { recursive: true })
      expect((await readyOf(service)).status).toBe(200)
      offset = 301 * SECOND
      expect((await readyOf(service)).status).toBe(503)
      await mkdir(service.output)
    })

    test('says that the process answers: GET /api/health', async () => {
      const { compact } = await startBatchSigner({ database })
      const health = await compact.json('GET', '/api/health', { key: null })
      expect(health).toMatchObject({ status: 200 })
      expect(health.body).toStrictEqual({ healthy: true, status: 'OK' })
    })

    test('fails with a signing certificate that does not open, and does not say why to strangers', async () => {
      const service = await startBatchSigner({
        database,
        profiles: defaultProfile({ Pkcs12Password: 'not the password' }),
      })
      const { status, body } = await readyOf(service)
      expect(status).toBe(503)
      expect(body.checks['signing-certificate']).toBe('fail: cannot be used')
    })

    test('asks the timestamp authority where the default profile needs one', async () => {
      const { pki } = await demoPki()
      const authority = await startProxyOf(addresses(pki.baseUrl).timeStamps)
      const profiles = defaultProfile({ Level: 'B-T', TimestampAuthority: authority.url })
      const service = await startBatchSigner({ database, profiles })
      const answer = async () => (await readyOf(service)).body.checks['timestamp-authority']
      expect(await answer()).toBe('ok')
      authority.breakDown()
      expect(await answer()).toBe('fail: answers 503')
      await authority.stop()
      expect(await answer()).toBe('fail: not reachable')
    })

    test('asks a configured timestamp authority whatever the level is, and none where none is configured', async () => {
      const { pki } = await demoPki()
      const authority = await startProxyOf(addresses(pki.baseUrl).timeStamps)
      const settings = { Signing: { TimestampAuthority: authority.url } }
      const service = await startBatchSigner({ database, profiles: defaultProfile({ Level: 'B-B' }), settings })
      expect((await readyOf(service)).body.checks['timestamp-authority']).toBe('ok')
      await authority.stop()
      expect(await readyOf(service)).toMatchObject({
        status: 503,
        body: { checks: { 'timestamp-authority': 'fail: not reachable' } },
      })
    })

    test('fails once a certificate to encrypt to has expired', async () => {
      let offset = 0
      const clock = () => new Date(Date.now() + offset)
      const profiles = defaultProfile({ EncryptionCertificateFiles: [`${carla.label}.pem`] })
      const service = await startBatchSigner({ database, clock, profiles })
      expect((await readyOf(service)).body.checks['encryption-certificate']).toBe('ok')
      offset = 20 * 365 * DAY
      expect((await readyOf(service)).body.checks['encryption-certificate']).toBe('fail: expired')
    })
  })
}

/** A timestamp authority behind a proxy that can break down and go away. */
async function startProxyOf(authority: string) {
  let isBroken = false
  const server = createServer(async ({ method = 'GET' }, response) => {
    response.writeHead(isBroken ? 503 : (await fetch(authority, { method })).status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`,
    breakDown: () => {
      isBroken = true
    },
    stop,
  }
}
