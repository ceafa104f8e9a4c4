// The inspector of approval records: what people decided about, measured again.
import { sign } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { comeByLink, joao, maria, portalSettings } from './test-support/approvers.ts'
import {
  databases,
  demoPki,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const approval = {
  MinimumApprovers: 2,
  Approvers: [maria, joao].map(({ name, email, cpf }) => ({ Name: name, Email: email, Cpf: cpf })),
}

const profiles = [
  profileOf('davi-moreira', {
    Name: 'default',
    InputFolder: 'default',
    Approval: { ...approval, MinimumApprovers: 1 },
  }),
  profileOf('davi-moreira', { Name: 'plain', Format: 'Cades' }),
  { Name: 'signed', Format: 'Cades', Level: 'B-B', Approval: { ...approval, Signers: 'Approvers' } },
]

const settings = { ...portalSettings, Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] } }

for (const database of databases)
  describe(`the inspector of approval records on ${database}`, () => {
    const start = () => startBatchSigner({ database, profiles, settings })

    const read = async ({ full }: RunningBatchSigner, id: string) => (await full.json('GET', `/api/jobs/${id}`)).body

    const until = (service: RunningBatchSigner, id: string, status: string) =>
      expect.poll(async () => (await read(service, id))['status'], { interval: 10 }).toBe(status)

    async function given(service: RunningBatchSigner, profile: string, status = 'AwaitingApproval'): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob(['payments of the day']), `${profile}.rem`)
      const path = `/api/files?profile=${profile}`
      const { jobId } = (await service.full.json<{ jobId: string }>('POST', path, { body: form })).body
      await until(service, jobId, status)
      return jobId
    }

    const inspect = async ({ full }: RunningBatchSigner, id: string, language = 'en-US') =>
      (
        await full.json('GET', `/dashboard/api/jobs/${id}/approvals/inspection`, {
          headers: { 'Accept-Language': language },
        })
      ).body

    const folderOf = ({ folder }: RunningBatchSigner, id: string) => join(folder, 'batch-signer/processing', id)

    async function approveBySignature(service: RunningBatchSigner, id: string): Promise<void> {
      const { der, key } = (await demoPki()).pki.certificate('ana-souza')
      const browser = await comeByLink(service, maria)
      const path = `/approvals/api/jobs/${id}/signature`
      const { toMake } = (await browser.json('POST', path, { certificate: der.toString('base64') })).body
      const signature = sign('sha256', Buffer.from(toMake.toSign, 'base64'), key.privateKey).toString('base64')
      const { approved } = (await browser.json('PUT', path, { token: toMake.token, signature })).body
      expect(approved).toMatchObject({ ok: true })
    }

    test('measures the copy and the signatures against the record, each time anew', async () => {
      const service = await start()
      const id = await given(service, 'signed')
      const { contentSha256 } = await read(service, id)
      expect(await inspect(service, id)).toMatchObject({
        contentSha256,
        copy: { state: 'right', sha256: contentSha256 },
        signatures: { state: 'none', sha256: null, signers: [], problems: [] },
        former: null,
      })
      await approveBySignature(service, id)
      const signer = { approverName: maria.name, thumbprintSha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
      const right = { state: 'right', signers: [{ ...signer, isThere: true }], problems: [] }
      expect((await inspect(service, id))['signatures']).toMatchObject(right)

      const [copy, envelope] = (await readdir(folderOf(service, id)))
        .sort()
        .map((name) => join(folderOf(service, id), name))
      const wholes = [await readFile(copy!), await readFile(envelope!)]
      await writeFile(copy!, 'payments of another day')
      const changed = Buffer.from(wholes[1]!)
      changed[changed.indexOf('payments')]! ^= 1
      await writeFile(envelope!, changed)
      const altered = await inspect(service, id)
      expect(altered['copy']).toEqual({ state: 'altered', sha256: expect.not.stringMatching(String(contentSha256)) })
      expect(altered['signatures']).toMatchObject({ state: 'altered', signers: [{ isThere: true }] })
      const problems = async (language: string) =>
        ((await inspect(service, id, language))['signatures'] as { problems: string[] }).problems
      expect(await problems('en-US')).toContain('The content inside the signature is another one.')
      expect((await problems('pt-BR')).join()).toMatch(/conteúdo/)

      await rm(copy!)
      await rm(envelope!)
      expect(await inspect(service, id)).toMatchObject({
        copy: { state: 'missing', sha256: null },
        signatures: { state: 'missing', signers: [{ isThere: false }] },
      })
      await writeFile(copy!, wholes[0]!)
      await writeFile(envelope!, wholes[1]!)
      expect(await inspect(service, id)).toMatchObject({ copy: { state: 'right' }, signatures: right })
      await service.full.json('POST', `/api/jobs/${id}/cancel`)
      expect(await inspect(service, id)).toMatchObject({ copy: { state: 'none' }, signatures: { state: 'none' } })
    })

    test('tells of a retried job what people decided about the one before, and whether its bytes are the same', async () => {
      const service = await start()
      const id = await given(service, 'default')
      const [name] = await readdir(folderOf(service, id))
      await writeFile(join(folderOf(service, id), name!), 'payments of another day')
      const browser = await comeByLink(service, maria)
      await browser.json('POST', `/approvals/api/jobs/${id}/approve`)
      await until(service, id, 'Failed')
      expect(await read(service, id)).toMatchObject({ errorCode: 'approval.content-changed' })
      const { newJobId } = (await service.full.json<{ newJobId: string }>('POST', `/api/jobs/${id}/retry`)).body
      await until(service, newJobId, 'AwaitingApproval')
      expect(await inspect(service, newJobId)).toMatchObject({
        copy: { state: 'right' },
        signatures: null,
        former: { jobId: id, isIdentical: true, approved: 1 },
      })
    })

    test('is for operators, about jobs that waited', async () => {
      const service = await start()
      const [waiting, plain] = [await given(service, 'default'), await given(service, 'plain', 'Completed')]
      const path = (id: string) => `/dashboard/api/jobs/${id}/approvals/inspection`
      expect((await service.full.call('GET', path(waiting), { key: null })).status).toBe(401)
      expect((await (await comeByLink(service, maria)).call('GET', path(waiting))).status).toBe(401)
      expect(await inspect(service, plain)).toMatchObject({ code: 'approval.not-required' })
      for (const id of [crypto.randomUUID(), 'x'])
        expect(await inspect(service, id)).toMatchObject({ code: 'job.not-found' })
    })
  })
