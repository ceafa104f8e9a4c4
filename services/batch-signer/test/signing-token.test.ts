// A profile on a token: SoftHSM2 in a folder of the test's own.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { openssl, runTool } from '@chancela/testkit/tools'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKey } from '../src/parts/signing/open-key.ts'
import { TokenPool } from '../src/parts/signing/token-pool.ts'
import type { ProfileHeld } from '../src/rules/conditions.ts'
import type { CertificateSource } from '../src/rules/profile.ts'
import { form, profilesApp } from './test-support/profiles-app.ts'
import { startBatchSigner } from './test-support/running-service.ts'
import { inMemory, openSigningWorld, runningPki, signThrough } from './test-support/signing-world.ts'

const MODULE = ['/usr/lib/softhsm/libsofthsm2.so', `/usr/lib/${process.arch}-linux-gnu/softhsm/libsofthsm2.so`].find(
  (path) => existsSync(path),
)!
const PIN = '739154'

let folder: string
let holders: Readonly<Record<'rsa' | 'ec', IssuedCertificate>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancela-token-'))
  await mkdir(join(folder, 'tokens'))
  await writeFile(
    join(folder, 'softhsm2.conf'),
    `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`,
  )
  // Read by the module when it is loaded.
  process.env.SOFTHSM2_CONF = join(folder, 'softhsm2.conf')
  const { pki } = await runningPki()
  holders = { rsa: pki.certificate('ana-souza'), ec: pki.certificate('davi-moreira') }
  await softhsm('--init-token', '--free', '--label', 'cofre', '--so-pin', '87654321', '--pin', PIN)
  for (const [at, { key, der }] of Object.values(holders).entries()) {
    const file = join(folder, 'key.pem')
    await writeFile(file, key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    await softhsm('--import', file, '--token', 'cofre', '--label', `key ${at}`, '--id', `0${at + 1}`, '--pin', PIN)
    await storeCertificate(at + 1, der)
  }
})

afterAll(() => rm(folder, { recursive: true }))

async function softhsm(...args: string[]): Promise<void> {
  const { ok, text } = await runTool('softhsm2-util', args)
  if (!ok) throw new Error(text)
}

/** softhsm2-util stores keys only; the certificate goes in through the module itself. */
async function storeCertificate(id: number, der: Uint8Array): Promise<void> {
  const { default: pkcs11js } = (await import('pkcs11js')) as unknown as { default: typeof import('pkcs11js') }
  const cryptoki = new pkcs11js.PKCS11()
  cryptoki.load(MODULE)
  cryptoki.C_Initialize()
  const slot = cryptoki.C_GetSlotList(true).find((one) => cryptoki.C_GetTokenInfo(one).label.trim() === 'cofre')!
  const session = cryptoki.C_OpenSession(slot, 4 | 2)
  cryptoki.C_Login(session, 1, PIN)
  // CKA_CLASS certificate, CKA_TOKEN, CKA_PRIVATE, CKA_CERTIFICATE_TYPE X.509, CKA_ID, CKA_SUBJECT, CKA_VALUE
  cryptoki.C_CreateObject(session, [
    { type: 0x000, value: 1 },
    { type: 0x001, value: true },
    { type: 0x002, value: false },
    { type: 0x080, value: 0 },
    { type: 0x101, value: Buffer.of(0x30, 0) },
    { type: 0x102, value: Buffer.of(id) },
    { type: 0x011, value: Buffer.from(der) },
  ])
  cryptoki.C_CloseSession(session)
  cryptoki.C_Finalize()
  cryptoki.close()
}

const thumbprint = ({ der }: IssuedCertificate): string => createHash('sha1').update(der).digest('hex')

const tokenSeed = (name: string, holder: IssuedCertificate, more: Readonly<Record<string, unknown>> = {}) => ({
  Name: name,
  Format: 'Cades',
  Pkcs11Module: MODULE,
  Pkcs11Thumbprint: thumbprint(holder).toUpperCase(),
  Pkcs11Pin: PIN,
  ...more,
})

const content = Buffer.from('signed on a token\n')

async function requireSignature(signed: Buffer, roots: string): Promise<void> {
  const args = ['cms', '-verify', '-inform', 'DER', '-binary', '-CAfile', roots, '-purpose', 'any']
  const { text, stdout } = await openssl(args, { input: signed })
  expect(text).toContain('Verification successful')
  expect(stdout).toEqual(content)
}

test('two profiles sign with two keys of one token at the same time, and openssl accepts both with the issuers found', async () => {
  const world = await openSigningWorld({ seeds: [tokenSeed('rsa', holders.rsa), tokenSeed('ec', holders.ec)] })
  expect(['rsa', 'ec'].map((name) => world.profiles.state(name))).toEqual([{ state: 'ready' }, { state: 'ready' }])
  const signed = await Promise.all(
    ['rsa', 'ec', 'rsa', 'ec', 'rsa', 'ec'].map((profile) =>
      signThrough(world, { profile, format: 'Cades' }, inMemory(content)),
    ),
  )
  for (const one of signed) await requireSignature(one, join(world.folder, 'roots.pem'))
})

test('a certificate that is not on the token degrades the profile', async () => {
  const { pki } = await runningPki()
  const seeds = [tokenSeed('absent', pki.certificate('bruno-lima')), tokenSeed('rsa', holders.rsa)]
  const { profiles } = await openSigningWorld({ seeds })
  expect(profiles.state('absent')).toMatchObject({ state: 'degraded', reason: expect.stringContaining('thumbprint') })
  expect(profiles.state('rsa')).toEqual({ state: 'ready' })
})

test('a wrong PIN is tried once and never again', async () => {
  const { profiles } = await openSigningWorld({ seeds: [tokenSeed('wrong', holders.rsa, { Pkcs11Pin: '000000' })] })
  expect(profiles.state('wrong')).toMatchObject({ state: 'degraded', reason: expect.stringContaining('tried once') })
  const certificate = { kind: 'Pkcs11', modulePath: MODULE, tokenLabel: 'cofre', thumbprint: null } as const
  const access = { certificate, secret: () => '000000', pkcs12: () => null }
  const opening = openKey(access, { dataFolder: folder, tokens: new TokenPool() })
  await expect(opening).rejects.toMatchObject({ name: 'KeyProblem', reason: 'pin-refused', code: 'pkcs11.wrong-pin' })
})

test('an edit away from the token lets go of it, and a job picked up before still signs with it', async () => {
  const world = await openSigningWorld({ seeds: [tokenSeed('moving', holders.rsa)] })
  const plan = world.profiles.plan({ profileName: 'moving', format: 'Cades', encryptionRequested: null })
  const profile = world.profiles.get('moving')!
  const away: CertificateSource = { kind: 'Pkcs12', path: 'davi-moreira.p12' }
  const secret = 'canary-of-the-secret-words'
  await world.profiles.edit('moving', 1, { draft: { ...profile, certificate: away }, secret }, 'operator')
  expect(world.profiles.certificate('moving')?.keyType).toBe('ec-256')
  const now = world.context.clock()
  const signed = await plan.sign(inMemory(content), now, async () => '')
  await signed.verify(now)
  const [bytes] = (await signed.output(now)) as readonly Buffer[]
  await requireSignature(bytes!, join(world.folder, 'roots.pem'))
  const back = { ...profile, certificate: profile.certificate }
  await world.profiles.edit('moving', 2, { draft: back, secret: PIN }, 'operator')
  expect(world.profiles.state('moving')).toEqual({ state: 'ready' })
  // The same token again, under its existing PIN: the login is renewed, not duplicated.
  await world.profiles.edit('moving', 3, { draft: back, secret: PIN }, 'operator')
  expect(world.profiles.state('moving')).toEqual({ state: 'ready' })
})

test('the dashboard lists the tokens behind a module, and tries a key on one', async () => {
  const settings = { Auth: { ApiKey: 'a key of sixteen letters and more' } }
  const call = await profilesApp(await openSigningWorld({ settings, seeds: [tokenSeed('rsa', holders.rsa)] }))
  const { body } = await call('GET', `/dashboard/api/profiles/options?module=${encodeURIComponent(MODULE)}`)
  expect(body).toMatchObject({ tokens: [{ label: 'cofre' }], tokensProblem: null })
  const certificate = { kind: 'Pkcs11', modulePath: MODULE, tokenLabel: 'cofre', thumbprint: thumbprint(holders.ec) }
  const tried = await call('POST', '/dashboard/api/profiles/test-certificate', { certificate, secret: PIN })
  expect(tried).toMatchObject({ status: 200 })
  const created = await call('POST', '/dashboard/api/profiles', {
    name: 'token',
    ...form({ certificate, secret: PIN }),
  })
  expect(created).toMatchObject({ status: 201 })
})

test('a token that is pulled out holds its profile, and signs again when it is back, without a restart', async () => {
  const settings = { Auth: { ApiKey: 'a key of sixteen letters and more' } }
  const world = await openSigningWorld({ settings, seeds: [tokenSeed('rsa', holders.rsa, { Level: 'B-B' })] })
  const call = await profilesApp(world)
  const sign = () => signThrough(world, { profile: 'rsa', format: 'Cades' }, inMemory(content))
  await requireSignature(await sign(), join(world.folder, 'roots.pem'))
  const tokens = join(folder, 'tokens')
  await rename(tokens, `${tokens}-away`)
  const failures = await Promise.all(Array.from({ length: 8 }, () => sign().catch((error: unknown) => error)))
  for (const failure of failures)
    expect(failure).toMatchObject({ name: 'JobFailure', code: 'profile.degraded', condition: 'token-unavailable' })
  const tried = await call('POST', '/dashboard/api/profiles/rsa/test-certificate')
  expect(tried).toMatchObject({ status: 200, body: { signs: false, code: expect.stringMatching(/^pkcs11\./) } })
  world.profiles.holds.begin('rsa', failures[0] as ProfileHeld)
  expect(await world.profiles.holds.tryNow('rsa')).toMatchObject({ reason: 'token-unavailable' })
  expect(world.profiles.state('rsa')).toMatchObject({ state: 'degraded' })

  await rename(`${tokens}-away`, tokens)
  expect(await world.profiles.holds.tryNow('rsa')).toBeUndefined()
  for (const signed of await Promise.all([sign(), sign(), sign()]))
    await requireSignature(signed, join(world.folder, 'roots.pem'))
  const again = await call('POST', '/dashboard/api/profiles/rsa/test-certificate')
  expect(again).toMatchObject({ status: 200, body: { signs: true, code: null } })
})

test('a token that is pulled out is noticed without any file, by check and metric, and signs when it is back', async () => {
  const settings = { Health: { CacheSeconds: 0 }, Metrics: { RequireApiKey: false } }
  const profiles = [tokenSeed('default', holders.rsa, { Level: 'B-B' })]
  const clock = testClock(new Date().toISOString())
  const service = await startBatchSigner({ database: 'SQLite', profiles, settings, clock })
  const check = async () => {
    const { status, body } = await service.full.json<{ checks: { name: string }[] }>('GET', '/api/ready/details')
    return { status, ...body.checks.find(({ name }) => name === 'signing-profile:default') }
  }
  const metric = async () => {
    const text = await (await service.full.call('GET', '/api/metrics')).text()
    return /^bulk_check_ok\{check="signing-profile:default"\} (\d)$/m.exec(text)?.[1]
  }
  expect([await check(), await metric()]).toMatchObject([{ status: 200, ok: true }, '1'])
  const tokens = join(folder, 'tokens')
  await rename(tokens, `${tokens}-away`)
  clock.advance(2 * MINUTE)
  await expect.poll(check).toMatchObject({ status: 200, ok: false })
  expect(await metric()).toBe('0')
  await rename(`${tokens}-away`, tokens)
  // Nobody does anything: the hold tries it again, at longer and longer intervals.
  await expect.poll(check).toMatchObject({ status: 200, ok: true })
})

test('while a token is away the files of its profile wait and readiness is red; they are signed when it is back', async () => {
  const seed = tokenSeed('default', holders.rsa, { InputFolder: 'default', Level: 'B-B' })
  const settings = { Health: { CacheSeconds: 0 } }
  const service = await startBatchSigner({ database: 'SQLite', profiles: [seed], settings })
  const drop = (name: string) => writeFile(join(service.input(), name), content)
  const statuses = async () => {
    const { body } = await service.full.json<{ items: { fileName: string; status: string }[] }>('GET', '/api/jobs')
    return Object.fromEntries(body.items.map(({ fileName, status }) => [fileName, status]))
  }
  const check = async () => {
    const { body } = await service.full.json<{ checks: { name: string }[] }>('GET', '/api/ready/details')
    return body.checks.find(({ name }) => name === 'signing-profile:default')
  }
  await drop('a.txt')
  await expect.poll(statuses).toEqual({ 'a.txt': 'Completed' })
  const tokens = join(folder, 'tokens')
  await rename(tokens, `${tokens}-away`)
  await Promise.all(['b.txt', 'c.txt'].map(drop))
  await expect
    .poll(async () => [await statuses(), await check()])
    .toMatchObject([{ 'a.txt': 'Completed', 'b.txt': 'Queued', 'c.txt': 'Queued' }, { ok: false }])
  await rename(`${tokens}-away`, tokens)
  const tried = await service.full.call('POST', '/dashboard/api/profiles/default/try')
  expect(tried.status).toBe(200)
  await expect.poll(statuses).toEqual({ 'a.txt': 'Completed', 'b.txt': 'Completed', 'c.txt': 'Completed' })
  expect(await check()).toMatchObject({ ok: true })
})
