import { readFile } from 'node:fs/promises'
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { startSmtpServer } from '@chancela/testkit/mail'
import { builtPages } from '@chancela/testkit/pages'
import { samplePdf } from '@chancela/testkit/samples'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  createDocument,
  signer,
  ticketOf,
  upload,
} from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { contentOf, judges } from '../../../../services/document-platform/test/test-support/signers.ts'
import { axeFindings, cutTables, namelessControls, overlappingCells } from '../../test/accessibility.ts'
import { ANA, BRUNO, CARLA, documentsWorld, type Page, signIn, USER } from '../../test/documents-world.ts'
import { readQrCode } from '../../test/read-qr-code.ts'

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(() => browser.close())

const open = (over: Partial<Parameters<typeof documentsWorld>[0]> = {}) =>
  documentsWorld({ browser, bundle, provoked: /401/, ...over })

type World = Awaited<ReturnType<typeof open>>

const asUser = (person: { name: string; cpf: string; email: string }) => ({
  name: person.name,
  identifier: person.cpf,
  email: person.email,
})

test('a document goes from upload through two signatures and an approval to a public validation page', async () => {
  const world = await open()
  const page = await world.visit('/documents')
  await signIn(page)
  await page.getByText('No document yet').waitFor()
  await page.getByRole('link', { name: 'New document' }).first().click()
  await chooseFiles(page, [await world.file('contrato.pdf', samplePdf('Contrato'))])
  await addParticipant(page, 'signer', ANA)
  await addParticipant(page, 'signer', BRUNO)
  await addParticipant(page, 'approver', CARLA)

  // By keyboard into the first step, by mouse to a place on the page.
  await page.getByRole('button', { name: `Move ${BRUNO.name}: arrow up, arrow down` }).press('ArrowUp')
  await page.getByText(`${BRUNO.name} is in step 1 of 2 now.`).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: `Mark for ${ANA.name} on page 1` }).click()
  await page.getByRole('button', { name: `Mark for ${BRUNO.name} on page 1` }).click()
  await drag(page, `Signature mark of ${BRUNO.name} on page 1`, 20, -120)
  await page.getByRole('button', { name: 'Send for signature' }).click()
  await page.getByRole('heading', { name: 'contrato.pdf', level: 1 }).waitFor()

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const { body } = await world.platform.json('GET', `/api/documents/${id}`)
  expect(body.flowActions.map(({ type, step }: { type: string; step: number }) => [type, step])).toEqual([
    ['Signer', 1],
    ['Signer', 1],
    ['Approver', 2],
  ])
  const [first, second] = body.flowActions.map(({ marks }: { marks: object[] }) => marks[0])
  expect(second.topLeftY).toBeLessThan(first.topLeftY - 60)

  await signWithFile(world, await linkOf(page, ANA.name), ANA)
  await signWithFile(world, await linkOf(page, BRUNO.name), BRUNO)
  await page.reload()
  const approval = await visitLink(world, await linkOf(page, CARLA.name))
  await approval.getByText(`${CARLA.name}, you are asked to approve this document.`).waitFor()
  await approval.getByRole('button', { name: 'Approve' }).click()
  await approval.getByRole('heading', { name: 'You approved the document' }).waitFor()

  await page.reload()
  await page.getByText('Concluded').first().waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download: Signed document' }).click()
  await judges.pdf(await readFile(await (await downloading).path()), 2)

  await page.getByRole('link', { name: /^\/validate\// }).click()
  await page.getByText('Every signature is valid').waitFor()
  const { pathname } = new URL(page.url())

  // A person with the printed document scans the code.
  const printed = await world.platform.call('GET', `/api/documents/${id}/content?type=PrinterFriendlyVersion`)
  const scanned = readQrCode(new Uint8Array(await printed.arrayBuffer()))!
  expect(new URL(scanned).pathname).toBe(pathname)
  const stranger = await world.visit(new URL(scanned).pathname)
  await stranger.getByText('Every signature is valid').waitFor()
  await stranger.getByText(ANA.name.toUpperCase()).first().waitFor()
  await stranger.getByText(BRUNO.name.toUpperCase()).first().waitFor()
})

test('the key of a signer never leaves the browser, and a wrong password or another person’s key is told', async () => {
  const world = await open({ provoked: /422/ })
  const id = await createDocument(world.platform, [signer(asUser(ANA))], { file: samplePdf('Contrato') })
  const { url } = await ticketOf(world.platform, id, ANA.cpf)
  const page = await visitLink(world, url)
  const sent: string[] = []
  page.on('request', (request) => void sent.push(request.postData() ?? ''))

  await page.getByLabel('Certificate file').setInputFiles(await world.keyFile(BRUNO))
  await page.getByLabel('Password of the file').first().fill('outra')
  await page.getByRole('button', { name: 'Open the certificate' }).click()
  await page.getByRole('alert').getByText('The password does not open this file.').waitFor()
  await page.getByLabel('Password of the file').first().fill(BRUNO.pin)
  await page.getByRole('button', { name: 'Open the certificate' }).click()
  await page.getByText('This certificate is of another CPF').waitFor()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('alert').getByText('CpfMismatch').waitFor()

  await page.getByRole('button', { name: 'Another certificate' }).click()
  await signHere(page, world, ANA)
  expect(sent.filter((body) => body !== '')).not.toEqual([])
  const key = (await readFile(await world.keyFile(ANA))).toString('base64')
  expect(sent.filter((body) => body.includes(ANA.pin) || body.includes(key.slice(100, 160)))).toEqual([])
})

test('a signer places the mark before signing, and the signature stands there', async () => {
  const world = await open()
  const id = await createDocument(world.platform, [signer(asUser(ANA))], { file: samplePdf('Contrato') })
  const { url } = await ticketOf(world.platform, id, ANA.cpf)
  const page = await visitLink(world, url)
  await page.getByRole('button', { name: 'Show it on page 1' }).click()
  const mark = page.getByRole('button', { name: `Signature mark of ${ANA.name} on page 1` })
  await mark.press('ArrowUp')
  await mark.press('Shift+ArrowRight')
  const started: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/signature/certificate')) started.push(request.postDataJSON().signaturePosition)
  })
  await signHere(page, world, ANA)
  expect(started).toHaveLength(1)
  expect(started[0]).toMatchObject({ pageNumber: 1, topLeftX: 36, topLeftY: 736, width: 210, height: 60 })
  await judges.pdf((await contentOf(world.platform, id)).bytes, 1)
})

test('a participant signs with the code from the e-mail, and another one refuses with a reason', async () => {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const Email = { Enabled: true, Host: '127.0.0.1', Port: smtp.port, Security: 'None', From: 'documents@example.com' }
  const world = await open({ settings: { Email } })
  const flow = [signer(asUser(ANA), { allowElectronicSignature: true }), signer(asUser(BRUNO))]
  const id = await createDocument(world.platform, flow)

  const page = await visitLink(world, (await ticketOf(world.platform, id, ANA.cpf)).url)
  await page.getByText('With a code by e-mail').click()
  const before = smtp.inbox.length
  await page.getByRole('button', { name: 'Send me the code' }).click()
  await page.getByText('The code was sent to').waitFor()
  const code = await vi.waitUntil(
    () => smtp.inbox.slice(before).flatMap(({ text }) => /\b(\d{6})\b/.exec(text)?.[1] ?? [])[0],
    { interval: 20 },
  )
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('heading', { name: 'You signed the document' }).waitFor()

  const other = await visitLink(world, (await ticketOf(world.platform, id, BRUNO.cpf)).url)
  await other.getByRole('button', { name: 'Refuse' }).click()
  await other.getByRole('dialog').getByLabel('Reason').fill('Falta o anexo')
  await other.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
  await other.getByRole('heading', { name: 'You refused the document' }).waitFor()
  const { body } = await world.platform.json('GET', `/api/documents/${id}`)
  expect(body).toMatchObject({ status: 'Refused', statusUpdateReason: 'Falta o anexo' })
})

test('inside the page of an application it speaks the language of the address and tells the outcome as JSON', async () => {
  const world = await open({ provoked: /404/, settings: { Documents: { FrameAncestors: ["'self'"] } } })
  const id = await createDocument(world.platform, [signer(asUser(ANA))])
  const { body } = await world.platform.json('POST', `/api/documents/${id}/action-url`, { identifier: ANA.cpf })
  const { pathname, search } = new URL(body.embedUrl)
  // Embedded in a page of the same site; the service's policy decides which pages may embed it.
  const page = await world.visit('/validate')
  await page.evaluate((address) => {
    const told: string[] = []
    Object.assign(window, { told })
    window.addEventListener('message', ({ data }) => told.push(data))
    const frame = document.createElement('iframe')
    Object.assign(frame, { src: address, width: 1000, height: 900 })
    document.body.append(frame)
  }, `${pathname}${search}&notify=true&refusal=true&theme=dark&culture=pt-BR`)
  const frame = page.frameLocator('iframe')
  await frame.getByText('pedem a sua assinatura').waitFor()
  expect(await frame.getByRole('button', { name: 'Recusar' }).count()).toBe(0)
  expect(await frame.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  await frame.getByLabel('Arquivo do certificado').setInputFiles(await world.keyFile(ANA))
  await frame.getByLabel('Senha do arquivo').first().fill(ANA.pin)
  await frame.getByRole('button', { name: 'Abrir o certificado' }).click()
  await frame.getByRole('button', { name: 'Assinar', exact: true }).click()
  await frame.getByRole('heading', { name: 'Você assinou o documento' }).waitFor()
  const told = await page.evaluate(() => (window as unknown as { told: unknown[] }).told)
  expect(told).toEqual([JSON.stringify({ type: 'documentSigned', id })])
})

test('folders are made, documents found in them, moved, canceled with a reason and deleted', async () => {
  const world = await open()
  const page = await world.visit('/documents')
  await signIn(page)
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name of the folder').fill('Contratos')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Contratos' }).waitFor()

  // As long as the one the session server puts on what it signs.
  const tags = [{ label: 'chancela-session-signature', value: '0199a0f2-7c3e-7d11-9f39-1a2b3c4d5e6f' }]
  await createDocument(world.platform, [signer(asUser(ANA))], { name: 'aditivo.pdf', tags })
  await createDocument(world.platform, [signer(asUser(BRUNO))], { name: 'proposta.pdf' })
  await page.getByLabel('Participant').fill(ANA.cpf)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'aditivo.pdf' }).waitFor()
  expect(await page.getByRole('link', { name: 'proposta.pdf' }).count()).toBe(0)
  expect(await page.evaluate(cutTables)).toBe(0)
  expect(await page.evaluate(overlappingCells)).toEqual([])

  await page.getByRole('link', { name: 'aditivo.pdf' }).click()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Folder').selectOption('Contratos')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.getByText('The document was moved.').first().waitFor()
  await page.getByRole('button', { name: 'Cancel document' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('duplicado')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel document' }).click()
  await page.getByText(`Reason given by ${USER.name}: duplicado`).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This folder is empty').waitFor()
})

test('a flow is saved and used again, and several files become one envelope', async () => {
  const world = await open()
  const page = await world.visit('/documents/new')
  await signIn(page)
  await addParticipant(page, 'signer', ANA)
  await page.getByRole('button', { name: 'Save this flow' }).click()
  await page.getByRole('dialog').getByLabel('Name of the flow').fill('Um signatário')
  await page.getByRole('dialog').getByRole('button', { name: 'Save this flow' }).click()
  await page.getByText('The flow Um signatário was saved.').first().waitFor()
  await page.reload()
  await page.getByLabel('Use a saved flow').selectOption('Um signatário')
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe(ANA.name)

  const files = ['a.pdf', 'b.pdf'].map((name) => world.file(name, samplePdf(name)))
  await chooseFiles(page, await Promise.all(files))
  await page.getByRole('switch', { name: 'One envelope of all files' }).check()
  await page.getByRole('button', { name: 'Send for signature' }).click()
  await page.getByRole('alert').getByText('the name of the envelope').waitFor()
  await page.getByLabel('Name of the envelope').fill('Dossiê')
  await page.getByRole('button', { name: 'Send for signature' }).click()
  await page.getByRole('heading', { name: /^Dossiê/, level: 1 }).waitFor()
  await page.getByText('Page 1 of 2').waitFor()
})

test('marks are placed for an application, which is told where they stand', async () => {
  const world = await open()
  const files = [{ id: await upload(world.platform), name: 'contrato.pdf', contentType: 'application/pdf' }]
  const flowActions = [signer(asUser(ANA))]
  const { body } = await world.platform.json('POST', '/api/marks-sessions', { files, flowActions })
  const { pathname, search } = new URL(body.embedUrl)
  const page = await world.visit(pathname + search)
  await page.getByRole('button', { name: `Mark for ${ANA.name} on page 1` }).click()
  await drag(page, `Signature mark of ${ANA.name} on page 1`, 10, -40)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The places were saved.').first().waitFor()
  const { body: session } = await world.platform.json('GET', `/api/marks-sessions/${body.id}`)
  expect(session.data).toHaveLength(1)
  expect(session.data[0]).toMatchObject({ pageNumber: 1, width: 200, height: 60 })
})

test('a webhook is registered, its secret shown once, and a test event seen in its deliveries', async () => {
  const world = await open()
  const page = await world.visit('/webhooks')
  await signIn(page)
  await page.getByRole('button', { name: 'Register webhook' }).click()
  // Nothing answers at this address: deliveries wait for their next attempt.
  await page.getByRole('dialog').getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await page.getByRole('dialog').getByLabel('Authentication').selectOption('Bearer')
  await page.getByRole('dialog').getByLabel('Token').first().fill('segredo')
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('link', { name: 'http://127.0.0.1:9/hook' }).click()
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: /^Show DocumentsCreated/ }).click()
  await page.getByRole('dialog').getByText('"type": "DocumentsCreated"').waitFor()
})

test('a user is added to the organization, and an application gets a key that is shown once', async () => {
  const world = await open()
  const page = await world.visit('/organization')
  await signIn(page)
  await page.getByRole('button', { name: 'Add user' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Rui Alves')
  await page.getByRole('dialog').getByLabel('E-mail').fill('rui@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('rowheader', { name: 'Rui Alves' }).waitFor()
  await page.getByRole('button', { name: 'New application' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('erp')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const key = (await page
    .getByRole('dialog')
    .getByText(/^erp\|/)
    .textContent())!
  await page.getByRole('dialog').getByRole('button', { name: 'I have kept it' }).click()
  const answer = await world.platform.json('GET', '/api/folders', undefined, { 'X-Api-Key': key })
  expect(answer.status).toBe(200)
})

test.each([
  [360, 'pt-BR'],
  [1280, 'en-US'],
])(
  'at %d pixels in %s no page hangs over the edge, everything to press has a name, and axe finds nothing',
  async (width, locale) => {
    const world = await open({ provoked: /401|422/ })
    const name = 'contrato-com-um-nome-bastante-comprido-para-um-telefone-estreito.pdf'
    const id = await createDocument(world.platform, [signer(asUser(ANA)), signer(asUser(BRUNO))], { name })
    const { key, url } = await ticketOf(world.platform, id, ANA.cpf)
    const action = new URL(url)
    const page = await world.visit('/documents', { locale, viewport: { width, height: 800 } })
    await signIn(page)
    await page.getByRole('rowheader').first().waitFor()
    for (const path of [
      '/documents',
      '/documents/new',
      `/documents/${id}`,
      '/webhooks',
      '/organization',
      `/validate/${key}`,
      '/validate',
      `${action.pathname}${action.search}`,
      '/login',
    ]) {
      await page.goto(`${world.origin}${path}`)
      await page.locator('h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
      expect(await page.evaluate(cutTables), path).toBe(0)
      expect(await namelessControls(page), path).toEqual([])
      expect(await axeFindings(page), path).toEqual([])
    }
  },
)

async function chooseFiles(page: Page, paths: string[]) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  await (await choosing).setFiles(paths)
  await expect.poll(() => page.getByText('sent', { exact: true }).count()).toBe(paths.length)
}

async function addParticipant(page: Page, type: string, person: { name: string; cpf: string; email: string }) {
  await page.getByRole('button', { name: `Add ${type}`, exact: true }).click()
  await page.getByLabel('Name', { exact: true }).last().fill(person.name)
  await page.getByLabel('CPF', { exact: true }).last().fill(person.cpf)
  await page.getByLabel('E-mail', { exact: true }).last().fill(person.email)
}

async function drag(page: Page, name: string, right: number, down: number) {
  const box = page.getByRole('button', { name })
  await box.scrollIntoViewIfNeeded()
  const { x, y } = (await box.boundingBox())!
  await page.mouse.move(x + 12, y + 12)
  await page.mouse.down()
  await page.mouse.move(x + 12 + right, y + 12 + down, { steps: 5 })
  await page.mouse.up()
}

/** The link at which a participant acts, from the dialog of the document's page. */
async function linkOf(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: `Get the action link of ${name}` }).click()
  const address = await page.getByRole('link', { name: 'Open it' }).getAttribute('href')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  return address!
}

/** Opens an address of the service with the bundle under test. */
async function visitLink(world: World, address: string): Promise<Page> {
  const { pathname, search } = new URL(address)
  const page = await world.visit(pathname + search)
  await page.getByText('Page 1 of 1').waitFor()
  return page
}

async function signWithFile(world: World, address: string, holder: typeof ANA) {
  await signHere(await visitLink(world, address), world, holder)
}

async function signHere(page: Page, world: World, holder: typeof ANA) {
  await page.getByLabel('Certificate file').setInputFiles(await world.keyFile(holder))
  await page.getByLabel('Password of the file').first().fill(holder.pin)
  await page.getByRole('button', { name: 'Open the certificate' }).click()
  await page.getByText(holder.name.toUpperCase(), { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('heading', { name: 'You signed the document' }).waitFor()
}
