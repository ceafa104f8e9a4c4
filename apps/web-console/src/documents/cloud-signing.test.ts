// A participant signs with a cloud certificate: from the page of the action through the chooser of the hub and the pages
// of a provider, and back.
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { samplePdf } from '@chancela/testkit/samples'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createDocument,
  signer,
  ticketOf,
} from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { contentOf, judges } from '../../../../services/document-platform/test/test-support/signers.ts'
import { cloudWorld } from '../../test/cloud-world.ts'
import { ANA, type Page } from '../../test/documents-world.ts'

const bundles = { documents: '', chooser: '' }
let browser: TestBrowser

beforeAll(async () => {
  for (const name of ['documents', 'chooser'] as const) {
    bundles[name] = await builtPages(name)
  }
  browser = await openBrowser()
})

afterAll(() => browser.close())

const user = { name: ANA.name, identifier: ANA.cpf, email: ANA.email }

/** A document that waits for one signature, and a visitor. */
async function waitingDocument(locale: string) {
  const world = await cloudWorld(bundles)
  const id = await createDocument(world.platform, [signer(user)], { file: samplePdf('Contrato') })
  const watched = await browser.newPage({ locale })
  onTestFinished(async () => {
    await watched.page.context().close()
    expect(watched.errors).toEqual([])
    expect(watched.policyViolations).toEqual([])
  })
  const { url } = await ticketOf(world.platform, id, ANA.cpf)
  return { ...world, id, page: watched.page, url }
}

test('a participant who first says no signs with a cloud certificate, and the document is signed', async () => {
  const { platform, provider, id, page, url } = await waitingDocument('pt-BR')
  const before = provider.calls.filter(({ operation }) => operation === 'signature').length
  await page.goto(url)
  await page.getByText('Certificado em nuvem', { exact: true }).click()
  await goToProvider(page)
  await page.getByRole('button', { name: 'Recusar' }).click()
  await page.getByRole('alert').getByText('A assinatura não foi autorizada no prestador').waitFor()

  // The choice of the cloud certificate is kept after the refusal.
  await goToProvider(page)
  await page.getByRole('button', { name: 'Autorizar' }).click()
  await page.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
  expect(provider.calls.filter(({ operation }) => operation === 'signature').length - before).toBe(1)
  await judges.pdf((await contentOf(platform, id)).bytes, 1)

  await page.goto(`${url}&cloud=denied`)
  await page.getByText('Você já agiu').waitFor()
})

test('inside the page of an application it is signed in a window of its own', async () => {
  const { platform, origin, id, page } = await waitingDocument('pt-BR')
  const { body } = await platform.json('POST', `/api/documents/${id}/action-url`, { identifier: ANA.cpf })
  await page.goto(`${origin}/validate`)
  await page.evaluate((address) => {
    const told: string[] = []
    Object.assign(window, { told })
    window.addEventListener('message', ({ data }) => told.push(data))
    const frame = document.createElement('iframe')
    Object.assign(frame, { src: address, width: 1000, height: 900 })
    document.body.append(frame)
  }, body.embedUrl)
  const frame = page.frameLocator('iframe')
  await frame.getByText('Certificado em nuvem', { exact: true }).click()
  const opened = page.waitForEvent('popup')
  await frame.getByRole('link', { name: 'Assinar com certificado em nuvem em outra janela' }).click()
  const popup = await opened
  await goToProvider(popup)
  await popup.getByRole('button', { name: 'Autorizar' }).click()
  await popup.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()

  await frame.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
  const told = await page.evaluate(() => (window as unknown as { told: unknown[] }).told)
  expect(told).toEqual([JSON.stringify({ type: 'documentSigned', id })])
  await judges.pdf((await contentOf(platform, id)).bytes, 1)
})

test('whoever comes back in another browser is told what to do', async () => {
  const { page, origin, url } = await waitingDocument('en-US')
  // `cloud=signed` in the URL is not believed before the document is signed.
  await page.goto(`${url}&cloud=signed`)
  await page.getByText(`${ANA.name}, you are asked to sign this document.`).waitFor()
  await page.goto(`${origin}/cloud-return?signing=00000000-0000-0000-0000-000000000000&session=x`)
  await page.getByText('Nothing was signed', { exact: true }).waitFor()
})

/** From the page of the action to the consent of the provider. */
async function goToProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Assinar com certificado em nuvem' }).click()
  await page.getByRole('link', { name: /nuvem/ }).click()
  await page.getByLabel('CPF ou CNPJ').fill(ANA.cpf)
  await page.getByLabel('PIN').fill(ANA.pin)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('heading', { name: 'Autorizar' }).waitFor()
}
