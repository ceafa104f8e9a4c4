// Rules that operators edit while files wait: what waits keeps the rule it was parked with.
import { demoHolders } from '@chancela/testkit/demo-pki'
import { describe, expect, test } from 'vitest'
import type { ApprovalRule } from '../src/rules/approval-rule.ts'
import { joao, maria, portalSettings, rita, ruleOf } from './test-support/approvers.ts'
import { lyingIn } from './test-support/lying-in.ts'
import { form } from './test-support/profiles-app.ts'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const payments = profileOf(demoHolders[0]!.label, {
  Name: 'payments',
  Format: 'Cades',
  Level: 'B-B',
  Approval: {
    MinimumApprovers: 2,
    Approvers: [maria, joao].map(({ name, email, cpf }) => ({ Name: name, Email: email, Cpf: cpf })),
  },
})

for (const database of databases)
  describe(`a rule edited while a file waits, on ${database}`, () => {
    const start = (more: Partial<Parameters<typeof startBatchSigner>[0]> = {}) =>
      startBatchSigner({ database, profiles: [payments], settings: portalSettings, ...more })

    async function parked(service: RunningBatchSigner, fileName: string): Promise<string> {
      const upload = new FormData()
      upload.append('file', new Blob([`payments of ${fileName}`]), fileName)
      const { body } = await service.full.json<{ jobId: string }>('POST', '/api/files?profile=payments', {
        body: upload,
      })
      await until(service, body.jobId, 'AwaitingApproval')
      return body.jobId
    }

    const read = async ({ full }: RunningBatchSigner, id: string) => (await full.json('GET', `/api/jobs/${id}`)).body

    const until = (service: RunningBatchSigner, id: string, status: string) =>
      expect.poll(async () => (await read(service, id))['status'], { interval: 10 }).toBe(status)

    /** As an operator does, in the form of the profile. */
    async function edit({ full }: RunningBatchSigner, approval: ApprovalRule): Promise<void> {
      const path = '/dashboard/api/profiles/payments'
      const { version, certificate } = (await full.json<{ version: number; certificate: object }>('GET', path)).body
      const body = JSON.stringify({ version, ...form({ level: 'B-B', certificate, approval }) })
      const { status } = await full.json('PUT', path, { body, headers: { 'Content-Type': 'application/json' } })
      expect(status).toBe(200)
    }

    const approve = async ({ full }: RunningBatchSigner, id: string, { email }: { readonly email: string }) =>
      (
        await full.json('POST', `/api/approvals/${id}`, {
          key: null,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email }),
        })
      ).body

    test('changes neither who decides about it nor how many are needed', async () => {
      const service = await start()
      const before = await parked(service, 'before.rem')
      await edit(service, ruleOf([rita]))
      expect(await approve(service, before, rita)).toMatchObject({ code: 'approval.unknown-approver' })
      expect(await approve(service, before, maria)).toMatchObject({ approved: 1, required: 2, released: false })
      expect(await approve(service, before, joao)).toMatchObject({ released: true })
      await until(service, before, 'Completed')
      const after = await parked(service, 'after.rem')
      expect(await approve(service, after, joao)).toMatchObject({ code: 'approval.unknown-approver' })
      expect(await approve(service, after, rita)).toMatchObject({ required: 1, released: true })
      await until(service, after, 'Completed')
    })

    test('and that leaves signing to approvers has it fail: it was approved for a key that is not there', async () => {
      const service = await start()
      const [before, later] = [await parked(service, 'before.rem'), await parked(service, 'later.rem')]
      await edit(service, ruleOf([maria, joao], { signers: 'Approvers' }))
      for (const person of [maria, joao]) await approve(service, before, person)
      await until(service, before, 'Failed')
      expect(await read(service, before)).toMatchObject({ errorCode: 'profile.key-unavailable' })
      await service.stop()
      // A process that never had the key says the same.
      const again = await start({ after: { store: service.store, dataFolder: service.folder } })
      for (const person of [maria, joao]) await approve(again, later, person)
      await until(again, later, 'Failed')
      expect(await read(again, later)).toMatchObject({ errorCode: 'profile.key-unavailable' })
      expect(lyingIn(again.output)).toEqual([])
    })
  })
