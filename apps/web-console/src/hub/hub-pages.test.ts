import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
// The helpers of the service's own tests: the pages are tried against the real thing.
import {
  allowRedirects,
  authorizedSession,
  begunAuthorization,
  REDIRECT_URI,
  returnedUser,
} from '../../../../services/cloud-hub/test/test-support/authorized.ts'
import { newClient, sharedHub, startHub } from '../../../../services/cloud-hub/test/test-support/hub-world.ts'
import { clock, running } from '../../../../services/cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../../services/cloud-hub/test/test-support/providers.ts'
import { cutTables, namelessControls } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { consolePages } from '../../test/console-pages.ts'

const { consoleOf } = consolePages('hub')

const hub = sharedHub('SQLite')

let provider: RunningCloudProvider
beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

const ANA = demoHolders.find(({ label }) => label === 'ana-souza')!

const HASH = Buffer.alloc(32, 7).toString('base64')

const inDialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInDialog = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string) => page.getByText(text).first().waitFor()

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const namesInOrder = (page: Page) =>
  page.getByRole('list', { name: 'Providers' }).getByRole('heading').allTextContents()

test('a provider is added from a preset, registered, tested, changed and removed', async () => {
  const { enter } = await consoleOf(await startHub('SQLite'))
  const { page } = await enter('/providers', { provoked: /401|409|422/ })
  await page.getByText('No provider yet').waitFor()
  await page.getByRole('link', { name: 'Add a provider' }).click()
  await page.getByLabel('Preset').selectOption('BirdID (Soluti)')
  expect(await page.getByRole('textbox', { name: 'Endpoint' }).inputValue()).toBe('https://api.birdid.com.br/v0')
  await press(page, 'Use the address for trials')
  expect(await page.getByRole('textbox', { name: 'Endpoint' }).inputValue()).toBe('https://apihom.birdid.com.br/v0')
  await page.getByText('Advanced: what differs from the protocol').click()
  await page.getByLabel('How hashes travel').selectOption('base64')
  await page.getByLabel('Most hashes of one call').fill('many')
  await page.getByText('A whole number above zero.').waitFor()
  await page.getByLabel('Most hashes of one call').fill('3')

  await page.getByRole('textbox', { name: 'Service name' }).fill('not a name')
  await press(page, 'Add')
  await page.getByRole('alert').getByText('A service name has letters').waitFor()
  await page.getByRole('textbox', { name: 'Service name' }).fill('NuvemDemo')
  await page.getByRole('textbox', { name: 'Endpoint' }).fill('http://10.0.0.1/v0')
  await press(page, 'Add')
  await page.getByRole('alert').getByText('The hub does not call this address').waitFor()
  await page.getByRole('textbox', { name: 'Endpoint' }).fill(provider.psc.baseUrl)
  await press(page, 'Add')
  await page.getByRole('heading', { name: 'NuvemDemo', level: 1 }).waitFor()
  await page.getByText('/callbacks/nuvemdemo').waitFor()
  await page.getByText('Advanced: 2 settings differ from the preset').waitFor()

  await press(page, 'Test the connection')
  await inDialog(page).getByText('Something is not well.').waitFor()
  await inDialog(page).getByRole('img', { name: 'Not well' }).first().waitFor()
  await page.keyboard.press('Escape')
  await press(page, 'Register the hub')
  await inDialog(page).getByLabel('Name').fill('Hospital')
  await inDialog(page).getByLabel('E-mail').fill('ti@example.com')
  await pressInDialog(page, 'Register the hub')
  await said(page, 'The hub is registered at NuvemDemo.')
  await press(page, 'Test the connection')
  await inDialog(page).getByText('All is well.').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('textbox', { name: 'Company' }).fill('Nuvem S.A.')
  await press(page, 'Save')
  await said(page, 'NuvemDemo was saved.')
  // The credentials from the registration are still there.
  await press(page, 'Test the connection')
  await inDialog(page).getByText('All is well.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Events' }).click()
  await page.getByRole('rowheader', { name: 'Hub registered at a provider' }).waitFor()
  await page.getByRole('rowheader', { name: 'Provider changed' }).waitFor()
  await page.goBack()
  await press(page, 'Remove NuvemDemo')
  await pressInDialog(page, 'Remove')
  await page.getByText('No provider yet').waitFor()
})

test('saving what was not touched keeps the credentials: neither id nor secret nor knob is lost', async () => {
  const world = await startHub('SQLite')
  const { id } = await addProvider(world, provider, { protocol: 'psc', knobs: { maxHashesPerCall: 4 } })
  const { enter } = await consoleOf(world)
  const { page, administrator } = await enter(`/providers/${id}`)
  await page.getByRole('textbox', { name: 'Company' }).fill('Outra S.A.')
  await press(page, 'Save')
  await said(page, 'was saved.')
  const { body } = await administrator.call('GET', '/api/providers')
  expect(body[0]).toMatchObject({ provider: 'Outra S.A.', knobs: { maxHashesPerCall: 4 } })
  const { body: report } = await administrator.call('POST', `/api/providers/${id}/test`)
  expect(report.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
})

test('providers are put into another order by keyboard, and one is left out and taken in again', async () => {
  const world = await startHub('SQLite')
  for (const serviceName of ['Um', 'Dois', 'Tres']) await addProvider(world, provider, { protocol: 'psc', serviceName })
  const { enter } = await consoleOf(world)
  const { page, administrator } = await enter('/providers')
  await page.getByRole('button', { name: 'Move Tres up' }).press('Enter')
  await said(page, 'Tres is in place 2 now.')
  await expect.poll(() => focusedName(page)).toBe('Move Tres up')
  await page.keyboard.press('Enter')
  await said(page, 'Tres is in place 1 now.')
  // It is at the top and cannot move up, so the other button gets the focus.
  await expect.poll(() => focusedName(page)).toBe('Move Tres down')
  expect(await namesInOrder(page)).toEqual(['Tres', 'Um', 'Dois'])

  await press(page, 'Disable Um')
  await said(page, 'Um is disabled')
  const enabled = async () =>
    (await administrator.call('GET', '/api/providers')).body
      .filter((one: { enabled: boolean }) => one.enabled)
      .map(({ serviceName }: { serviceName: string }) => serviceName)
  expect(await enabled()).toEqual(['Tres', 'Dois'])
  await press(page, 'Enable Um')
  await said(page, 'Um is enabled.')
  expect(await enabled()).toEqual(['Tres', 'Um', 'Dois'])
})

test('a key is made with its redirect URIs and shown once; they are added and taken away afterwards', async () => {
  const { enter } = await consoleOf(hub())
  const { page } = await enter('/applications', { provoked: /401|422/ })
  const name = `erp ${crypto.randomUUID().slice(0, 8)}`
  await press(page, 'New application')
  await inDialog(page).getByLabel('Name').fill(name)
  await pressInDialog(page, 'Create')
  await press(page, `New key of ${name}`)
  await inDialog(page).getByLabel('What it is for').fill('produção')
  await inDialog(page).getByLabel('Redirect URIs').fill('http://erp.example.com/volta')
  await pressInDialog(page, 'Create')
  await inDialog(page).getByRole('alert').getByText('A redirect URI is absolute and https').waitFor()
  await inDialog(page).getByLabel('Redirect URIs').fill('https://erp.example.com/volta\nhttp://localhost:3000/volta\n')
  await pressInDialog(page, 'Create')
  await said(page, 'it is shown this once')
  const key = (await inDialog(page).locator('code').textContent())!
  await pressInDialog(page, 'I have kept it')
  expect(await page.content()).not.toContain(key)

  const row = page.getByRole('row', { name: /produção/ })
  await row.getByText('http://localhost:3000/volta').waitFor()
  const isAccepted = async (redirectUri: string) => {
    const { body } = await hub().json('POST', '/api/sessions/services/none', { redirectUri }, { 'X-Api-Key': key })
    return body.code !== 'UnauthorizedRedirectUri'
  }
  await addProvider(hub(), provider, { protocol: 'psc', serviceName: 'none' })
  expect(await isAccepted('https://erp.example.com/volta?a=1')).toBe(true)
  await press(page, 'Change the redirect URIs of produção')
  await pressInDialog(page, 'Remove https://erp.example.com/volta')
  await inDialog(page).getByText('https://erp.example.com/volta').waitFor({ state: 'detached' })
  await inDialog(page).getByLabel('Another redirect URI').fill('ftp://erp.example.com/')
  await pressInDialog(page, 'Add')
  await inDialog(page).getByRole('alert').getByText('REDIRECT_URI_INVALID').waitFor()
  await inDialog(page).getByLabel('Another redirect URI').fill('https://erp.example.com/outra')
  await pressInDialog(page, 'Add')
  await inDialog(page).getByRole('button', { name: 'Remove https://erp.example.com/outra' }).waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('https://erp.example.com/outra').waitFor()
  expect(await isAccepted('https://erp.example.com/volta')).toBe(false)
  expect(await isAccepted('https://erp.example.com/outra')).toBe(true)
})

test('sessions are seen without their values and ended; the audit tells what was done, in the reader’s language', async () => {
  const world = await startHub('SQLite')
  const { serviceName } = await addProvider(world, provider, { protocol: 'psc' })
  const journey = { holder: ANA.label, serviceName, identifier: ANA.cpf }
  const session = await authorizedSession(world, provider, journey)
  const other = await authorizedSession(world, provider, { ...journey, type: 'SignatureSession' })
  const sign = () => world.json('POST', '/api/sessions/sign-hash', { session, hash: HASH, digestAlgorithm: 'SHA-256' })
  expect((await sign()).status).toBe(200)
  expect((await sign()).body.code).toBe('SessionInvalidOrAlreadyUsed')

  const { enter } = await consoleOf(world)
  const { page } = await enter('/', { locale: 'pt-BR' })
  await page.getByRole('link', { name: 'Sessões autorizadas' }).click()
  await page.waitForURL('**/sessions?state=authorized')
  const row = page.getByRole('row').filter({ hasText: serviceName })
  await row.getByText('assinaturas por um tempo').waitFor()
  await expect.poll(() => row.count()).toBe(1)
  expect(await page.content()).not.toContain(ANA.cpf)
  expect(await page.content()).not.toContain(other)
  await row.getByRole('button', { name: /^Encerrar a sessão/ }).click()
  await pressInDialog(page, 'Encerrar')
  await page.getByText('Nada corresponde aos filtros').waitFor()
  expect((await world.json('GET', `/api/sessions/certificate?session=${other}`)).status).toBe(422)

  await press(page, 'Limpar filtros')
  await page
    .getByRole('row', { name: /uma assinatura/ })
    .getByText('Usada')
    .waitFor()
  await page
    .getByRole('row', { name: /uma assinatura/ })
    .getByRole('link', { name: 'Usos' })
    .click()
  await page
    .getByRole('row', { name: /1 hash, SHA-256/ })
    .getByText('Sucesso')
    .waitFor()
  await page.getByLabel('O que foi feito').selectOption('Autorização')
  await press(page, 'Buscar')
  await page.waitForURL(/action=authorize/)
  await expect.poll(() => page.getByRole('rowheader').allTextContents()).toEqual(['Autorização'])
  await page.getByText('EN', { exact: true }).first().click()
  await page.getByRole('rowheader', { name: 'Authorization' }).waitFor()

  // Whoever calls for help is found by her CPF, and shown masked.
  const found = async (path: string, cpf: string) => {
    await page.getByRole('navigation').first().getByRole('link', { name: path }).click()
    await page.getByRole('textbox', { name: 'CPF or CNPJ' }).or(page.getByLabel('CPF or CNPJ')).first().fill(cpf)
    await press(page, 'Search')
    await page.waitForURL(/identifier=\d{11}/)
  }
  const mask = `***.${ANA.cpf.slice(3, 6)}.${ANA.cpf.slice(6, 9)}-**`
  for (const path of ['Sessions', 'Uses']) {
    await found(path, ANA.cpf.replace(/^(\d{3})(\d{3})(\d{3})/, '$1.$2.$3-'))
    await page.getByText(`CPF ${mask}`).first().waitFor()
    await found(path, '22233344405')
    await said(page, 'Nothing matches')
  }
})

test('a provider that is left alone after failures is told on the first page, with what went wrong', async () => {
  const world = await startHub('SQLite', { settings: { Providers: { BreakerFailures: 1, BreakerSeconds: 3600 } } })
  const { serviceName } = await addProvider(world, provider, { protocol: 'psc' })
  provider.failAlways('token', { status: 500 })
  await returnedUser(world, provider, { holder: ANA.label, serviceName })
  const { enter } = await consoleOf(world)
  const { page } = await enter('/')
  const row = page.getByRole('row').filter({ hasText: serviceName })
  await row.getByText('Left alone after failures').waitFor()
  await row.getByText('end of an authorization').waitFor()
  const notice = page.getByRole('listitem').filter({ hasText: `does not answer: ${serviceName}` })
  await notice.getByText('those of others can').waitFor()
  await notice.getByRole('link').click()
  await page.waitForURL('**/providers')
  await page.goBack()
  await page.getByRole('link', { name: 'Failures today' }).click()
  await page.getByRole('row').filter({ hasText: serviceName }).getByText('The provider failed').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: serviceName }).click()
  await page.getByRole('heading', { name: serviceName, level: 1 }).waitFor()
  await page.getByText('Left alone after failures').waitFor()
})

test.each([
  [320, 'pt-BR', 'dark'],
  [1280, 'en-US', 'light'],
] as const)(
  'at %d pixels in %s, %s, no page hangs over the edge, and everything to press has a name',
  async (width, locale, colorScheme) => {
    const world = hub()
    const { id, serviceName } = await addProvider(world, provider, { protocol: 'psc' })
    await addProvider(world, provider, { protocol: 'csc' })
    await begunAuthorization(world, provider, { serviceName, identifier: ANA.cpf })
    await authorizedSession(world, provider, { serviceName, holder: ANA.label })
    const { keyId } = await newClient(world.store, `aplicação com um nome bastante comprido ${crypto.randomUUID()}`)
    await allowRedirects(world, `${REDIRECT_URI}/com/um/caminho/muito/comprido/sem/nenhum/espaço`, keyId)
    const { enter, origin } = await consoleOf(world)
    const { page } = await enter('/', { locale, colorScheme, viewport: { width, height: 800 } })
    const pages = ['/', '/providers', '/providers/new', `/providers/${id}`, '/applications', '/sessions', '/uses']
    for (const path of [...pages, '/administrators', '/events', '/account', '/login', '/providers/none']) {
      await page.goto(`${origin}${path}`)
      await page.locator('h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      for (const folded of await page.locator('details:not([open]) > summary').all()) await folded.click()
      expect(await page.locator('html').getAttribute('lang'), path).toBe(locale)
      expect(await page.locator('html').getAttribute('data-mantine-color-scheme'), path).toBe(colorScheme)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
      expect(await page.evaluate(cutTables), path).toBe(0)
      expect(await namelessControls(page), path).toEqual([])
    }
  },
)

test('an auditor reads a provider and changes nothing; support sees what holders ask about alone', async () => {
  const world = hub()
  const made = await addProvider(world, provider, { protocol: 'psc' })
  const { enter, origin } = await consoleOf(world)
  const { page } = await enter('/providers', { role: 'auditor' })
  await page.getByRole('link', { name: made.serviceName }).click()
  await page.getByRole('textbox', { name: 'Endpoint' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Endpoint' }).isDisabled()).toBe(true)
  for (const name of [/^Save$/, /^Test/, /^Remove/, /^Disable/, /^Register/])
    expect([name, await page.getByRole('button', { name }).count()]).toEqual([name, 0])
  const { page: desk } = await enter('/sessions', { role: 'support', provoked: /403/ })
  await desk.getByRole('combobox', { name: 'Provider' }).getByText(made.serviceName).waitFor({ state: 'attached' })
  const links = await desk.getByRole('navigation').first().getByRole('link').allTextContents()
  expect(links.map((text) => text.trim())).toEqual(['Overview', 'Sessions', 'Uses'])
  await desk.goto(`${origin}/providers`)
  await said(desk, 'Your role does not allow this.')
})
