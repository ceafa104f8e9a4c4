// Conditions of the whole service: what operators see of a profile that cannot sign, and what happens when it can again.
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  type ServiceOptions,
  startBatchSigner,
} from './test-support/running-service.ts'

const [ana, bruno] = demoHolders
const PASSWORD = ana!.pin

interface Conditions {
  readonly storage: { readonly reason: string } | null
  readonly held: readonly Record<string, unknown>[]
  readonly expiring: readonly { readonly profile: string }[]
}

const conditionsOf = async ({ full }: RunningBatchSigner): Promise<Conditions> =>
  (await full.json<Conditions>('GET', '/dashboard/api/conditions')).body
const tryNow = async ({ full }: RunningBatchSigner, name: string): Promise<Conditions> =>
  (await full.json<Conditions>('POST', `/dashboard/api/profiles/${name}/try`)).body

async function jobs({ full }: RunningBatchSigner): Promise<Record<string, Record<string, unknown>>> {
  const { body } = await full.json<{ items: Record<string, unknown>[] }>('GET', '/api/jobs')
  return Object.fromEntries(body.items.map((job) => [job.fileName as string, job]))
}

const statuses = async (service: RunningBatchSigner) =>
  Object.fromEntries(Object.entries(await jobs(service)).map(([name, { status }]) => [name, status]))

async function events({ full }: RunningBatchSigner, ...types: string[]) {
  const query = types.map((type) => `eventType=${type}`).join('&')
  return (await full.json<{ items: Record<string, unknown>[] }>('GET', `/api/events?${query}`)).body.items.reverse()
}

async function check({ full }: RunningBatchSigner, name: string) {
  const { status, body } = await full.json<{ checks: { name: string }[] }>('GET', '/api/ready/details')
  return { status, ...body.checks.find((one) => one.name === name) }
}

const metrics = async ({ full }: RunningBatchSigner) => (await full.call('GET', '/api/metrics')).text()

const drop = (service: RunningBatchSigner, folder: string, name: string) =>
  writeFile(join(service.input(folder), name), `content of ${name}`)

const inputs = ['default', 'payroll']
const payroll = (more: Readonly<Record<string, unknown>>) => [
  profileOf(bruno!.label, { Name: 'default', InputFolder: 'default', Level: 'B-B' }),
  { Name: 'payroll', InputFolder: 'payroll', Format: 'Cades', Level: 'B-B', Pkcs12Password: PASSWORD, ...more },
]

const start = (options: Omit<ServiceOptions, 'inputs'>) =>
  startBatchSigner({ inputs, ...options, settings: { Health: { CacheSeconds: 0 }, ...options.settings } })

async function putKey({ folder }: RunningBatchSigner, label: string): Promise<void> {
  const { pki } = await demoPki()
  await writeFile(join(folder, 'late.p12'), pki.pkcs12(pki.certificate(label), { password: PASSWORD }))
}

for (const database of databases)
  describe(`a profile that cannot sign, on ${database}`, () => {
    test('holds its files only, says so everywhere, and signs them when it can again', async () => {
      const service = await start({ database, profiles: payroll({ Pkcs12File: 'late.p12' }) })
      await Promise.all([drop(service, 'payroll', 'a.txt'), drop(service, 'default', 'b.txt')])
      await expect.poll(() => statuses(service)).toEqual({ 'a.txt': 'Queued', 'b.txt': 'Completed' })
      const reason = { errorMessage: expect.stringContaining('There is no file') }
      await expect.poll(() => jobs(service)).toMatchObject({ 'a.txt': reason })
      expect(await conditionsOf(service)).toMatchObject({
        storage: null,
        held: [{ profile: 'payroll', reason: 'key-unavailable', code: 'profile.degraded', waiting: 1 }],
      })
      const red = { status: 200, ok: false, detail: expect.stringContaining('There is no file') }
      expect(await check(service, 'signing-profile:payroll')).toMatchObject(red)
      expect(await metrics(service)).toContain('bulk_profile_held{profile="payroll",reason="key-unavailable"} 1')
      const inPortuguese = { headers: { 'accept-language': 'pt-BR', 'content-type': 'application/json' } }
      const absent = `Não há o arquivo ${join(service.folder, 'late.p12')}.`
      expect(await service.full.json('GET', '/dashboard/api/profiles/payroll', inPortuguese)).toMatchObject({
        body: { reason: absent },
      })
      expect(await service.full.json('GET', '/dashboard/api/conditions', inPortuguese)).toMatchObject({
        body: { held: [{ message: `O perfil de assinatura não consegue assinar. ${absent}` }] },
      })
      const wrong = { certificate: { kind: 'Pkcs12', path: `${ana!.label}.p12` }, secret: 'not the password' }
      const trial = '/dashboard/api/profiles/payroll/test-certificate'
      expect(await service.full.json('POST', trial, { ...inPortuguese, body: JSON.stringify(wrong) })).toMatchObject({
        body: { signs: false, problem: 'A senha não abre o arquivo PKCS#12.', code: 'pkcs12.wrong-password' },
      })
      const { body: state } = await service.full.json('GET', '/api/pipeline/state')
      expect(state).toMatchObject({ paused: false, selfPaused: null, heldProfiles: ['payroll'] })

      await putKey(service, 'revoked')
      expect(await tryNow(service, 'payroll')).toMatchObject({ held: [{ reason: 'certificate-revoked', waiting: 1 }] })
      await putKey(service, ana!.label)
      expect(await tryNow(service, 'payroll')).toMatchObject({ held: [] })
      await expect.poll(() => statuses(service)).toEqual({ 'a.txt': 'Completed', 'b.txt': 'Completed' })
      expect((await jobs(service))['a.txt']).toMatchObject({ errorMessage: null })
      expect(await check(service, 'signing-profile:payroll')).toMatchObject({ status: 200, ok: true })
      expect(await metrics(service)).toContain('bulk_profile_held{profile="payroll",reason="key-unavailable"} 0')
      expect(await events(service, 'SigningProfileHeld', 'SigningProfileResumed')).toMatchObject([
        { eventType: 'SigningProfileHeld', code: 'profile.degraded' },
        { eventType: 'SigningProfileHeld', code: 'job.certificate-invalid' },
        { eventType: 'SigningProfileResumed' },
      ])
      expect((await service.full.json('POST', '/dashboard/api/profiles/nobody/try')).body).toMatchObject({
        code: 'profile.not-found',
      })
    })

    test.each([
      ['crl', 'revocation-unanswered', {}],
      ['tsa', 'timestamp-unavailable', { Level: 'B-T', ValidateCertificate: false }],
      ['tsa', 'timestamp-unavailable', { Level: 'AD-RT', ValidateCertificate: false }],
      ['tsa', 'timestamp-unavailable', { Level: 'AD-RA', ValidateCertificate: false }],
      ['crl', 'revocation-unanswered', { Level: 'AD-RV', ValidateCertificate: false }],
      ['crl', 'revocation-unanswered', { Level: 'AD-RC', ValidateCertificate: false }],
      ['crl', 'revocation-unanswered', { Level: 'B-LTA', ValidateCertificate: false }],
    ] as const)('waits while nobody answers: %s, %s, %o', async (area, reason, more) => {
      const { faults, baseUrl } = await demoPki()
      const areas = area === 'crl' ? (['crl', 'crl-mirror', 'ocsp'] as const) : (['tsa'] as const)
      for (const one of areas) faults.set(one, { kind: 'down' })
      onTestFinished(() => faults.clear())
      const profiles = payroll({ Pkcs12File: `${ana!.label}.p12`, TimestampAuthority: `${baseUrl}/tsa`, ...more })
      const service = await start({ database, profiles })
      await drop(service, 'payroll', 'a.txt')
      await expect.poll(() => conditionsOf(service)).toMatchObject({ held: [{ reason, waiting: 1 }] })
      expect(await statuses(service)).toEqual({ 'a.txt': 'Queued' })
      expect(await tryNow(service, 'payroll')).toMatchObject({ held: [{ reason }] })
      faults.clear()
      await expect.poll(() => tryNow(service, 'payroll'), { interval: 1000 }).toMatchObject({ held: [] })
      await expect.poll(() => statuses(service)).toEqual({ 'a.txt': 'Completed' })
    })

    test('and folders that cannot be written turn readiness red, and the pipeline says that it waits', async () => {
      const service = await start({ database, profiles: payroll({ Pkcs12File: `${ana!.label}.p12` }) })
      await rename(service.output, `${service.output}-away`)
      expect(await check(service, 'work-folders')).toMatchObject({ status: 503, ok: false })
      await drop(service, 'payroll', 'a.txt')
      await expect.poll(() => conditionsOf(service)).toMatchObject({ storage: { reason: expect.any(String) } })
      const { body } = await service.full.json('GET', '/api/pipeline/state')
      expect(body).toMatchObject({ paused: false, selfPaused: { reason: expect.stringContaining('ENOENT') } })
      const headers = { 'accept-language': 'pt-BR' }
      const reason = expect.stringMatching(/^Os arquivos do trabalho não puderam ser lidos ou gravados\. .*\(ENOENT\)/)
      expect((await service.full.json('GET', '/api/pipeline/state', { headers })).body.selfPaused).toMatchObject({
        reason,
      })
      expect((await service.full.json('GET', '/dashboard/api/conditions', { headers })).body.storage).toMatchObject({
        reason,
      })
      expect(await metrics(service)).toContain('bulk_pipeline_paused 1')
      await rename(`${service.output}-away`, service.output)
      await expect.poll(() => statuses(service)).toEqual({ 'a.txt': 'Completed' })
      expect(await check(service, 'work-folders')).toMatchObject({ status: 200, ok: true })
      expect(await metrics(service)).toContain('bulk_pipeline_paused 0')
    })
  })

test('a database whose file was deleted is red although it answers', async () => {
  const service = await start({ database: 'SQLite', profiles: payroll({ Pkcs12File: `${ana!.label}.p12` }) })
  expect(await check(service, 'database')).toMatchObject({ status: 200, ok: true })
  const { body } = await service.full.json<{ paths: { database: string } }>('GET', '/dashboard/api/system')
  await rm(body.paths.database)
  expect(await check(service, 'database')).toMatchObject({ ok: false, detail: expect.stringContaining('deleted') })
  expect((await service.compact.call('GET', '/api/ready')).status).toBe(503)
})
