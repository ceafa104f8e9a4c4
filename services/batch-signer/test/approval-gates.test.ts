// The gates before the signature: they run before people are asked, and again when they have decided.
import { DAY } from '@chancela/service-kernel/clock'
import { buildRemittance } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { joao, maria } from './test-support/approvers.ts'
import { lyingIn } from './test-support/lying-in.ts'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const approval = {
  MinimumApprovers: 1,
  Approvers: [maria, joao].map(({ name, email, cpf }) => ({ Name: name, Email: email, Cpf: cpf })),
}

const checks = { Format: 'Cades', CheckCnab240: true, ValidateCertificate: false, Approval: approval }

const profiles = [
  profileOf('ana-souza', { Name: 'strict', ...checks }),
  profileOf('ana-souza', { Name: 'lenient', ...checks, CheckCnab240PaymentDates: false }),
]

const dayAfter = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

/** Payable in two days. */
const remittance = buildRemittance({ payments: [{ amountCentavos: 100, paymentDate: dayAfter(2) }] })

for (const database of databases)
  describe(`gates of files that wait, on ${database}`, () => {
    const offset = { ms: 0 }

    const start = () => {
      offset.ms = 0
      return startBatchSigner({ database, profiles, clock: () => new Date(Date.now() + offset.ms) })
    }

    async function upload({ full }: RunningBatchSigner, content: Uint8Array, profile: string): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(content)]), `${profile}.rem`)
      return (await full.json<{ jobId: string }>('POST', `/api/files?profile=${profile}`, { body: form })).body.jobId
    }

    const read = async ({ full }: RunningBatchSigner, id: string) => (await full.json('GET', `/api/jobs/${id}`)).body

    const until = (service: RunningBatchSigner, id: string, status: string) =>
      expect.poll(async () => (await read(service, id))['status'], { interval: 10 }).toBe(status)

    const approve = ({ full }: RunningBatchSigner, id: string) =>
      full.json('POST', `/api/approvals/${id}`, {
        key: null,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: maria.email }),
      })

    test('a file that fails one is never asked about', async () => {
      const service = await start()
      const id = await upload(service, Buffer.from('no remittance at all'), 'strict')
      await until(service, id, 'Failed')
      expect(await read(service, id)).toMatchObject({ errorCode: 'cnab240.invalid', approval: null })
    })

    test('a payment date that passes while people decide fails the file, unless the profile does not look at dates', async () => {
      const service = await start()
      const [strict, lenient] = [
        await upload(service, remittance, 'strict'),
        await upload(service, remittance, 'lenient'),
      ]
      for (const id of [strict, lenient]) await until(service, id, 'AwaitingApproval')
      offset.ms = 4 * DAY
      for (const id of [strict, lenient])
        expect((await approve(service, id)).body).toMatchObject({ approved: 1, released: true })
      await until(service, strict, 'Failed')
      expect(await read(service, strict)).toMatchObject({ errorCode: 'cnab240.payment-date-passed' })
      await until(service, lenient, 'Completed')
      await expect.poll(() => lyingIn(service.output), { interval: 10 }).toEqual(['lenient.rem.p7m'])
    })

    test('a released file of which nobody knows what was approved is not signed', async () => {
      const service = await start()
      const id = await upload(service, remittance, 'strict')
      await until(service, id, 'AwaitingApproval')
      await service.full.json('POST', '/api/pipeline/pause')
      await approve(service, id)
      await until(service, id, 'Queued')
      await service.store.db.updateTable('job_approval').set({ content_sha256: null }).execute()
      await service.full.json('POST', '/api/pipeline/resume')
      await until(service, id, 'Failed')
      expect(await read(service, id)).toMatchObject({ errorCode: 'approval.content-unmeasured' })
      expect(lyingIn(service.output)).toEqual([])
    })

    test('decisions are taken ten times a minute, counted apart from what operators do', async () => {
      const now = new Date()
      const settings = { RateLimiting: { Enabled: true } }
      const service = await startBatchSigner({ database, profiles, settings, clock: () => now })
      const statuses = []
      for (let n = 0; n < 11; n++) statuses.push((await approve(service, crypto.randomUUID())).status)
      expect(statuses).toEqual([...Array(10).fill(404), 429])
      expect((await service.full.call('POST', '/api/pipeline/pause')).status).toBe(200)
    })
  })
