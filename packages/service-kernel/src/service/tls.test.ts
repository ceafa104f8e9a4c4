import { once } from 'node:events'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { testClock } from '@chancela/testkit/clock'
import { sampleService } from '@chancela/testkit/sample-service'
import { openssl, type TlsAuthority, type TlsFiles, temporaryFolder, tlsAuthority } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DAY, plus } from '../clock/index.ts'
import { type KernelSettings, loadSettings } from '../config/index.ts'
import { StartupProblem } from '../errors/index.ts'
import { flushLogs } from '../http/index.ts'
import { createHttpClient } from '../http-client/index.ts'
import { type RunningService, startService } from './index.ts'

let authority: TlsAuthority
let issued: TlsFiles
beforeAll(async () => {
  authority = await tlsAuthority()
  issued = await authority.issue()
})

const clock = testClock(new Date().toISOString())

async function start(http: object, dataFolder = temporaryFolder()): Promise<RunningService> {
  const file = join(temporaryFolder(), 'settings.json')
  const sample = { Http: http, Health: { CacheSeconds: 0 }, Metrics: { RequireApiKey: false } }
  writeFileSync(file, JSON.stringify({ sample }))
  const { settings } = loadSettings({ schemas: { sample: sampleService.settings }, file, environment: {} })
  const service = await startService(sampleService, settings.sample as unknown as KernelSettings, {
    clock,
    version: '0.0.0-test',
    dataFolder,
    logFile: join(dataFolder, 'service.log'),
  })
  onTestFinished(() => service.stop())
  return service
}

/** A folder with a copy of a pair, which a test may renew. */
function installed({ certificateFile, keyFile }: TlsFiles): string {
  const folder = temporaryFolder()
  copyFileSync(certificateFile, join(folder, 'cert.pem'))
  copyFileSync(keyFile, join(folder, 'key.pem'))
  return folder
}

const Tls = { CertificateFile: 'cert.pem', KeyFile: 'key.pem' }
const baseOf = (service: RunningService): string => service.surfaces[0]!.baseUrl
const addressOf = (service: RunningService): string => `127.0.0.1:${new URL(baseOf(service)).port}`

/** A client that trusts the private authority alone. */
function client() {
  const ca = readFileSync(authority.caFile, 'utf8')
  const made = createHttpClient({ connectTimeoutMs: 5000, deadlineMs: 5000, maxAnswerBytes: 1 << 20, tls: { ca } })
  onTestFinished(() => made.close())
  return made
}

const get = async (service: RunningService, path: string) => {
  const { status, body } = await client().exchange({ method: 'GET', url: `${baseOf(service)}${path}` })
  return { status, text: body.toString('utf8') }
}

const shake = (service: RunningService, ...more: readonly string[]) =>
  openssl(['s_client', '-connect', addressOf(service), '-CAfile', authority.caFile, ...more])

const shownBy = async (service: RunningService): Promise<string> => {
  const { text } = await shake(service)
  return /subject=.*?CN ?= ?(\S+)/.exec(text)?.[1] ?? text
}

const checkNamed = async (service: RunningService, name: string) => {
  const { ready, checks } = await service.context.readiness.verdict()
  return { ready, ...checks.find((one) => one.name === name) }
}

describe('a service with a certificate', () => {
  test('answers over TLS 1.3 and 1.2 with its chain, not over 1.1, and says https where it listens', async () => {
    const service = await start({ Tls }, installed(issued))
    expect(baseOf(service)).toMatch(/^https:\/\/localhost:\d+$/)
    expect(await get(service, '/api/health')).toMatchObject({ status: 200 })
    // The level lets openssl itself offer what it no longer does by default: the server must be the one that refuses.
    const old = await shake(service, '-tls1_1', '-cipher', 'DEFAULT@SECLEVEL=0')
    const [newest, older] = [await shake(service), await shake(service, '-tls1_2')]
    expect(newest.text).toMatch(/TLSv1\.3/)
    expect(newest.text).toContain('Verify return code: 0 (ok)')
    expect(newest.text.match(/-----BEGIN CERTIFICATE-----/g)).toHaveLength(1)
    expect((await shake(service, '-showcerts')).text.match(/-----BEGIN CERTIFICATE-----/g)).toHaveLength(2)
    expect(older.text).toMatch(/Protocol *: TLSv1\.2/)
    expect([newest.ok, older.ok, old.ok]).toEqual([true, true, false])
  })

  test('opens an encrypted key with its password', async () => {
    const folder = installed(await authority.issue({ password: 'öpen me' }))
    const service = await start({ Tls: { ...Tls, KeyPassword: 'öpen me' } }, folder)
    expect(await get(service, '/api/health')).toMatchObject({ status: 200 })
  })

  test.each([
    ['a certificate that is not there', { CertificateFile: 'none.pem' }, 'CertificateFile'],
    ['a key that is not there', { KeyFile: 'none.pem' }, 'KeyFile'],
    ['a key where the certificate should be', { CertificateFile: 'key.pem' }, 'CertificateFile'],
    ['a certificate where the key should be', { KeyFile: 'cert.pem' }, 'KeyFile'],
    ['a key of another certificate', { KeyFile: 'other.pem' }, 'KeyFile'],
    ['an encrypted key without its password', { KeyFile: 'sealed.pem' }, 'KeyPassword'],
    ['an encrypted key with another password', { KeyFile: 'sealed.pem', KeyPassword: 'wrong' }, 'KeyPassword'],
  ])('does not start with %s', async (_what, change, setting) => {
    const folder = installed(issued)
    writeFileSync(join(folder, 'other.pem'), (await authority.issue()).key)
    writeFileSync(join(folder, 'sealed.pem'), (await authority.issue({ password: 'right' })).key)
    const started = start({ Tls: { ...Tls, ...change } }, folder)
    await expect(started).rejects.toBeInstanceOf(StartupProblem)
    await expect(started).rejects.toMatchObject({ setting: `sample Http:Tls:${setting}` })
  })

  test('takes a renewed pair over without a restart, and no half of one', async () => {
    const folder = installed(issued)
    const service = await start({ Tls }, folder)
    const next = await authority.issue({ commonName: 'renewed.example' })
    expect(await shownBy(service)).toBe('localhost')

    writeFileSync(join(folder, 'cert.pem'), next.certificate)
    await expect.poll(() => checkNamed(service, 'tls')).toMatchObject({ ready: true, ok: false })
    expect(await shownBy(service)).toBe('localhost')

    writeFileSync(join(folder, 'key.pem'), next.key)
    await expect.poll(() => checkNamed(service, 'tls')).toMatchObject({ ready: true, ok: true })
    expect(await shownBy(service)).toBe('renewed.example')
  })

  test('tells when its certificate expires, and warns three weeks before', async () => {
    const service = await start({ Tls }, installed(await authority.issue({ days: 30 })))
    const secondsLeft = async () =>
      Number(
        /^tls_certificate_expires_seconds\{surface="sample"\} (\S+)$/m.exec(
          (await get(service, '/api/metrics')).text,
        )?.[1],
      )
    expect(await checkNamed(service, 'tls')).toMatchObject({ ready: true, ok: true })
    expect(await secondsLeft()).toBeGreaterThan(29 * 86_400)
    const now = clock()
    onTestFinished(() => clock.set(now))
    clock.set(plus(now, 10 * DAY))
    expect(await checkNamed(service, 'tls')).toMatchObject({ ready: true, ok: false })
    expect(await secondsLeft()).toBeLessThan(21 * 86_400)
    expect(await checkNamed(service, 'certificate:tls-sample')).toMatchObject({ ready: true, ok: true })
    clock.set(plus(now, 28 * DAY))
    expect(await checkNamed(service, 'certificate:tls-sample')).toMatchObject({ ready: true, ok: false })
    const { text } = await get(service, '/api/metrics')
    const [, days] = /^certificate_expires_in_days\{certificate="tls-sample"\} (\S+)$/m.exec(text)!
    expect(Number(days)).toBeCloseTo(2, 1)
  })

  test('drops a client without TLS, and keeps answering others', async () => {
    const service = await start({ Tls }, installed(issued))
    const plain = connectPlain(Number(new URL(baseOf(service)).port), '127.0.0.1')
    onTestFinished(() => void plain.destroy())
    plain.on('error', () => {})
    const heard: Buffer[] = []
    plain.on('data', (bytes) => heard.push(bytes))
    plain.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(plain, 'close')
    expect(Buffer.concat(heard).toString()).not.toContain('HTTP/1.1')
    expect(await get(service, '/api/health')).toMatchObject({ status: 200 })
  })

  test('stops at once with connections that ask nothing: one that never shook hands, one that did', async () => {
    const service = await start({ Tls, DrainSeconds: 600 }, installed(issued))
    const port = Number(new URL(baseOf(service)).port)
    const silent = connectPlain(port, '127.0.0.1').on('error', () => {})
    const idle = connect({ port, host: '127.0.0.1', ca: readFileSync(authority.caFile) }).on('error', () => {})
    onTestFinished(() => void [silent, idle].map((socket) => socket.destroy()))
    await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect')])
    expect(await get(service, '/api/health')).toMatchObject({ status: 200 })
    await Promise.all([service.stop(), once(silent, 'close'), once(idle, 'close')])
  })

  test('stops when its time is over although a handshake never ends', async () => {
    const service = await start({ Tls, DrainSeconds: 0 }, installed(issued))
    const stuck = connectPlain(Number(new URL(baseOf(service)).port), '127.0.0.1').on('error', () => {})
    onTestFinished(() => void stuck.destroy())
    await once(stuck, 'connect')
    // The head of a record of which nothing more comes.
    stuck.write(Buffer.from([22, 3, 1, 1, 0]))
    expect(await get(service, '/api/health')).toMatchObject({ status: 200 })
    await Promise.all([service.stop(), once(stuck, 'close')])
  })

  test('refuses a malformed request in its dialect, and keeps a connection between requests', async () => {
    const service = await start({ Tls }, installed(issued))
    const ca = readFileSync(authority.caFile)
    const socket = connect({ port: Number(new URL(baseOf(service)).port), host: '127.0.0.1', ca })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    let heard = ''
    socket.on('data', (bytes) => {
      heard += bytes
    })
    for (const answers of [1, 2]) {
      socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await expect.poll(() => heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(answers)
    }
    socket.write('NOT HTTP\r\n\r\n')
    await expect.poll(() => heard).toContain('HTTP/1.1 400 Bad Request')
    expect(heard).toContain('request.invalid')
  })
})

describe('a service that others can reach', () => {
  const proxied = { PublicUrl: 'https://sign.example' }
  test.each([
    ['without TLS says so at its start, and in a check that gates nothing', { Host: '0.0.0.0' }, false],
    ['behind an https address says nothing', { Host: '0.0.0.0', ...proxied }, true],
    ['with TLS says nothing', { Host: '0.0.0.0', Tls }, true],
    ['only from this machine has no such check', { Host: '127.0.0.1' }, undefined],
  ])('%s', async (_how, http, ok) => {
    const folder = installed(issued)
    const service = await start(http, folder)
    expect(service.warnings).toHaveLength(ok === false ? 1 : 0)
    expect(await checkNamed(service, 'transport')).toMatchObject({ ready: true, ...(ok !== undefined && { ok }) })
    await service.stop()
    flushLogs()
    const lines = readFileSync(join(folder, 'service.log'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(ok === false ? 1 : 0)
  })

  test.each([
    ['with an https address', { PublicUrl: 'https://sign.example' }, true],
    ['with TLS', { Host: '0.0.0.0', Tls }, true],
    ['with TLS on this machine alone', { Tls }, false],
    ['with TLS and another choice', { Host: '0.0.0.0', Tls, StrictTransport: false }, false],
    ['without TLS', { Host: '0.0.0.0' }, false],
  ])('binds browsers to TLS: %s', async (_how, http, isBound) => {
    const service = await start(http, installed(issued))
    const { headers } = await client().exchange({ method: 'GET', url: `${baseOf(service)}/api/health` })
    expect(headers['strict-transport-security'] !== undefined).toBe(isBound)
  })
})
