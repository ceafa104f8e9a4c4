// Faults that a review of the running service found, each in the reviewer's own steps: files are dropped, requests are
// sent, and what comes out is looked at. Nothing here leans on how the service keeps its promise.
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '@chancela/service-kernel/clock'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { buildRemittance } from '@chancela/testkit/samples'
import { openssl } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { faults } from './test-support/file-faults.ts'
import {
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  type ServiceOptions,
  startBatchSigner,
} from './test-support/running-service.ts'

const ana = demoHolders[0]!

type Told = Readonly<Record<string, unknown>>

const start = (options: ServiceOptions) =>
  startBatchSigner({ ...options, settings: { Health: { CacheSeconds: 0 }, ...options.settings } })

const drop = (service: RunningBatchSigner, name: string, content = `content of ${name}`) =>
  writeFile(join(service.input(), name), content)

const jobs = async ({ full }: RunningBatchSigner, name?: string): Promise<readonly Told[]> =>
  (await full.json<{ items: Told[] }>('GET', '/api/jobs')).body.items.filter(
    ({ fileName }) => name === undefined || fileName === name,
  )

const statuses = async (service: RunningBatchSigner, name?: string) =>
  (await jobs(service, name)).map(({ status }) => status)

const metrics = async ({ full }: RunningBatchSigner) => (await full.call('GET', '/api/metrics')).text()

async function ready({ full }: RunningBatchSigner, name: string) {
  const { status, body } = await full.json<{ checks: Told[] }>('GET', '/api/ready/details')
  return { status, ...body.checks.find((one) => one.name === name) }
}

async function events({ full }: RunningBatchSigner, type: string): Promise<readonly Told[]> {
  return (await full.json<{ items: Told[] }>('GET', `/api/events?eventType=${type}`)).body.items
}

const folder = async ({ full }: RunningBatchSigner): Promise<Told> =>
  (await full.json<{ folders: Told[] }>('GET', '/api/folders')).body.folders[0]!

/** A file that came later is signed: whatever lay there before was looked at, twice over. */
async function othersPass(service: RunningBatchSigner): Promise<void> {
  for (const name of [`other-${Math.random()}.txt`, `another-${Math.random()}.txt`]) {
    await drop(service, name)
    await expect.poll(() => statuses(service, name)).toEqual(['Completed'])
  }
}

/** What an output in CMS signs, by openssl. */
async function contentOf(service: RunningBatchSigner, name: string): Promise<string> {
  const args = ['cms', '-verify', '-inform', 'DER', '-binary', '-noverify']
  const { ok, stdout, text } = await openssl(args, { input: await readFile(join(service.output, name)) })
  if (!ok) throw new Error(text)
  return stdout.toString()
}

for (const database of databases) {
  describe(`a file whose writer pauses with it open, on ${database}`, () => {
    test.each(['metade 1, ', ''])('is signed whole: it began with “%s”', async (beginning) => {
      const service = await start({ database })
      const file = await open(join(service.input(), 'parado.txt'), 'w')
      onTestFinished(() => file.close().catch(() => undefined))
      await file.write(beginning)
      await othersPass(service)
      await file.write('metade 2')
      await file.close()
      await expect.poll(() => statuses(service, 'parado.txt')).toEqual(['Completed'])
      expect(await contentOf(service, 'parado.txt.p7m')).toBe(`${beginning}metade 2`)
    })
  })

  describe(`an input that cannot be removed, on ${database}`, () => {
    test.each([true, false])('is signed once, RejectAlreadyProcessedFileNames %s', async (namesOnce) => {
      const settings = {
        Pipeline: { RejectAlreadyProcessedFileNames: namesOnce },
        WatchedFolder: { PollIntervalSeconds: 5 },
      }
      const service = await start({ database, settings })
      const mend = faults(({ operation, path }) =>
        operation === 'unlinkSync' && path.startsWith(service.input()) ? { errno: 'EACCES' } : undefined,
      )
      await drop(service, 'pix.txt')
      // A consumer empties output/: an output that lies there keeps its name from being given twice.
      const delivered: string[] = []
      const consume = async () => {
        for (const name of await readdir(service.output)) {
          await rm(join(service.output, name))
          delivered.push(name)
        }
        return delivered.length
      }
      const failed = async () => (await readdir(service.error)).length
      const over = async () =>
        (await consume()) > 1 || (await failed()) > 0 || (await folder(service)).status === 'Stopped'
      await expect.poll(over).toBe(true)
      expect([delivered, await failed()]).toEqual([['pix.txt.p7m'], 0])
      expect(await folder(service)).toMatchObject({ lastError: expect.stringContaining('pix.txt') })
      expect(await statuses(service, 'pix.txt')).toEqual(['Completed'])
      mend()
    })
  })

  describe(`an output folder that is none, on ${database}`, () => {
    test('leaves no job in Processing for ever', async () => {
      const service = await start({ database })
      const away = `${service.output}-away`
      await rename(service.output, away)
      await writeFile(service.output, '')
      await drop(service, 'a.txt')
      const working = async () =>
        (await service.full.json<{ jobsInFlight: number }>('GET', '/api/pipeline/state')).body.jobsInFlight
      const waits = async () => (await events(service, 'StoragePaused')).length > 0
      const left = async () => (await statuses(service, 'a.txt'))[0] === 'Processing' && (await working()) === 0
      await expect.poll(async () => (await waits()) || (await left())).toBe(true)
      await rm(service.output)
      await rename(away, service.output)
      await othersPass(service)
      await expect.poll(() => statuses(service, 'a.txt')).toEqual(['Completed'])
    })
  })

  describe(`what is not the file’s fault, on ${database}`, () => {
    const named = (label: string, more: Told = {}) => [
      {
        ...profileOf(ana.label, { Name: 'default', InputFolder: 'default', Format: 'Cades', ...more }),
        ...keyOf(label),
      },
    ]
    const keyOf = (label: string) => (label === ana.label ? {} : { Pkcs12File: 'other.p12' })

    /** Starts with the key of another holder: it is put there before the profile is first used. */
    async function startWith(label: string, more: Partial<ServiceOptions> = {}) {
      const { pki } = await demoPki()
      const service = await start({ database, profiles: named(label), ...more })
      const key = pki.pkcs12(pki.certificate(label), { password: ana.pin })
      await writeFile(join(service.folder, 'other.p12'), key)
      return service
    }

    /** The file waits, and readiness names the profile. */
    async function waits(service: RunningBatchSigner): Promise<void> {
      await drop(service, 'a.txt')
      const judged = async () => {
        const [status] = await statuses(service, 'a.txt')
        const { ok } = (await ready(service, 'signing-profile:default')) as { ok?: boolean }
        return status === 'Failed' || (status === 'Queued' && ok === false) ? status : 'not yet'
      }
      await expect.poll(judged).not.toBe('not yet')
      expect(await jobs(service, 'a.txt')).toMatchObject([{ status: 'Queued' }])
      expect(await ready(service, 'signing-profile:default')).toMatchObject({ ok: false })
      expect(await metrics(service)).toMatch(/bulk_profile_held\{profile="default",reason="[\w-]+"\} 1/)
    }

    test.each(['revoked', 'expired'])('a certificate that is %s', async (label) => {
      await waits(await startWith(label))
    })

    test('nobody answers whether the certificate is revoked', async () => {
      const { faults: down } = await demoPki()
      for (const area of ['crl', 'crl-mirror', 'ocsp'] as const) down.set(area, { kind: 'down' })
      onTestFinished(() => down.clear())
      await waits(await start({ database, profiles: named(ana.label) }))
    })

    test('a full disk: readiness, metric and state say that nothing is signed', async () => {
      const service = await start({ database })
      const mend = faults(({ operation, path }) =>
        ['open', 'write', 'writevSync', 'fsync', 'mkdir'].includes(operation) && /\/(processing|output)\//.test(path)
          ? { errno: 'ENOSPC' }
          : undefined,
      )
      await drop(service, 'a.txt')
      await expect.poll(() => events(service, 'StoragePaused')).toHaveLength(1)
      expect(await metrics(service)).toContain('bulk_pipeline_paused 1')
      expect((await service.full.call('GET', '/api/ready')).status).toBe(503)
      const { body } = await service.full.json('GET', '/api/pipeline/state')
      expect(body).toMatchObject({ selfPaused: { reason: expect.stringContaining('no room') } })
      mend()
      await expect.poll(() => statuses(service, 'a.txt')).toEqual(['Completed'])
      expect((await service.full.call('GET', '/api/ready')).status).toBe(200)
    })

    test('a certificate that expires in 20 days is told before it does', async () => {
      const { pki } = await demoPki()
      const end = new Date(pki.certificate(ana.label).x509.validTo)
      const clock = () => new Date(end.getTime() - 20 * DAY)
      const service = await start({ database, profiles: named(ana.label, { ValidateCertificate: false }), clock })
      await expect.poll(() => events(service, 'CertificateExpiring')).toHaveLength(1)
      expect(await metrics(service)).toContain(
        `bulk_profile_certificate_not_after_timestamp_seconds{profile="default"} ${end.getTime() / 1000}`,
      )
    })
  })

  describe(`smaller faults, on ${database}`, () => {
    test('the refusal of a name names the file that carries it', async () => {
      const service = await start({ database })
      await drop(service, 'Duplicado.txt')
      await expect.poll(() => statuses(service, 'Duplicado.txt')).toEqual(['Completed'])
      await drop(service, 'duplicado.TXT')
      await expect.poll(() => events(service, 'FileAlreadyProcessed')).toHaveLength(1)
      expect((await events(service, 'FileAlreadyProcessed'))[0]!.message).toContain('Duplicado.txt')
    })

    test.each([
      ['EBCDIC', 'IBM037'],
      ['UTF-16', 'UTF-16LE'],
    ] as const)('a remittance in %s is refused as such', async (name, encoding) => {
      const remessas = profileOf(ana.label, { Name: 'default', InputFolder: 'default', CheckCnab240: true })
      const service = await start({ database, profiles: [remessas] })
      const text = buildRemittance({ payments: [{ amountCentavos: 100 }] }).toString('latin1')
      await writeFile(join(service.input(), 'a.rem'), encoded[encoding](text))
      await expect.poll(() => statuses(service, 'a.rem')).toEqual(['Failed'])
      expect((await jobs(service, 'a.rem'))[0]!.errorMessage).toContain(name)
    })
  })
}

test('a file whose name is not UTF-8 is shown with the reason; one that failed does not count as waiting', async () => {
  const settings = { WatchedFolder: { PollIntervalSeconds: 5 } }
  const service = await start({ database: 'SQLite', settings })
  await drop(service, 'quebrado.pdf', 'not a PDF')
  await expect.poll(() => statuses(service, 'quebrado.pdf')).toEqual(['Failed'])
  await writeFile(
    Buffer.concat([Buffer.from(`${service.input()}/a`), Buffer.of(0xe7, 0xe3), Buffer.from('o.txt')]),
    'x',
  )
  await expect
    .poll(() => folder(service))
    .toMatchObject({ waitingCount: 1, waiting: [{ reason: 'name-not-utf8' }], refusedCount: 1 })
})

/** Letters, digits and blanks of EBCDIC, which are enough for a remittance. */
const ebcdic = new Map([
  [' ', 0x40],
  ['\r', 0x0d],
  ['\n', 0x25],
  ...[...'0123456789'].map((digit, at): [string, number] => [digit, 0xf0 + at]),
  ...[...'ABCDEFGHI'].map((letter, at): [string, number] => [letter, 0xc1 + at]),
  ...[...'JKLMNOPQR'].map((letter, at): [string, number] => [letter, 0xd1 + at]),
  ...[...'STUVWXYZ'].map((letter, at): [string, number] => [letter, 0xe2 + at]),
])

const encoded = {
  IBM037: (text: string) => Buffer.from([...text].map((letter) => ebcdic.get(letter) ?? 0x4b)),
  'UTF-16LE': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
}
