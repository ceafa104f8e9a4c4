// Files that wait for approval while the disk is full or broken: no file is lost, and who signs is told to try again.
import { sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openssl } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { type Browser, comeByLink, joao, maria, portalSettings } from './test-support/approvers.ts'
import { faults } from './test-support/file-faults.ts'
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

/** People who have certificates of the demo PKI, with their labels. */
const signing = [
  [maria, 'ana-souza'],
  [joao, 'bruno-lima'],
] as const

const profiles = [
  profileOf('davi-moreira', { Name: 'default', InputFolder: 'default', Approval: approval }),
  { Name: 'signed', Format: 'Cades', Level: 'B-B', Approval: { ...approval, Signers: 'Approvers' } },
]

const settings = {
  ...portalSettings,
  Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] },
  Pipeline: { InMemoryBytes: 65_536 },
  Health: { CacheSeconds: 0 },
}

const WRITES = ['open', 'openSync', 'write', 'writevSync', 'fsync', 'mkdir', 'rename']

for (const database of databases)
  describe(`a disk under files that wait, on ${database}`, () => {
    const start = () => startBatchSigner({ database, profiles, settings })

    async function upload({ full }: RunningBatchSigner, content: string, query = ''): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob([content]), 'day.rem')
      return (await full.json<{ jobId: string }>('POST', `/api/files${query}`, { body: form })).body.jobId
    }

    const read = async ({ full }: RunningBatchSigner, id: string) => (await full.json('GET', `/api/jobs/${id}`)).body

    const until = (service: RunningBatchSigner, id: string, status: string) =>
      expect.poll(async () => (await read(service, id))['status'], { interval: 10 }).toBe(status)

    /** What lies in the job's folder. */
    const kept = async ({ folder }: RunningBatchSigner, id: string) => {
      const path = join(folder, 'batch-signer/processing', id)
      return existsSync(path) ? (await readdir(path)).sort() : []
    }

    const paused = async ({ full }: RunningBatchSigner) =>
      (await full.json<{ selfPaused: object | null }>('GET', '/api/pipeline/state')).body.selfPaused

    test.each([
      ['small', 'x'.repeat(100)],
      ['large', 'x'.repeat(100_000)],
    ])('a %s file waits for room before people are asked about it, and none of it is lost', async (_, content) => {
      const service = await start()
      const mend = faults(({ operation, path }) =>
        WRITES.includes(operation) && path.includes('/processing/') ? { errno: 'ENOSPC' } : undefined,
      )
      const id = await upload(service, content)
      await expect.poll(() => paused(service), { interval: 10 }).toBeTruthy()
      expect(await read(service, id)).toMatchObject({ status: 'Processing', approval: null })
      const early = await service.full.json('GET', `/api/jobs/${id}/approvals`)
      expect(early.body).toMatchObject({ code: 'approval.not-required' })
      mend()
      await until(service, id, 'AwaitingApproval')
      expect(await kept(service, id)).toHaveLength(1)
      for (const person of [maria, joao])
        await (await comeByLink(service, person)).json('POST', `/approvals/api/jobs/${id}/approve`)
      await until(service, id, 'Completed')
      expect(await contentOf(service)).toBe(content)
    })

    test('a copy of which only a part could be written is none, and takes no room', async () => {
      const service = await start()
      const written: string[] = []
      const mend = faults(({ operation, path }) => {
        if (operation !== 'fsync' || !path.includes('/processing/')) return undefined
        written.push(path)
        return { errno: 'ENOSPC' }
      })
      const id = await upload(service, 'payments of the day')
      await expect.poll(() => written.length, { interval: 10 }).toBeGreaterThan(0)
      await expect.poll(() => kept(service, id), { interval: 10 }).toEqual([])
      mend()
      await until(service, id, 'AwaitingApproval')
    })

    /** What the page of an approver does: both halves, so that the second can be sent again. */
    async function begun(browser: Browser, id: string, label: string) {
      const { pki } = await demoPki()
      const { der, key } = pki.certificate(label)
      const path = `/approvals/api/jobs/${id}/signature`
      const { toMake } = (await browser.json('POST', path, { certificate: der.toString('base64') })).body
      const signature = sign('sha256', Buffer.from(toMake.toSign, 'base64'), key.privateKey).toString('base64')
      return () => browser.json('PUT', path, { token: toMake.token, signature })
    }

    test.each(['ENOSPC', 'EIO', 'EACCES'] as const)(
      'an approver who signs into %s is told to try again, nothing of it counts, and the same signature is taken later',
      async (errno) => {
        const service = await start()
        const id = await upload(service, 'payments of the day', '?profile=signed')
        await until(service, id, 'AwaitingApproval')
        for (const [person, label] of signing) {
          const complete = await begun(await comeByLink(service, person), id, label)
          for (const operation of ['openSync', 'write', 'fsync', 'rename'] as const) {
            const files = await kept(service, id)
            const mend = faults((call) =>
              call.operation === operation && call.path.includes('/processing/') ? { errno } : undefined,
            )
            const answer = await complete()
            mend()
            expect([answer.status, answer.body.code], operation).toEqual([503, 'service.busy'])
            expect(await kept(service, id)).toEqual(files)
          }
          expect((await complete()).body.approved).toMatchObject({ ok: true })
        }
        await until(service, id, 'Completed')
        expect(await contentOf(service)).toBe('payments of the day')
      },
    )

    test('signatures so far that cannot be read now are told apart from lost ones', async () => {
      const service = await start()
      const id = await upload(service, 'payments of the day', '?profile=signed')
      await until(service, id, 'AwaitingApproval')
      expect((await (await begun(await comeByLink(service, maria), id, 'ana-souza'))()).body.approved).toBeTruthy()
      const name = (await kept(service, id)).find((one) => one.startsWith('signatures-'))!
      const envelope = join(service.folder, 'batch-signer/processing', id, name)
      const whole = await readFile(envelope)
      await rm(envelope)
      // What opens, but cannot be read.
      await mkdir(envelope)
      const browser = await comeByLink(service, joao)
      const { pki } = await demoPki()
      const certificate = pki.certificate('bruno-lima').der.toString('base64')
      const answer = await browser.json('POST', `/approvals/api/jobs/${id}/signature`, { certificate })
      expect([answer.status, answer.body.code]).toEqual([503, 'service.busy'])
      await rmdir(envelope)
      await writeFile(envelope, whole)
      expect((await (await begun(browser, id, 'bruno-lima'))()).body.approved).toMatchObject({ released: true })
      await until(service, id, 'Completed')
    })
  })

/** What the only output signs, by openssl. */
async function contentOf({ output }: RunningBatchSigner): Promise<string> {
  const [name] = await readdir(output)
  const args = ['cms', '-verify', '-inform', 'DER', '-binary', '-noverify']
  const { ok, stdout, text } = await openssl(args, { input: await readFile(join(output, name!)) })
  if (!ok) throw new Error(text)
  return stdout.toString()
}
