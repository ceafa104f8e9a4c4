import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, type PageOptions, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { builtPages } from '@chancela/testkit/pages'
import { buildRemittance, remittanceRecords, samplePdf } from '@chancela/testkit/samples'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
// Starts the real service with a real key, from the service's own tests.
import {
  API_KEY,
  profileOf,
  type RunningBatchSigner,
  type ServiceOptions,
  startBatchSigner,
} from '../../../../services/batch-signer/test/test-support/running-service.ts'
import { cutTables, namelessControls } from '../../test/accessibility.ts'
import { swapBundle } from '../../test/bundle-proxy.ts'

type Page = WatchedPage['page']

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('batch')
  browser = await openBrowser()
})

afterAll(() => browser.close())

test('whoever is not signed in is led to the login and, with the key, back to where they were going', async () => {
  const { open } = await dashboard({ provoked: /401|404/ })
  const page = await open('/jobs?status=Failed')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, 'a wrong key of some length')
  await page.getByRole('alert').getByText('This key is not accepted.').waitFor()
  await signIn(page)
  await page.getByText('No job fits these filters').waitFor()
  expect(new URL(page.url()).search).toBe('?status=Failed')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a file is uploaded, signed before the operator’s eyes, explained on its page and downloaded', async () => {
  const { open, files } = await dashboard({ provoked: /409|401|404/ })
  const page = await signedIn(open, '/jobs')
  await page.getByText('No job yet').waitFor()

  await upload(page, [await files('contrato.pdf', samplePdf('Contrato')), await files('nota.txt', Buffer.from('oi'))])
  await page.getByText('2 accepted, 0 refused, 0 not sent.').first().waitFor()
  await page.getByRole('button', { name: 'Upload more' }).click()
  await choose(page, [await files('CONTRATO.pdf', samplePdf('Contrato'))])
  const refusal = page.getByRole('dialog').getByText('A file of this name is already signed or being signed.')
  await refusal.waitFor()
  await page.getByRole('dialog').getByText('file.already-processed').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'contrato.pdf', exact: true }) })
  await row.getByText('Completed').waitFor()
  await row.getByRole('link', { name: 'contrato.pdf' }).click()
  await page.getByRole('heading', { name: 'contrato.pdf', level: 1 }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.getByRole('heading', { name: 'Where the time went' }).waitFor()
  await page.getByText('contrato.signed.pdf').first().waitFor()
  expect(await page.locator('ol').getByRole('listitem').count()).toBeGreaterThanOrEqual(3)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('contrato.signed.pdf')
  expect((await readFile(await download.path())).toString('latin1')).toContain('/ByteRange')

  await page.getByRole('button', { name: 'Delete job' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('a test')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click()
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'nota.txt' }).waitFor()
  // The list of before is shown until the new one is there.
  await page.getByRole('link', { name: 'contrato.pdf' }).waitFor({ state: 'detached' })
})

test('a file that is dropped beside the zone does not take the place of the page', async () => {
  const { open } = await dashboard({ provoked: /401|404/ })
  const page = await signedIn(open, '/jobs')
  const kept = () =>
    page.evaluate(() => !document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true })))
  await page.getByRole('button', { name: 'Upload files' }).first().click()
  await page.getByRole('dialog').getByText('Drop files here').waitFor()
  expect(await kept()).toBe(true)
})

test('a profile shows whose key it has, says at the field what the service refuses, and keeps unsaved work', async () => {
  const { open, service } = await dashboard({ provoked: /400|409|401|404/ })
  const page = await signedIn(open, '/profiles')
  await page.getByRole('link', { name: 'default' }).click()
  await page.getByRole('button', { name: 'Test the certificate' }).click()
  await page.getByText('The key signs').waitFor()
  await page.getByText('Valid and trusted').waitFor()

  const authority = page.getByLabel('Timestamp authority')
  await authority.fill('ftp://time.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('A timestamp authority is an http or https address.').waitFor()
  expect(await authority.getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
  expect(await authority.inputValue()).toBe('ftp://time.example')

  await editMeanwhile(service)
  await authority.fill('http://time.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody else saved this profile').waitFor()
  await page.getByRole('button', { name: 'Save mine over it' }).click()
  await page.getByText('The profile default is saved.').first().waitFor()
  const { body } = await service.full.json('GET', '/dashboard/api/profiles/default')
  expect(body).toMatchObject({ timestampAuthority: 'http://time.example' })
})

test('a new profile signs with a PKCS#12 that was uploaded in the browser', async () => {
  const { open, service } = await dashboard({ provoked: /401|404/ })
  const page = await signedIn(open, '/profiles/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('folha')
  await page.getByLabel('PKCS#12 file').setInputFiles(join(service.folder, `${HOLDER.label}.p12`))
  await page.getByLabel('Password of the PKCS#12').fill(HOLDER.pin)
  await page.getByRole('button', { name: 'Test the certificate' }).click()
  await page.getByText('The key signs').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Profile folha' }).waitFor()
  await page.getByText('Ready').waitFor()
})

test('the payments of a remittance are shown in the operator’s language, and put away again', async () => {
  const bank = profileOf(HOLDER.label, { Name: 'default', Format: 'Cades', CheckCnab240: true })
  const { open, service } = await dashboard({ provoked: /401|404/, locale: 'pt-BR', profiles: [bank] })
  const payments = [{ amountCentavos: 125_000, paymentDate: '2090-01-15', payeeName: 'PADARIA AURORA LTDA' }]
  await uploadByApi(service, 'folha.rem', buildRemittance({ payments }))
  const page = await signedIn(open, '/jobs?status=Completed')
  await page.getByRole('link', { name: 'folha.rem' }).click()
  await page.getByRole('button', { name: 'Mostrar pagamentos' }).click()
  const payment = page.getByRole('row').filter({ hasText: 'PADARIA AURORA LTDA' })
  await payment.getByRole('cell', { name: 'TED de outro titular (A)' }).waitFor()
  await payment.getByRole('cell', { name: '15/01/2090' }).waitFor()
  await page.getByRole('button', { name: 'Ocultar pagamentos' }).click()
  await payment.waitFor({ state: 'detached' })
  await page.goto(new URL('/statistics', page.url()).href)
  const total = page.getByRole('table', { name: 'Remessas assinadas, em reais' }).getByRole('row').last()
  await total.getByRole('cell', { name: '001 Banco do Brasil' }).waitFor()
  await total.getByRole('cell', { name: 'R$\u00a01.250,00' }).waitFor()
})

test('whoever may open encrypted outputs is named, and chosen from files in the operator’s language', async () => {
  const { open, service } = await dashboard({ provoked: /401|404/, locale: 'pt-BR' })
  const page = await signedIn(open, '/profiles/new')
  const pem = page.getByLabel('Ou escolha arquivos PEM')
  await page.getByText('Nenhum arquivo escolhido').last().waitFor()
  await pem.setInputFiles([HOLDER, OTHER].map(({ label }) => join(service.folder, `${label}.pem`)))
  await page.getByText(`${HOLDER.label}.pem, ${OTHER.label}.pem`).waitFor()
  await page.getByRole('button', { name: 'Adicionar 2 certificados' }).click()
  const recipients = page.getByRole('listitem').filter({ hasText: 'válido até' })
  await recipients.filter({ hasText: OTHER.cpf }).waitFor()
  await page.getByRole('button', { name: new RegExp(`^Remover .*:${HOLDER.cpf}$`) }).click()
  expect(await recipients.count()).toBe(1)
})

test('with the keyboard nothing of a form is reached where the bar to save it lies over it', async () => {
  const { open } = await dashboard({ provoked: /401|404/ })
  const page = await signedIn(open, '/profiles/default')
  await page.getByLabel('Timestamp authority').fill('http://time.example')
  const reached: string[] = []
  for (let presses = 0; reached.at(-1) !== 'Save' && presses < 50; presses += 1) {
    await page.keyboard.press('Tab')
    // The page may still be scrolling to it.
    await expect.poll(() => focused(page)).toMatchObject({ covered: false })
    reached.push((await focused(page)).name)
  }
  expect(reached).toContain('Test the certificate')
})

test('the pipeline is paused with a reason, seen as paused everywhere, and resumed; the events tell of it', async () => {
  const { open } = await dashboard({ provoked: /401|404/, locale: 'pt-BR' })
  const page = await signedIn(open, '/')
  await page.getByRole('button', { name: 'Pausar' }).click()
  await page.getByRole('dialog').getByLabel('Motivo').fill('troca do HSM')
  await page.getByRole('dialog').getByRole('button', { name: 'Pausar' }).click()
  await page.getByText('Motivo: troca do HSM').waitFor()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Pausado' }).waitFor()
  await page.getByRole('link', { name: 'Sistema' }).click()
  await page.getByText('troca do HSM').waitFor()
  await page.getByRole('button', { name: 'Retomar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retomar' }).click()
  await page.getByText('O processamento está em execução.').first().waitFor()
  await page.getByRole('link', { name: 'Eventos' }).click()
  await page.getByRole('cell', { name: /troca do HSM/ }).waitFor()
  await page.getByRole('cell', { name: 'PipelineResumed' }).waitFor()
})

test('a service that stops leaves its last data under a banner that says since when', async () => {
  const { open, service } = await dashboard({ provoked: /ERR_|401|404|Failed to load/ })
  const page = await signedIn(open, '/folders')
  await page.getByRole('heading', { name: 'default' }).waitFor()
  await service.stop()
  await page.getByRole('alert').getByText('Nothing answers at').first().waitFor()
  await page.getByText('No answer').waitFor()
  await page.getByRole('heading', { name: 'default' }).waitFor()
})

test.each([
  [390, 'en-US'],
  [360, 'pt-BR'],
])('at %d pixels in %s no page hangs over the edge, and everything to press has a name', async (width, locale) => {
  const { open, service } = await dashboard({ provoked: /401|404/, locale, viewport: { width, height: 800 } })
  await uploadByApi(service, 'relatorio-mensal-com-um-nome-bastante-comprido-para-um-telefone.pdf')
  // A pause adds another mark to the bar.
  await service.full.call('POST', '/api/pipeline/pause')
  const page = await signedIn(open, '/')
  for (const path of [
    '/',
    '/jobs',
    '/folders',
    '/profiles',
    '/profiles/default',
    '/events',
    '/statistics',
    '/system',
  ]) {
    await page.goto(new URL(path, page.url()).href)
    await page.locator('h1').waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
    expect(await page.evaluate(cutTables), path).toBe(0)
    expect(await namelessControls(page), path).toEqual([])
  }
  await page.goto(new URL('/jobs', page.url()).href)
  await page.getByRole('table').getByRole('rowheader').first().waitFor()
  const all = page.getByRole('checkbox', { name: /^(Select all|Selecionar todos)/ })
  await all.press(' ')
  expect((await all.boundingBox())!.width).toBeGreaterThan(10)
  await page
    .getByRole('toolbar')
    .getByText(/^1 selec/)
    .waitFor()
})

test.each([
  [1280, 'en-US', /^Record 5, columns 18 to 23: The batch trailer must count 4/],
  [390, 'pt-BR', /^Registro 5, colunas 18 a 23: O trailer do lote deve contar 4/],
])('at %d pixels in %s the list says in which record and columns a remittance is wrong', async (width, locale, why) => {
  const bank = profileOf(HOLDER.label, { Name: 'default', Format: 'Cades', CheckCnab240: true })
  const viewport = { width, height: 800 }
  const { open, service } = await dashboard({ provoked: /401|404/, locale, viewport, profiles: [bank] })
  await uploadByApi(service, 'folha.rem', miscounted())
  const page = await signedIn(open, '/jobs?status=Failed')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'folha.rem' }) })
  await row.getByText(why).waitFor()
  const causes = page.getByRole('region', { name: /^(Failures by cause|Falhas por causa)$/ })
  await causes.getByText(why).waitFor()
  expect(await namelessControls(page)).toEqual([])
})

test('in Portuguese neither the page of a job nor the events have an English sentence', async () => {
  const { open, service } = await dashboard({ provoked: /401|404/, locale: 'pt-BR' })
  await uploadByApi(service, 'contrato.pdf', samplePdf('Contrato'))
  await uploadByApi(service, 'nota.xml', Buffer.from('<nota><numero>1</nota>'))
  const page = await signedIn(open, '/jobs')
  for (const [name, last] of [
    ['contrato.pdf', 'Verificado; '],
    ['nota.xml', 'A marca final no byte 15'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).last().click()
    await page.locator('ol').getByText(last).waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(ENGLISH)
    await page.goBack()
  }
  await service.full.call('POST', '/api/pipeline/pause')
  await page.goto(new URL('/events', page.url()).href)
  await page.getByRole('cell', { name: 'Processamento pausado por api-key.' }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(ENGLISH)
})

/** Words of English sentences that no Portuguese one has. */
const ENGLISH = /\b(the|is|was|were|by|cannot|could|not|and|because|which|its?|put|into|waits?|started|created)\b/i

/** A remittance whose batch trailer counts too few records. */
function miscounted(): Buffer {
  const records = remittanceRecords({ payments: [{ amountCentavos: 100 }] })
  const bent = records.map((record, at) => (at === 4 ? `${record.slice(0, 17)}000001${record.slice(23)}` : record))
  return Buffer.from(`${bent.join('\r\n')}\r\n`, 'latin1')
}

const [HOLDER, OTHER] = [demoHolders[0]!, demoHolders[1]!]

interface World extends PageOptions, Pick<ServiceOptions, 'profiles'> {
  /** Console errors that a test provokes on purpose. */
  provoked: RegExp
}

/** The real service and a browser. The test fails on any leak, unexpected error or policy violation. */
async function dashboard({ provoked, profiles, ...options }: World) {
  const service = await startBatchSigner({ database: 'SQLite', ...(profiles && { profiles }) })
  const { origin, stop } = await swapBundle(bundle, service.full.baseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'chancela-upload-'))
  const watched = await browser.newPage(options)
  onTestFinished(async () => {
    await watched.page.context().close()
    await stop()
    await rm(folder, { recursive: true })
    expect(watched.errors.filter((error) => !provoked.test(error))).toEqual([])
    expect(watched.policyViolations).toEqual([])
    expect(
      watched.requests.filter((address) => !address.startsWith(`${origin}/`) && !address.startsWith('blob:')),
    ).toEqual([])
  })
  return {
    service,
    files: async (name: string, content: Buffer) => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    },
    open: async (path: string) => {
      await watched.page.goto(`${origin}${path}`)
      return watched.page
    },
  }
}

async function signIn(page: Page, key = API_KEY) {
  await page.getByLabel('API key').or(page.getByLabel('Chave de API')).fill(key)
  await page.getByRole('button', { name: /^(Sign in|Entrar)$/ }).click()
}

async function signedIn(open: (path: string) => Promise<Page>, path: string): Promise<Page> {
  const page = await open(`/login?ReturnUrl=${encodeURIComponent(path)}`)
  await signIn(page)
  await page.locator('nav').first().waitFor({ state: 'attached' })
  return page
}

async function upload(page: Page, paths: string[]) {
  await page.getByRole('button', { name: 'Upload files' }).first().click()
  await choose(page, paths)
}

async function choose(page: Page, paths: string[]) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('dialog').getByRole('button', { name: 'Choose files' }).click()
  await (await choosing).setFiles(paths)
}

async function uploadByApi(service: RunningBatchSigner, name: string, content: Uint8Array = samplePdf('Contrato')) {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(content)]), name)
  expect((await service.full.call('POST', '/api/files', { body })).status).toBe(202)
}

/** Another operator saves the profile while the form is open. */
async function editMeanwhile({ full }: RunningBatchSigner) {
  const { body } = await full.json('GET', '/dashboard/api/profiles/default')
  const {
    certificateSource: _,
    approval: __,
    state: ___,
    hasSecret: ____,
    reason: _____,
    key: ______,
    name: _______,
    ...form
  } = body
  const saved = await full.call('PUT', '/dashboard/api/profiles/default', {
    body: JSON.stringify({ ...form, verify: false }),
    headers: { 'content-type': 'application/json' },
  })
  expect(saved.status).toBe(200)
}

/** The focused element, and whether something else covers its middle. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    const { left, top, width, height } = element.getBoundingClientRect()
    const above = document.elementFromPoint(left + width / 2, top + height / 2)
    const covered = above !== null && !element.parentElement!.contains(above) && !above.contains(element)
    return { name: element.textContent || element.id, covered }
  })
