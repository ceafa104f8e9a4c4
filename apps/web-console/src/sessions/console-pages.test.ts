import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { expect, test } from 'vitest'
import {
  newClient,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
} from '../../../../services/session-server/test/test-support/session-world.ts'
import { sharedSignatureService } from '../../../../services/session-server/test/test-support/signature-service.ts'
import { holdInVault, newHolder } from '../../../../services/session-server/test/test-support/vault.ts'
import { cutTables, namelessControls } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { sessionPages } from '../../test/sessions-world.ts'
import { formatTaxId } from '../shared/format/format-brazilian.ts'

const { consoleOf, keyFile } = sessionPages()

const signer = sharedSignatureService()

const server = sharedSessionServer('SQLite', { signer })

const holder = (label: string) => demoHolders.find((one) => one.label === label)!
const [ANA, BRUNO] = [holder('ana-souza'), holder('bruno-lima')]

/** A dialog that is open, and what is pressed in it. */
const inDialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInDialog = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string) => page.getByText(text).first().waitFor()

test('an application gets a key that is shown once and opens the contract, until it is disabled or revoked', async () => {
  const { enter } = await consoleOf(server())
  const { page } = await enter('/applications', { provoked: /409/ })
  const name = `erp ${crypto.randomUUID().slice(0, 8)}`
  await press(page, 'New application')
  await inDialog(page).getByLabel('Name').fill(name)
  await pressInDialog(page, 'Create')
  await press(page, `New key of ${name}`)
  await inDialog(page).getByLabel('What it is for').fill('produção')
  await inDialog(page).getByLabel('Last day').fill('2027-03-31')
  await pressInDialog(page, 'Create')

  await said(page, 'it is shown this once')
  // A user who presses Escape twice by habit would lose the key.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(await inDialog(page).getByRole('button', { name: 'Close' }).count()).toBe(0)
  const key = (await inDialog(page).locator('code').textContent())!
  await pressInDialog(page, 'I have kept it')
  await inDialog(page).waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  await page
    .getByRole('row', { name: /produção/ })
    .getByText('3/31/27')
    .waitFor()

  const isAccepted = async () => {
    const headers = { 'X-API-Key': key }
    return (await server().call('GET', '/v1/sessions/status?sessionId=x', { headers })).status === 200
  }
  expect(await isAccepted()).toBe(true)
  await press(page, `Disable ${name}`)
  await pressInDialog(page, 'Disable')
  await page.getByText('Disabled', { exact: true }).waitFor()
  expect(await isAccepted()).toBe(false)
  await press(page, `Enable ${name}`)
  await said(page, `${name} is enabled.`)
  expect(await isAccepted()).toBe(true)
  await press(page, 'Revoke the key produção')
  await pressInDialog(page, 'Revoke')
  // Out of the way, and still there.
  await page.getByRole('row', { name: /produção/ }).waitFor({ state: 'detached' })
  await page.getByLabel('Also show 1 key that was revoked or has expired').check()
  await page
    .getByRole('row', { name: /produção/ })
    .getByText('Revoked')
    .waitFor()
  expect(await isAccepted()).toBe(false)

  await press(page, 'New application')
  await inDialog(page).getByLabel('Name').fill(name)
  await pressInDialog(page, 'Create')
  await inDialog(page).getByRole('alert').getByText('Another application has this name.').waitFor()
  await inDialog(page).getByText('APPLICATION_NAME_TAKEN').waitFor()
})

test('a certificate is imported with its PIN, judged, replaced and removed', async () => {
  const { enter } = await consoleOf(await startSessionServer('SQLite'))
  const { page } = await enter('/certificates', { provoked: /422/ })
  await page.getByText('No certificate yet').waitFor()
  await press(page, 'Import certificate')
  await inDialog(page)
    .getByLabel('Certificate file')
    .setInputFiles(await keyFile(ANA.label, ANA.pin))
  await inDialog(page).getByRole('textbox', { name: 'PIN of the file' }).fill('000000')
  await pressInDialog(page, 'Import certificate')
  await inDialog(page).getByText('The PIN does not open the file.').waitFor()
  await inDialog(page).getByRole('textbox', { name: 'PIN of the file' }).fill(ANA.pin)
  await inDialog(page).getByLabel('CPF').fill('123.456.789-00')
  await inDialog(page).getByLabel('CPF').blur()
  await inDialog(page).getByText('This is not a CPF.').waitFor()
  await inDialog(page).getByLabel('CPF').fill('')
  await pressInDialog(page, 'Import certificate')
  const row = page.getByRole('row', { name: new RegExp(ANA.name, 'i') })
  await row.getByText('Active').waitFor()
  await row.getByText(formatTaxId(ANA.cpf)).waitFor()
  await row.getByText(/^in [\d,]+ days$/).waitFor()

  await row.getByRole('button').click()
  await pressInDialog(page, 'Check now')
  await inDialog(page).getByText('Checked just now.').waitFor()
  await pressInDialog(page, 'Replace file')
  await inDialog(page)
    .getByLabel('Certificate file')
    .setInputFiles(await keyFile('revoked', 'outro'))
  await inDialog(page).getByRole('textbox', { name: 'PIN of the file' }).fill('outro')
  await pressInDialog(page, 'Replace file')
  const replaced = page.getByRole('row', { name: /Gabriela/i })
  await replaced.getByText('Revoked', { exact: true }).waitFor()
  await replaced.getByText('Its issuer has revoked it.').waitFor()
  await replaced.getByRole('button').click()
  await inDialog(page).getByText('What was found').waitFor()
  await inDialog(page).getByText('The certificate names another CPF than it is held for.').waitFor()
  await pressInDialog(page, 'Remove')
  await pressInDialog(page, 'Remove')
  await page.getByText('No certificate yet').waitFor()
})

test('certificates are found by CPF with its punctuation and by verdict, and the address says which are shown', async () => {
  const world = await startSessionServer('SQLite')
  const { enter } = await consoleOf(world)
  for (const label of [ANA.label, BRUNO.label, 'revoked']) await holdInVault(world, label)
  const { page } = await enter('/')
  await page.getByRole('link', { name: 'Revoked' }).click()
  await page.getByRole('rowheader', { name: /Gabriela/i }).waitFor()
  expect(await page.getByRole('rowheader').count()).toBe(1)
  expect(await page.locator('h1').evaluate((title) => title === document.activeElement)).toBe(true)
  await press(page, 'Clear filters')
  await page.getByRole('rowheader').nth(2).waitFor()
  await page.getByLabel('CPF').fill(formatTaxId(BRUNO.cpf))
  await page.getByLabel('CPF').press('Enter')
  await page.waitForURL(`**/certificates?cpf=${BRUNO.cpf}`)
  await page.getByRole('rowheader', { name: /Bruno/i }).waitFor()
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
  await page.reload()
  await page.getByRole('rowheader', { name: /Bruno/i }).waitFor()
  expect(await page.getByRole('rowheader').count()).toBe(1)
})

test('a workstation is added with a code that is shown once, changed, given another code, and revoked', async () => {
  const { enter, origin } = await consoleOf(server())
  const { page } = await enter('/workstations')
  await press(page, 'Add workstation')
  await inDialog(page).getByLabel('Name').fill('Recepção')
  const holders = inDialog(page).getByLabel('CPFs of its holders')
  await holders.fill('529.982.247-20')
  await holders.blur()
  await inDialog(page).getByText('Not a CPF: 529.982.247-20').waitFor()
  await holders.fill(`${formatTaxId(ANA.cpf)}\n${BRUNO.cpf}`)
  await pressInDialog(page, 'Add and get the code')

  await inDialog(page).getByRole('heading', { name: 'Code for Recepção' }).waitFor()
  const code = (await inDialog(page).locator('code').first().textContent())!
  await inDialog(page).getByText(`chancela-agent enrol ${origin} ${code}`).waitFor()
  await inDialog(page).getByText('for 15 min more.').waitFor()
  await pressInDialog(page, 'I have kept it')
  expect(await page.content()).not.toContain(code)
  const row = page.getByRole('row', { name: /Recepção/ })
  await row.getByText('Waiting for its agent').waitFor()
  await row.getByText(formatTaxId(BRUNO.cpf)).waitFor()

  await press(page, 'New code for Recepção')
  await pressInDialog(page, 'New code')
  expect(await inDialog(page).locator('code').first().textContent()).not.toBe(code)
  await pressInDialog(page, 'I have kept it')
  await press(page, 'Change Recepção')
  await inDialog(page).getByLabel('CPFs of its holders').fill(ANA.cpf)
  await pressInDialog(page, 'Save')
  await row.getByText(formatTaxId(BRUNO.cpf)).waitFor({ state: 'detached' })
  await press(page, 'Revoke Recepção')
  await inDialog(page).getByText('Sessions that rest on them end.').waitFor()
  await pressInDialog(page, 'Revoke')
  await said(page, 'Recepção was revoked.')
  await page.getByRole('button', { name: 'Change Recepção' }).waitFor({ state: 'detached' })
})

test('a live session is seen without its id and ended, which its application is told', async () => {
  const { cpf, pin } = await newHolder(server())
  const { enter } = await consoleOf(server())
  const { page } = await enter(`/sessions?cpf=${cpf}`)
  const { body: session } = await server().json('POST', '/v1/sessions', { cpf, pin })
  // The page polls.
  const row = page.getByRole('row').filter({ hasText: formatTaxId(cpf) })
  await row.getByText('in 15 min').waitFor()
  await row.getByText(server().client.name).waitFor()
  expect(await page.content()).not.toContain(session.sessionId)
  await row.getByRole('button', { name: /^End the session of/ }).click()
  await pressInDialog(page, 'End')
  await page.getByText('Nothing matches the filters').waitFor()
  const { body } = await server().json('GET', `/v1/sessions/status?sessionId=${session.sessionId}`)
  expect(body.active).toBe(false)
})

test('the history says who opened sessions yesterday, why they ended and what failed, found by CPF and application', async () => {
  const world = await startSessionServer('SQLite')
  const [{ cpf, pin }, other] = [await newHolder(world), await newHolder(world)]
  await world.json('POST', '/v1/sessions', { cpf, pin: 'not it' })
  const { body: session } = await world.json('POST', '/v1/sessions', { cpf, pin })
  await world.json('POST', '/v1/sessions/deactivate', { sessionId: session.sessionId })
  await world.json('POST', '/v1/sessions', { cpf: other.cpf, pin })
  const { enter } = await consoleOf(world)
  const { page } = await enter('/', { locale: 'pt-BR' })
  await page.getByRole('link', { name: 'Histórico', exact: true }).click()
  await page.getByLabel('CPF').fill(formatTaxId(cpf))
  await page.getByLabel('Aplicação').fill(world.client.name.slice(4, 20))
  await press(page, 'Buscar')
  await page.waitForURL(`**/history?cpf=${cpf}&application=*`)
  const opened = page.getByRole('row').filter({ hasText: 'A aplicação a encerrou.' })
  for (const told of ['Aberta', formatTaxId(cpf), world.client.name, 'de 127.0.0.1'])
    await opened.getByText(told).waitFor()
  const refused = page.getByRole('row').filter({ hasText: 'O PIN não é o de nenhum certificado do CPF.' })
  await refused.getByText('Recusada').waitFor()
  expect(await page.getByText(formatTaxId(other.cpf)).count()).toBe(0)
  await page.getByLabel('O que houve').selectOption('Sessões abertas')
  await press(page, 'Buscar')
  await refused.waitFor({ state: 'detached' })
  await page.getByLabel('Até').fill('2020-01-01')
  await press(page, 'Buscar')
  await page.getByText('Nada corresponde aos filtros').waitFor()
})

test('a CPF locked by wrong PINs is on the first page, and an administrator clears it', async () => {
  const world = await startSessionServer('SQLite')
  const { cpf, pin } = await newHolder(world)
  const open = (pin: string) => world.json('POST', '/v1/sessions', { cpf, pin })
  for (let wrong = 0; wrong < 5; wrong++) await open('not it')
  expect((await open(pin)).body.error.code).toBe('TOO_MANY_PIN_ATTEMPTS')
  const { enter } = await consoleOf(world)
  const { page } = await enter('/')
  await page.getByRole('link', { name: 'Locked CPFs' }).click()
  const row = page.getByRole('row').filter({ hasText: formatTaxId(cpf) })
  await row.getByText('Locked').waitFor()
  await row.getByRole('button').click()
  await pressInDialog(page, 'Clear')
  await page.getByText('No wrong PIN').waitFor()
  expect((await open(pin)).status).toBe(201)
})

test('an event says whom it is about, who did it and from where, and is found by the CPF as people write it', async () => {
  const world = await startSessionServer('SQLite')
  const { cpf } = await newHolder(world)
  const other = await newHolder(world)
  for (const one of [cpf, other.cpf])
    for (let wrong = 0; wrong < 5; wrong++) await world.json('POST', '/v1/sessions', { cpf: one, pin: 'not it' })
  const { enter } = await consoleOf(world)
  const { page, administrator } = await enter('/', { locale: 'pt-BR' })
  await administrator.call('DELETE', `/api/lockouts/${cpf}`)
  await page.getByRole('link', { name: 'Eventos' }).click()
  await page.getByLabel('Contém').fill(formatTaxId(cpf))
  await press(page, 'Buscar')
  const cleared = page.getByRole('row', { name: /Bloqueio de PIN limpo/ })
  await cleared.getByText(formatTaxId(cpf), { exact: true }).waitFor()
  await cleared.getByText(administrator.email).waitFor()
  await cleared.getByText('127.0.0.1').waitFor()
  await page
    .getByRole('row', { name: /CPF bloqueado/ })
    .getByText(formatTaxId(cpf), { exact: true })
    .waitFor()
  expect(await page.getByText(formatTaxId(other.cpf)).count()).toBe(0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Baixar como CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^events-.*\.csv$/)
})

test('administrators are added, lose their authenticator app, and go; one always stays', async () => {
  const world = await startSessionServer('SQLite')
  const { enter } = await consoleOf(world)
  const { page, administrator } = await enter('/administrators', { provoked: /401|403|422/ })
  await page
    .getByRole('row', { name: new RegExp(administrator.email) })
    .getByText('you')
    .waitFor()
  await press(page, 'Remove Ana Souza')
  await pressInDialog(page, 'Remove')
  await inDialog(page).getByText('One administrator always stays.').waitFor()
  await pressInDialog(page, 'Go back')

  await press(page, 'Add administrator')
  await inDialog(page).getByLabel('Name').fill('Rui Alves')
  await inDialog(page).getByLabel('E-mail').fill('rui@example.com')
  await inDialog(page).getByRole('textbox', { name: 'First password' }).fill('uma senha para o Rui')
  await pressInDialog(page, 'Add')
  await page
    .getByRole('row', { name: /Rui Alves/ })
    .getByText('Not set up')
    .waitFor()
  await press(page, 'Remove Rui Alves')
  await pressInDialog(page, 'Remove')
  await said(page, 'Rui Alves was removed.')

  await page.getByRole('link', { name: 'Events' }).click()
  await page.getByLabel('What happened').selectOption('Administrator removed')
  await press(page, 'Search')
  await page.waitForURL('**/events?type=AdministratorRemoved')
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['Administrator removed'])

  await page.getByRole('link', { name: 'Administrators' }).click()
  await press(page, 'Reset app of Ana Souza')
  await pressInDialog(page, 'Reset app')
  // The administrator's own second factor was reset.
  await page.getByRole('heading', { name: /Sign in|Set up an authenticator app/ }).waitFor()
})

test('a server that stops answering is told, and its last data stays', async () => {
  const world = await startSessionServer('SQLite')
  const { cpf } = await newHolder(world)
  const { enter } = await consoleOf(world)
  const { page } = await enter('/certificates', { provoked: /401|ERR_/ })
  await page.getByText(formatTaxId(cpf)).waitFor()
  await world.stop()
  await page.getByRole('alert').getByText('Nothing answers at').waitFor()
  expect(await page.getByText(formatTaxId(cpf)).count()).toBe(1)
})

/** Tries to have a document signed. */
async function sign(world: SessionWorld, fileName: string) {
  const { cpf, pin } = await newHolder(world)
  const { body: session } = await world.json('POST', '/v1/sessions', { cpf, pin })
  const document = Buffer.from(samplePdf('Contrato')).toString('base64')
  const answer = await world.json('POST', '/v1/signatures', { sessionId: session.sessionId, document, fileName })
  return { cpf, ...answer }
}

test('the log tells of a signature, which is found by its id', async () => {
  const { cpf, status, body } = await sign(server(), 'contrato.pdf')
  expect(status).toBe(202)
  const { enter } = await consoleOf(server())
  const { page } = await enter('/')
  await page.getByText('Reachable', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Signed today' }).click()
  await page.getByRole('searchbox', { name: 'Signature id' }).fill(body.signatureId)
  await press(page, 'Search')
  await page.waitForURL(/signatureId=/)
  const row = page.getByRole('row').filter({ hasText: body.signatureId })
  await row.getByText('Signed', { exact: true }).waitFor()
  await row.getByText(formatTaxId(cpf)).waitFor()
  await row.getByRole('button', { name: 'Copy Signature id' }).click()
  await page.getByText('Copied: Signature id').waitFor({ state: 'attached' })
  await row.getByRole('button', { name: 'Show contrato.pdf' }).click()
  await inDialog(page).getByText('The signed document can be fetched').waitFor()
})

test('the log says in the reader’s language why a signature failed', async () => {
  const world = await startSessionServer('SQLite')
  expect((await sign(world, 'contrato.pdf')).body.error.code).toBe('SIGNER_ERROR')
  const { enter } = await consoleOf(world)
  const { page } = await enter('/', { locale: 'pt-BR' })
  await page.getByText('Inacessível').waitFor()
  await page.getByRole('link', { name: 'Assinaturas', exact: true }).click()
  const row = page.getByRole('row', { name: /contrato\.pdf/ })
  await row.getByText('Falhou').waitFor()
  await row.getByText('O serviço de assinatura não pôde ser consultado.').waitFor()
  await page.getByText('EN', { exact: true }).first().click()
  await row.getByText('The signature service could not be asked.').waitFor()
})

const pages = [
  '/',
  '/applications',
  '/certificates',
  '/workstations',
  '/sessions',
  '/history',
  '/signatures',
  '/lockouts',
  '/administrators',
  '/events',
  '/account',
  '/second-factor',
  '/login',
]

test.each([
  [320, 'pt-BR', 'dark'],
  [1280, 'en-US', 'light'],
] as const)(
  'at %d pixels in %s, %s, no page hangs over the edge, and everything to press has a name',
  async (width, locale, colorScheme) => {
    const world = server()
    const { cpf, pin } = await newHolder(world)
    await world.json('POST', '/v1/sessions', { cpf, pin })
    const locked = await newHolder(world)
    for (let wrong = 0; wrong < 5; wrong++) await world.json('POST', '/v1/sessions', { cpf: locked.cpf, pin: 'x' })
    await newClient(world.store, `aplicação com um nome bastante comprido ${crypto.randomUUID()}`)
    const { enter, origin } = await consoleOf(world)
    const { page, administrator } = await enter('/', { locale, colorScheme, viewport: { width, height: 800 } })
    await administrator.call('POST', '/api/workstations', { name: 'Recepção do terceiro andar', cpfs: [cpf] })
    for (const path of pages) {
      await page.goto(`${origin}${path}`)
      await page.locator('h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect(await page.locator('html').getAttribute('lang'), path).toBe(locale)
      expect(await page.locator('html').getAttribute('data-mantine-color-scheme'), path).toBe(colorScheme)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
      expect(await page.evaluate(cutTables), path).toBe(0)
      expect(await namelessControls(page), path).toEqual([])
    }
  },
)
