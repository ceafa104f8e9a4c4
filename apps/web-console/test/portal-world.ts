// The real batch signer with files that wait for approvers, who come by their links.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { buildRemittance } from '@chancela/testkit/samples'
import { withSections } from '@chancela/testkit/service-world'
import { expect, onTestFinished } from 'vitest'
import { linkOf, portalSettings } from '../../../services/batch-signer/test/test-support/approvers.ts'
import {
  profileOf,
  type ServiceOptions,
  startBatchSigner,
} from '../../../services/batch-signer/test/test-support/running-service.ts'
import { axeFindings, cutTables, namelessControls, overlappingCells } from './accessibility.ts'
import type { Locale } from './batch-world.ts'
import { bundlePages, type Page, type VisitOptions } from './bundle-pages.ts'

/** People whose certificates the demo PKI has, under these labels. */
export const ana = { name: 'Ana Beatriz Souza', email: 'ana@example.com', cpf: '52998224725', label: 'ana-souza' }
export const bruno = {
  name: 'Bruno Carvalho Lima',
  email: 'bruno@example.com',
  cpf: '11144477735',
  label: 'bruno-lima',
}
const davi = { name: 'Davi Moreira dos Santos', email: 'davi@example.com', cpf: '98765432100', label: 'davi-moreira' }
/** Of another pool. */
export const stranger = davi

export type Person = typeof ana

const approval = (people: readonly Person[], more: object) => ({
  MinimumApprovers: people.length,
  Approvers: people.map(({ name, email, cpf }) => ({ Name: name, Email: email, Cpf: cpf })),
  ...more,
})

const remittances = { Format: 'Cades', CheckCnab240: true, CheckCnab240PaymentDates: false }

/** Two who decide by a word, the same two who sign, and somebody else. */
const profiles = [
  profileOf(ana.label, { Name: 'default', ...remittances, Approval: approval([ana, bruno], { ExpiresAfter: 'P2D' }) }),
  profileOf(ana.label, { Name: 'contracts', Format: 'Cades', Approval: approval([ana, bruno], {}) }),
  { Name: 'signed', ...remittances, Approval: approval([ana, bruno], { Signers: 'Approvers' }) },
  profileOf(ana.label, { Name: 'others', ...remittances, Approval: approval([stranger], {}) }),
]

const settings = { ...portalSettings, Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] } }

interface VisitorOptions extends Omit<VisitOptions, 'locale' | 'viewport'> {
  readonly width?: number
  readonly locale?: Locale
}

/** A file that pays so much to two people, the second of whom gets a real. */
export const remittance = (amountCentavos: number, paymentDate = '2030-01-15') =>
  buildRemittance({
    payments: [
      { amountCentavos, paymentDate, payeeName: 'JOANA DARC', payeeId: '39053344705', payeeAccount: '67890-1' },
      { amountCentavos: 100, paymentDate },
    ],
  })

/** Opens pages of the portal, for the tests of a file. */
export function portalPages() {
  const { visit, swap } = bundlePages('batch')
  return async (options: Pick<ServiceOptions, 'settings' | 'clock'> = {}) => {
    const clock = options.clock ?? (() => new Date())
    const service = await startBatchSigner({
      database: 'SQLite',
      profiles,
      clock,
      settings: withSections(settings, options.settings ?? {}),
    })
    const { origin, stop } = await swap(service.full.baseUrl)
    onTestFinished(stop)

    const open = (path: string, { width = 1280, locale = 'en-US', ...more }: VisitorOptions = {}): Promise<Page> =>
      visit(origin, path, clock, { locale, viewport: { width, height: 900 }, provoked: /40\d|500/, ...more })

    const statusOf = async (id: string) => (await service.full.json('GET', `/api/jobs/${id}`)).body['status']

    /** Hands a file in, which then waits; its id. */
    async function park(fileName: string, content: Buffer | string, profile = 'default'): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), fileName)
      const { body } = await service.full.json<{ jobId: string }>('POST', `/api/files?profile=${profile}`, {
        body: form,
      })
      await expect.poll(() => statusOf(body.jobId)).toBe('AwaitingApproval')
      return body.jobId
    }

    /** A decision by a stated address. */
    async function decide(id: string, { email }: Person, decision: 'approved' | 'rejected', reason?: string) {
      const answer = await service.full.call('POST', `/api/approvals/${id}`, {
        key: null,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, decision, reason }),
      })
      expect(answer.status).toBe(200)
    }

    return {
      service,
      origin,
      open,
      park,
      decide,
      statusOf,
      /** Comes by the link of somebody. */
      come: ({ email }: Person, options?: VisitorOptions) => open(linkOf(email), options),
      /** The certificate file of a person, and its password. */
      keyOf: ({ label }: Person) => ({
        path: join(service.folder, `${label}.p12`),
        password: demoHolders.find((holder) => holder.label === label)!.pin,
      }),
      /** What was put out, by name. */
      outputs: async () => {
        const names = await readdir(service.output)
        return new Map(
          await Promise.all(names.map(async (name) => [name, await readFile(join(service.output, name))] as const)),
        )
      },
    }
  }
}

/** A page as anybody can use it: named controls, enough contrast, nothing cut off. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  expect(await page.evaluate(cutTables)).toBe(0)
  expect(await page.evaluate(overlappingCells)).toEqual([])
}
