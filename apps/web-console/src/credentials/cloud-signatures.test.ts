// A dean signs a class with a cloud certificate: from the page of what waits, through the chooser of the hub and the
// pages of a provider, and back to what became of each document.
import { startCloudProvider } from '@chancela/testkit/cloud-provider'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { builtPages } from '@chancela/testkit/pages'
import { withSections } from '@chancela/testkit/service-world'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { allowRedirects } from '../../../../services/cloud-hub/test/test-support/authorized.ts'
import { startHub } from '../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../services/cloud-hub/test/test-support/providers.ts'
import { waitingCurriculum } from '../../../../services/credential-platform/test/test-support/cloud.ts'
import {
  type CredentialWorld,
  personOf,
  startPlatform,
} from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import { schoolAt } from '../../../../services/credential-platform/test/test-support/issuing.ts'
import {
  clock,
  fileOf,
  pki,
  running,
  signingSettings,
} from '../../../../services/credential-platform/test/test-support/pki.ts'
import { axeFindings, cutTables, namelessControls, overlappingCells } from '../../test/accessibility.ts'
import { bundlePages, type Page } from '../../test/bundle-pages.ts'
import { swapBundle } from '../../test/bundle-proxy.ts'

const DEAN = demoHolders.find(({ label }) => label === 'bruno-lima')!

const pages = bundlePages('credentials')
let chooser = ''
beforeAll(async () => {
  chooser = await builtPages('chooser')
})

/** The platform with a hub and a provider, a school, and its dean before a page. */
async function deanBefore(path: (school: { readonly waiting: readonly { id: string }[] }) => string, width = 1280) {
  hubClock.set(clock())
  const hubFront = await swapBundle(chooser, () => hub.baseUrl, '/choose')
  const front = await pages.swap(() => world.baseUrl)
  onTestFinished(async () => {
    await hubFront.stop()
    await front.stop()
  })
  const hub = await startHub('SQLite', { settings: { Http: { PublicUrl: hubFront.origin } } })
  const provider = await startCloudProvider({ pki: running.pki, clock })
  onTestFinished(() => provider.stop())
  await addProvider(hub, provider, { protocol: 'psc', serviceName: 'nuvem' })
  await allowRedirects(hub, `${front.origin}/cloud-return`)
  const links = {
    Http: { PublicUrl: front.origin },
    CloudHub: { Endpoint: hub.baseUrl, ApiKey: hub.client.apiKey },
  }
  const world: CredentialWorld = await startPlatform('SQLite', withSections(signingSettings, links), clock)
  const school = await schoolAt(world)
  const waiting = []
  for (let at = 0; at < 3; at++) waiting.push(await waitingCurriculum(school))
  const { cookie } = await personOf(world, school, 'Gerente')
  const page = await pages.visit(front.origin, path({ waiting }), clock, {
    locale: 'pt-BR',
    viewport: { width, height: 900 },
    provoked: /401|404|409/,
    elsewhere: [hubFront.origin, new URL(provider.psc.baseUrl).origin],
    cookies: new Map([cookie.split('=') as [string, string]]),
  })
  return { school, waiting, page, width, origin: front.origin }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** From the dialog to the consent of the provider. */
async function goToProvider(page: Page): Promise<void> {
  await page.getByText('Certificado em nuvem', { exact: true }).click()
  await press(page, 'Assinar com certificado em nuvem')
  await page.getByRole('link', { name: /nuvem/ }).click()
  await page.getByLabel('CPF ou CNPJ').fill(DEAN.cpf)
  await page.getByLabel('PIN').fill(DEAN.pin)
  await press(page, 'Continuar')
  await page.getByRole('heading', { name: 'Autorizar' }).waitFor()
}

let shots = 0

/** Nothing hangs over the edge, everything to press has a name, and axe finds nothing. */
async function check(page: Page, width: number): Promise<void> {
  const folder = process.env.CHANCELA_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/signatures-${++shots}-${width}.png`, fullPage: true })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(await page.evaluate(cutTables)).toBe(0)
  expect(await page.evaluate(overlappingCells)).toEqual([])
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
}

async function saysCpf(page: Page): Promise<void> {
  await page.getByLabel(/^CPF/).fill('111.444.777-35')
  await press(page, 'Salvar')
  await said(page, 'Você assina com o CPF 111.444.777-35.')
}

test.each([1280, 390])(
  'a class is signed with one authorization, and each document tells what became of it (%i)',
  async (width) => {
    const { school, waiting, page } = await deanBefore(() => '/signatures', width)
    await saysCpf(page)
    await check(page, width)
    for (const box of await page.getByRole('checkbox', { name: /^Escolher / }).all()) await box.check()
    await said(page, 'Escolhidos: 3')
    await press(page, 'Assinar os escolhidos')
    await page.getByRole('heading', { name: 'Assinar 3 documentos' }).waitFor()
    await check(page, width)
    await goToProvider(page)
    // Meanwhile somebody cancels one of them.
    await school.json('POST', `${waiting[1]!.path}/cancellation`, { reason: 'Erro' })
    await page.getByRole('button', { name: 'Autorizar' }).click()
    await said(page, '2 de 3 assinados.')
    await said(page, 'Nada aguarda você')
    const results = page.getByRole('table', { name: 'Suas últimas assinaturas' })
    expect(await results.getByText('Assinado', { exact: true }).count()).toBe(2)
    await results.getByText('A sua assinatura não é mais esperada.').waitFor()
    await check(page, width)
    for (const at of [0, 2]) await school.reaches(waiting[at]!.path, 'Concluded')
  },
)

test('from the page of an item: who first says no signs on, and another browser is told that nothing was signed', async () => {
  const { school, waiting, page, origin } = await deanBefore((made) => `/curriculums/${made.waiting[0]!.id}`)
  await press(page, 'Assinar com certificado')
  await page.getByRole('dialog').getByLabel(/^CPF/).fill(DEAN.cpf)
  await press(page, 'Salvar')
  await goToProvider(page)
  await press(page, 'Recusar')
  await page.getByRole('alert').getByText('A assinatura não foi autorizada no prestador').waitFor()
  await page.getByRole('row', { name: /C-/ }).last().waitFor()
  await page.goto(`${origin}/curriculums/${waiting[0]!.id}`)
  await press(page, 'Assinar com certificado')
  await goToProvider(page)
  await page.getByRole('button', { name: 'Autorizar' }).click()
  await said(page, '1 de 1 assinados.')
  await school.reaches(waiting[0]!.path, 'Concluded')
  await page.goto(`${origin}/cloud-return?signing=00000000-0000-0000-0000-000000000000&session=x`)
  await said(page, 'Este navegador não iniciou uma assinatura')
})

test('a class is signed with a certificate in a file, which never leaves the browser', async () => {
  const { school, waiting, page } = await deanBefore(() => '/signatures')
  await saysCpf(page)
  await page.getByRole('checkbox', { name: 'Todos desta página' }).check()
  await press(page, 'Assinar os escolhidos')
  await page.getByText('Certificado em arquivo', { exact: true }).click()
  const { content, password } = fileOf(pki.certificate('bruno-lima'))
  const key = { name: 'chave.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.from(content, 'base64') }
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Arquivo do certificado').setInputFiles(key)
  await dialog.getByLabel('Senha do arquivo').first().fill(password)
  await press(page, 'Abrir o certificado')
  // Meanwhile somebody cancels one of them.
  await dialog.getByRole('button', { name: 'Assinar', exact: true }).waitFor()
  await school.json('POST', `${waiting[2]!.path}/cancellation`, { reason: 'Erro' })
  await dialog.getByRole('button', { name: 'Assinar', exact: true }).click()
  await said(page, 'Não assinados: 1. Todos os outros foram.')
  for (const at of [0, 1]) await school.reaches(waiting[at]!.path, 'Concluded')
})
