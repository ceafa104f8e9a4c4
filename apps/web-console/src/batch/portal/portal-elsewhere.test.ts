// Approving with a certificate at a provider, or on a token at a computer: from the lists there, and back.
import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { builtPages } from '@chancela/testkit/pages'
import { withSections } from '@chancela/testkit/service-world'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
// From the services' own tests: the pages are tested against the real services, agent and token.
import { linkOf, portalSettings } from '../../../../../services/batch-signer/test/test-support/approvers.ts'
import {
  demoPki,
  profileOf,
  type RunningBatchSigner,
  startBatchSigner,
} from '../../../../../services/batch-signer/test/test-support/running-service.ts'
import { allowRedirects } from '../../../../../services/cloud-hub/test/test-support/authorized.ts'
import { startHub } from '../../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../../services/cloud-hub/test/test-support/providers.ts'
import { rootsFile, clock as tokenClock } from '../../../../../services/session-server/test/test-support/pki.ts'
import { sharedSessionServer } from '../../../../../services/session-server/test/test-support/session-world.ts'
import { newTokenStation, TOKEN_PIN } from '../../../../../services/session-server/test/test-support/workstation.ts'
import { axeFindings, namelessControls } from '../../../test/accessibility.ts'
import { bundlePages, type Page } from '../../../test/bundle-pages.ts'
import { swapBundle } from '../../../test/bundle-proxy.ts'

const ana = { name: 'Ana Beatriz Souza', email: 'ana@example.com', cpf: '52998224725', label: 'ana-souza' }

const Approvers = [{ Name: ana.name, Email: ana.email, Cpf: ana.cpf }]

const profiles = [
  { Name: 'signed', Format: 'Cades', Approval: { MinimumApprovers: 1, Signers: 'Approvers', Approvers } },
  profileOf('davi-moreira', { Name: 'by-word', Format: 'Cades', Approval: { MinimumApprovers: 1, Approvers } }),
]

const words = {
  'en-US': {
    approve: 'Approve…',
    sign: 'Approve by signing…',
    all: 'Select all on this page',
    cloud: 'Cloud certificate',
    goCloud: 'Sign with a cloud certificate',
    token: 'Token or card at a computer',
    goToken: 'Sign with a token',
    done: '3 files are approved.',
    doneTwo: '2 files are approved.',
    released: 'Approved, and released',
    denied: 'was not allowed at the provider',
    declined: 'was declined at the computer',
    unmatched: 'You came back from a provider',
    close: 'Close',
    there: { holder: 'CPF or CNPJ', go: 'Continue', title: 'Authorize', allow: 'Approve', deny: 'Deny' },
  },
  'pt-BR': {
    approve: 'Aprovar…',
    sign: 'Aprovar assinando…',
    all: 'Selecionar todos desta página',
    cloud: 'Certificado em nuvem',
    goCloud: 'Assinar com certificado em nuvem',
    token: 'Token ou cartão em um computador',
    goToken: 'Assinar com token',
    done: '3 arquivos estão aprovados.',
    doneTwo: '2 arquivos estão aprovados.',
    released: 'Aprovado e liberado',
    denied: 'não foi autorizada no prestador',
    declined: 'foi recusado no computador',
    unmatched: 'Você voltou de um prestador',
    close: 'Fechar',
    there: { holder: 'CPF ou CNPJ', go: 'Continuar', title: 'Autorizar', allow: 'Autorizar', deny: 'Recusar' },
  },
} as const

type Say = (typeof words)[keyof typeof words]

const inBoth = [
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const

const { visit, swap } = bundlePages('batch')
let chooser = ''

beforeAll(async () => {
  chooser = await builtPages('chooser')
})

const statusOf = async ({ full }: RunningBatchSigner, id: string) =>
  (await full.json('GET', `/api/jobs/${id}`)).body['status']

/** Hands a file in, which then waits; its id. */
async function park(service: RunningBatchSigner, name: string, profile = 'signed'): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['payments of the day']), name)
  const path = `/api/files?profile=${profile}`
  const { body } = await service.full.json<{ jobId: string }>('POST', path, { body: form })
  await expect.poll(() => statusOf(service, body.jobId)).toBe('AwaitingApproval')
  return body.jobId
}

async function expectUsable(page: Page): Promise<void> {
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
}

/** Chooses everything that waits, and a way to sign. */
async function approveAll(page: Page, say: Say, way: string, go: string) {
  await page.getByLabel(say.all).check()
  await page.getByRole('toolbar').getByRole('button', { name: say.approve }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(way, { exact: true }).click()
  await expectUsable(page)
  await dialog.getByRole('button', { name: go }).click()
}

describe('a cloud certificate', () => {
  /** The service with a hub and a provider, and Ana, who came by her link. */
  async function cloudWorld(width: number, locale: keyof typeof words) {
    hubClock.set(new Date())
    const hubFront = await swapBundle(chooser, () => hub.baseUrl, '/choose')
    const front = await swap(() => service.full.baseUrl)
    onTestFinished(async () => {
      await hubFront.stop()
      await front.stop()
    })
    const hub = await startHub('SQLite', { settings: { Http: { PublicUrl: hubFront.origin } } })
    const provider = await startCloudProvider({ pki: (await demoPki()).pki, clock: hubClock })
    onTestFinished(() => provider.stop())
    await addProvider(hub, provider, { protocol: 'psc', serviceName: 'nuvem' })
    await allowRedirects(hub, `${front.origin}/approvals/cloud/return`)
    const service = await startBatchSigner({
      database: 'SQLite',
      profiles,
      settings: withSections(portalSettings, {
        Signing: { AuthorityHosts: ['127.0.0.0/8', 'localhost'] },
        CloudHub: { Endpoint: hub.baseUrl, ApiKey: hub.client.apiKey, PublicBaseUrl: front.origin },
      }),
    })
    const elsewhere = [hubFront.origin, new URL(provider.psc.baseUrl).origin]
    const viewport = { width, height: 900 }
    const come = () =>
      visit(front.origin, linkOf(ana.email), () => new Date(), { locale, viewport, elsewhere, provoked: /40\d/ })
    return { service, provider, origin: front.origin, come }
  }

  /** From the chooser to the consent of the provider. */
  async function signInThere(page: Page, { there }: Say): Promise<void> {
    await page.getByRole('link', { name: /nuvem/ }).click()
    await page.getByLabel(there.holder).fill(ana.cpf)
    await page.getByLabel('PIN').fill(demoHolders.find(({ label }) => label === ana.label)!.pin)
    await page.getByRole('button', { name: there.go }).click()
    await page.getByRole('heading', { name: there.title }).waitFor()
  }

  test.each(inBoth)(
    'at %d pixels in %s signs a batch with one sign-in, and the page tells of each file',
    async (width, locale) => {
      const say: Say = words[locale]
      const { service, provider, come } = await cloudWorld(width, locale)
      const ids = [await park(service, 'salarios.rem'), await park(service, 'fornecedores.rem')]
      // Approved with the others, without a signature, and not before they are signed.
      ids.push(await park(service, 'contrato.rem', 'by-word'))
      const page = await come()
      await approveAll(page, say, say.cloud, say.goCloud)
      await signInThere(page, say)
      for (const id of ids) expect(await statusOf(service, id)).toBe('AwaitingApproval')
      await page.getByRole('button', { name: say.there.allow }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(say.done).waitFor()
      for (const name of ['salarios.rem', 'fornecedores.rem', 'contrato.rem']) await dialog.getByText(name).waitFor()
      expect(provider.calls.filter(({ operation }) => operation === 'signature')).toHaveLength(1)
      await expectUsable(page)
      for (const id of ids) await expect.poll(() => statusOf(service, id)).toBe('Completed')
      // It is told once, and the address keeps nothing of it.
      await expect.poll(() => new URL(page.url()).search).toBe('')
      await dialog.getByRole('button', { name: say.close }).last().click()
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
  )

  test.each(inBoth)(
    'at %d pixels in %s that is denied approves nothing, and so does a return of nobody',
    async (width, locale) => {
      const say: Say = words[locale]
      const { service, origin, come } = await cloudWorld(width, locale)
      const id = await park(service, 'salarios.rem')
      const page = await come()
      await page.getByRole('link', { name: 'salarios.rem' }).click()
      await page.getByRole('button', { name: say.sign }).click()
      await page.getByRole('dialog').getByText(say.cloud, { exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: say.goCloud }).click()
      await signInThere(page, say)
      await page.getByRole('button', { name: say.there.deny }).click()
      await page.getByRole('alert').getByText(say.denied).waitFor()
      await expectUsable(page)
      expect(await statusOf(service, id)).toBe('AwaitingApproval')
      await page.goto(`${origin}/approvals/cloud/return?state=somebody&session=other`)
      await page.getByRole('alert').getByText(say.unmatched).waitFor()
      await expectUsable(page)
    },
  )
})

describe('a token at a computer', () => {
  const sessions = sharedSessionServer('SQLite', { settings: { Approvals: { QuietSeconds: 0 } } })

  test.each(inBoth)(
    'at %d pixels in %s signs a batch with one PIN, after its holder declined once',
    async (width, locale) => {
      const say: Say = words[locale]
      const station = await newTokenStation(sessions())
      const service = await startBatchSigner({
        database: 'SQLite',
        // The holder of the token.
        profiles: [
          {
            Name: 'signed',
            Format: 'Cades',
            Approval: {
              MinimumApprovers: 1,
              Signers: 'Approvers',
              Approvers: [{ Name: ana.name, Email: ana.email, Cpf: station.cpf }],
            },
          },
        ],
        clock: tokenClock,
        settings: withSections(portalSettings, {
          Signing: { TrustAnchorsFile: rootsFile, AuthorityHosts: ['127.0.0.0/8', 'localhost'] },
          SessionServer: { Endpoint: sessions().baseUrl, ApiKey: sessions().client.apiKey },
        }),
      })
      const front = await swap(service.full.baseUrl)
      onTestFinished(front.stop)
      const ids = [await park(service, 'salarios.rem'), await park(service, 'fornecedores.rem')]
      const viewport = { width, height: 900 }
      // The page speaks to the service and to nobody else: to no local port, above all.
      const page = await visit(front.origin, linkOf(ana.email), tokenClock, { locale, viewport, provoked: /40\d/ })
      await approveAll(page, say, say.token, say.goToken)
      const dialog = page.getByRole('dialog')
      await (await station.desktop.nextPage()).send({ action: 'decline' })
      await dialog.getByRole('alert').getByText(say.declined).waitFor()
      await dialog.getByRole('button', { name: say.goToken }).click()
      const window = await station.desktop.nextPage()
      for (const name of ['salarios.rem', 'fornecedores.rem']) expect(window.html).toContain(name)
      await window.send({ action: 'continue', choice: '0', pin: TOKEN_PIN })
      await dialog.getByText(say.doneTwo).waitFor()
      expect(await dialog.getByText(say.released).count()).toBe(2)
      await expectUsable(page)
      for (const id of ids) await expect.poll(() => statusOf(service, id)).toBe('Completed')
    },
  )
})
