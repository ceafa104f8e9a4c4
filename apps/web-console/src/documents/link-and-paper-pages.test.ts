// A link that expired, a paper that proves itself, a password that was forgotten, an act in the audit: with the real
// service and real e-mail.
import { readFileSync } from 'node:fs'
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { samplePdf } from '@chancela/testkit/samples'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDocument, signer } from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { contentOf, signAs } from '../../../../services/document-platform/test/test-support/signers.ts'
import { documentsMailWorld, expectUsable, linkFor, shown, windows } from '../../test/documents-mail-world.ts'
import { ANA, signInAs, USER } from '../../test/documents-world.ts'
import { readQrCode } from '../../test/read-qr-code.ts'

const DAY = 24 * 60 * 60 * 1000

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(() => browser.close())

const open = (settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}) =>
  documentsMailWorld({ browser, bundle, provoked: /4\d\d/, settings })

const ana = { name: ANA.name, identifier: ANA.cpf, email: ANA.email }

test.each(windows)(
  'an expired link sends a new one, with which the participant signs (%d px)',
  async (width, locale) => {
    const world = await open()
    const id = await createDocument(world.platform, [signer(ana)])
    const old = await linkFor(world, ANA.email, 0)
    world.platform.clock.advance(3 * DAY)
    const page = await world.visit(old, shown(width, locale))
    await page.getByRole('heading', { name: /This link has expired|Este link expirou/ }).waitFor()
    await expectUsable(page, 'expired link')
    const before = world.smtp.inbox.length
    await page.getByRole('button', { name: /Send me a new link|Enviar um novo link/ }).click()
    await page.getByText(/A new link is on its way to|Um novo link está a caminho de/).waitFor()
    const fresh = await world.visit(await linkFor(world, ANA.email, before), shown(width, locale))
    await fresh.getByText(/This link works until|Este link funciona até/).waitFor()
    await fresh.getByLabel(/Certificate file|Arquivo do certificado/).setInputFiles(await world.keyFile(ANA))
    await fresh
      .getByLabel(/Password of the file|Senha do arquivo/)
      .first()
      .fill(ANA.pin)
    await fresh.getByRole('button', { name: /Open the certificate|Abrir o certificado/ }).click()
    await fresh.getByRole('button', { name: /^(Sign|Assinar)$/ }).click()
    await fresh.getByRole('heading', { name: /You signed the document|Você assinou o documento/ }).waitFor()
    expect((await world.platform.json('GET', `/api/documents/${id}`)).body.flowActions[0].status).toBe('Completed')
  },
)

test.each(windows)(
  'a reader scans the paper, drops the file and learns that it is the document (%d px)',
  async (width, locale) => {
    const world = await open({ Documents: { VerificationStamp: 'FooterAndPage' } })
    const id = await createDocument(world.platform, [signer(ana)])
    await signAs(world.platform, id, ANA.label)
    await vi.waitUntil(
      async () => (await world.platform.json('GET', `/api/documents/${id}`)).body.status === 'Concluded',
      { interval: 50 },
    )
    const { bytes } = await contentOf(world.platform, id)
    const scanned = readQrCode(new Uint8Array(bytes))!
    const page = await world.visit(new URL(scanned).pathname, shown(width, locale))
    await page.getByText(/Every signature is valid|Todas as assinaturas são válidas/).waitFor()
    const field = page.locator('input[type="file"]')
    await field.setInputFiles(await world.file('contrato.pdf', bytes))
    await page.getByText(/this is the signed document, byte for byte|é o documento assinado, byte por byte/).waitFor()
    await expectUsable(page, 'checked file')
    await field.setInputFiles(await world.file('outro.pdf', samplePdf('Outro')))
    await page.getByText(/No: this is another file|Não: é outro arquivo/).waitFor()
    await page.getByText(/The file has no signature|O arquivo não tem assinatura/).waitFor()

    // The document itself is shown where its organization says so.
    const show = page.getByRole('button', { name: /^(Show it here|Mostrar aqui)$/ })
    expect(await show.count()).toBe(0)
    const { id: organizationId, name } = world.platform.organization
    await world.platform.json('PUT', `/api/organizations/${organizationId}`, { name, publicDocuments: true })
    await page.reload()
    await show.click()
    await page.getByText(/^(Page 1 of 2|Página 1 de 2)$/).waitFor()
    await expectUsable(page, 'public document')
  },
)

test.each(windows)('who forgot the password chooses another one by e-mail (%d px)', async (width, locale) => {
  const world = await open()
  const page = await world.visit('/login', shown(width, locale))
  await page.getByRole('link', { name: /Forgot the password|Esqueceu a senha/ }).click()
  await page.getByLabel('E-mail').fill(USER.email)
  await page.getByRole('button', { name: /Send the link|Enviar o link/ }).click()
  await page.getByText(/a link is on its way|um link está a caminho/).waitFor()
  await expectUsable(page, 'password asked for')
  const reset = await world.visit(await linkFor(world, USER.email, 0), shown(width, locale))
  const password = 'outra senha comprida'
  await reset
    .getByLabel(/^(Choose a password|Escolha uma senha)/)
    .first()
    .fill(password)
  await reset.getByLabel(/^(The same password again|A mesma senha de novo)/).fill(password)
  await reset.getByRole('button', { name: /Save the password|Salvar a senha/ }).click()
  await reset.getByRole('heading', { name: /The password was changed|A senha foi trocada/ }).waitFor()
  await expectUsable(reset, 'password changed')
  const old = await world.visit('/login', shown(width, locale))
  await signInAs(old, USER.email)
  await old
    .getByText(/do not belong together|não correspondem/i)
    .first()
    .waitFor()
})

test.each(windows)('an administrator follows an act in the audit (%d px)', async (width, locale) => {
  const world = await open()
  await world.platform.json('POST', '/api/organizations/users', { name: 'Bia Reis', email: 'bia@example.com' })
  const page = await world.visit('/organization', shown(width, locale))
  await signInAs(page, USER.email)
  const audit = page.getByRole('region', { name: /^(Audit|Auditoria)$/ })
  await audit.getByText(/A user was added: Bia Reis|Um usuário foi incluído: Bia Reis/).waitFor()
  await audit.locator('details', { hasText: 'bia@example.com' }).first().locator('summary').click()
  await audit.getByText('bia@example.com').first().waitFor()
  await audit.getByRole('button', { name: /Verify the record|Conferir os registros/ }).click()
  await audit.getByText(/none changed, removed or added|nenhum alterado, retirado ou acrescentado/).waitFor()
  for (const [format, name] of [
    ['csv', /Export as CSV|Exportar em CSV/],
    ['jsonl', /Export as JSON lines|Exportar em linhas JSON/],
  ] as const) {
    const arrives = page.waitForEvent('download')
    await audit.getByRole('link', { name }).click()
    const file = await arrives
    expect(file.suggestedFilename()).toMatch(new RegExp(`^audit-[\\d-]+\\.${format}$`))
    expect(readFileSync(await file.path(), 'utf8')).toContain(
      locale === 'pt-BR' ? 'Um usuário foi incluído: Bia Reis' : 'A user was added: Bia Reis',
    )
  }
  await expectUsable(page, 'audit')
})
