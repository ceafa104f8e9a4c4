// The helpers of the service's own tests: the pages are tried against the real thing.
import { samplePdf } from '@chancela/testkit/samples'
import { expect, test } from 'vitest'
import { sharedCore, startCore } from '../../../../services/pki-core/test/test-support/core-world.ts'
import { authenticate, authorities, failedCall } from '../../../../services/pki-core/test/test-support/management.ts'
import { certificateOf, roots } from '../../../../services/pki-core/test/test-support/pki.ts'
import { begin, pdfDocument, signAll } from '../../../../services/pki-core/test/test-support/sessions.ts'
import { enrolled } from '../../../../services/pki-core/test/test-support/subjects.ts'
import { axeFindings, cutTables, namelessControls, overlappingCells } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { consolePages } from '../../test/console-pages.ts'
import { pemOf } from './contexts/pem.ts'

const { consoleOf } = consolePages('core')

const core = sharedCore('SQLite', { SecurityContexts: { TestAnchorsFile: roots } })

const inDialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInDialog = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string) => page.getByText(text).first().waitFor()

test('a subscription gets an application with roles and a key, which is shown once and revoked', async () => {
  const world = core()
  const { enter } = await consoleOf(world)
  const { page } = await enter('/subscriptions', { provoked: /401|422/ })
  const name = `Prefeitura ${crypto.randomUUID().slice(0, 8)}`
  await press(page, 'New subscription')
  await inDialog(page).getByLabel('Name').fill('Default')
  await pressInDialog(page, 'Create')
  await inDialog(page).getByRole('alert').getByText('Another one has this name.').waitFor()
  await inDialog(page).getByLabel('Name').fill(name)
  await pressInDialog(page, 'Create')
  const row = page.getByRole('row', { name: new RegExp(name) })
  await row.getByRole('link', { name: 'Applications' }).click()
  await page.waitForURL(/subscriptionId=/)

  await press(page, 'New application')
  await inDialog(page).getByLabel('Name').fill(`ERP de ${name}`)
  await inDialog(page).getByLabel('Manager').check()
  await pressInDialog(page, 'Create')
  await page.getByRole('heading', { name: `ERP de ${name}`, level: 1 }).waitFor()
  await page.getByText('Manager', { exact: true }).waitFor()
  await press(page, 'New key')
  await inDialog(page).getByLabel('What it is for').fill('produção')
  await pressInDialog(page, 'Create')
  await said(page, 'it is shown this once')
  const key = (await inDialog(page).locator('code').textContent())!
  await pressInDialog(page, 'I have kept it')
  expect(await page.content()).not.toContain(key.split('|')[1])
  const status = async (path: string) => (await world.json('GET', path, undefined, { 'X-Api-Key': key })).status
  expect([await status('/Api/Authentication'), await status('/api/applications')]).toEqual([200, 200])

  await press(page, 'Change roles in a subscription')
  await inDialog(page)
    .getByRole('combobox', { name: /Subscription/ })
    .selectOption(name)
  await inDialog(page).getByLabel('Manager').uncheck()
  await pressInDialog(page, 'Save')
  await said(page, 'has other roles now')
  expect([await status('/Api/Authentication'), await status('/api/applications')]).toEqual([200, 403])
  await press(page, 'Change roles in the instance')
  await inDialog(page).getByLabel('Reader').check()
  await pressInDialog(page, 'Save')
  await page.getByText('whole instance').first().waitFor()
  expect(await status('/api/subscriptions')).toBe(200)
  await press(page, 'Revoke the key produção')
  await pressInDialog(page, 'Revoke')
  // Out of the way, and still there.
  await page.getByRole('row', { name: /produção/ }).waitFor({ state: 'detached' })
  await page.getByLabel('Also show 1 key that was revoked or has expired').check()
  await page
    .getByRole('row', { name: /produção/ })
    .getByText('Revoked')
    .waitFor()
  expect(await status('/Api/Authentication')).toBe(401)
  await press(page, 'Delete')
  await pressInDialog(page, 'Delete')
  await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Events' }).click()
  await page.getByRole('rowheader', { name: 'Application deleted' }).first().waitFor()
})

test('a security context is made from PEM, chosen as the default, changed and deleted', async () => {
  const world = core()
  const { enter } = await consoleOf(world)
  const { page } = await enter(`/security-contexts?subscriptionId=${world.client.subscriptionId}`, {
    locale: 'pt-BR',
    provoked: /401|422/,
  })
  await page
    .getByRole('row', { name: /ICP-Brasil/ })
    .getByText('padrão', { exact: true })
    .waitFor()
  await press(page, 'Novo contexto de segurança')
  await inDialog(page).getByLabel('Nome').fill('Raízes de teste')
  await inDialog(page)
    .getByLabel('Raízes confiáveis (PEM)')
    .fill(pemOf([certificateOf('ana-souza')]))
  await inDialog(page).getByText('1 certificado encontrado').waitFor()
  await pressInDialog(page, 'Criar')
  await inDialog(page).getByRole('alert').getByText('não é de uma autoridade').waitFor()
  await inDialog(page).getByLabel('Raízes confiáveis (PEM)').fill(pemOf(authorities.roots))
  await inDialog(page).getByLabel('Revogação desconhecida').selectOption('é um aviso')
  await pressInDialog(page, 'Criar')
  const row = page.getByRole('row', { name: /Raízes de teste/ })
  await row.getByText('é um aviso').waitFor()
  await row.getByRole('button', { name: /^Tornar padrão/ }).click()
  await row.getByText('padrão', { exact: true }).waitFor()
  expect((await authenticate(world, 'ana-souza')).body.success).toBe(true)
  await press(page, 'Tornar padrão: ICP-Brasil')
  await row.getByRole('button', { name: /^Alterar/ }).click()
  await inDialog(page).getByLabel('Políticas de certificado aceitas').fill('2.16.76.1.2.1\n2.16.76.1.2.3')
  await pressInDialog(page, 'Salvar')
  await row.getByText('2.16.76.1.2.1, 2.16.76.1.2.3').waitFor()
  await row.getByRole('button', { name: /^Excluir/ }).click()
  await pressInDialog(page, 'Excluir')
  await row.waitFor({ state: 'detached' })
})

test('a failed call is found by the exceptionCode its caller was told; authentications name their holders masked', async () => {
  const world = await startCore('SQLite')
  await authenticate(world, 'ana-souza')
  await authenticate(world, 'expired')
  const code = (await failedCall(world)).body.exceptionCode
  const { enter } = await consoleOf(world)
  const { page } = await enter('/', { locale: 'pt-BR' })
  await page.getByRole('link', { name: 'Chamadas com erro' }).first().click()
  await page.getByLabel('exceptionCode', { exact: true }).fill(code)
  await press(page, 'Buscar')
  await page.waitForURL(new RegExp(code))
  await page
    .getByRole('row', { name: /used_nonce/ })
    .getByText('/api/v2/authentication/completion')
    .waitFor()
  await page.getByText('Onde', { exact: true }).click()
  await page.locator('pre').waitFor()
  await page.getByRole('link', { name: 'Autenticações' }).click()
  await page
    .getByRole('row', { name: /ANA BEATRIZ SOUZA/ })
    .getByText('***.982.247-**')
    .waitFor()
  await page.getByLabel('Resultado').selectOption('Recusada')
  await press(page, 'Buscar')
  await page.getByText('certificado expirado').waitFor()
  await expect.poll(() => page.getByText('ANA BEATRIZ SOUZA').count()).toBe(0)
  expect(await page.content()).not.toContain('52998224725')
})

const documents = [pdfDocument(samplePdf('Contract'), 'contrato-de-prestação-de-serviços-assinado-por-todos.pdf')]

test('a session that waits is found by its state, shown without its content and ended', async () => {
  const world = core()
  const signed = await begin(world, { documents })
  await signAll(signed, 'ana-souza')
  const waiting = await begin(world, { documents, callbackArgument: 'confidential' })
  const { enter } = await consoleOf(world)
  const { page } = await enter('/', { locale: 'pt-BR', provoked: /401|422/ })
  await page.getByRole('link', { name: 'Sessões de assinatura' }).click()
  await page.getByRole('row', { name: /Concluída/ }).waitFor()
  await page.getByLabel('Situação').selectOption('Aguarda a pessoa')
  await page.getByLabel('Conta').selectOption({ value: world.client.subscriptionId })
  await press(page, 'Buscar')
  await page.waitForURL(/status=Pending/)
  await expect.poll(() => page.getByRole('row', { name: /Concluída/ }).count()).toBe(0)
  await page.locator(`a[href$="/signature-sessions/${waiting.id}"]`).click()
  await page.getByText('Ainda não assinado').waitFor()
  await page.getByText('contrato-de-prestação').first().waitFor()
  for (const secret of [waiting.token, 'confidential']) expect(await page.content()).not.toContain(secret)
  await press(page, 'Encerrar a sessão')
  await pressInDialog(page, 'Encerrar a sessão')
  await page.getByText('Cancelada', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Encerrar a sessão' }).count()).toBe(0)
  expect((await world.json('GET', `/api/signature-sessions/${waiting.id}`)).body.status).toBe('UserCancelled')
  await page.getByRole('link', { name: 'Eventos' }).click()
  await page.getByRole('rowheader', { name: 'Sessão de assinatura encerrada por um administrador' }).first().waitFor()
})

test('a person is found by the whole identifier, and the biometric data are deleted', async () => {
  const world = core()
  const { id } = await enrolled(world, world.client.subscriptionId, '52998224725')
  const { enter } = await consoleOf(world)
  const { page } = await enter('/bio-subjects', { provoked: /401|422/ })
  await page.getByLabel('Whole identifier').fill('52998224725')
  await press(page, 'Search')
  await page.waitForURL(/identifier=/)
  const row = page.getByRole('row', { name: new RegExp(id) })
  await row.getByText('***.982.247-**').waitFor()
  expect(await row.textContent()).not.toContain('52998224725')
  await row.getByRole('button', { name: /^Delete the biometric data/ }).click()
  await pressInDialog(page, 'Delete')
  await said(page, 'The biometric data were deleted.')
  await press(page, 'Clear filters')
  await row.getByText('removed').waitFor()
  const found = await world.json('GET', '/api/bio/subjects?identifier=52998224725')
  expect(found.body.code).toBe('BioSubjectNotFound')
})

test.each([
  [390, 'pt-BR', 'dark'],
  [1280, 'en-US', 'light'],
] as const)(
  'at %d pixels in %s, %s, no page hangs over the edge, everything to press has a name, and axe finds nothing',
  async (width, locale, colorScheme) => {
    const world = core()
    await authenticate(world, 'ana-souza')
    await authenticate(world, 'under-unknown-root')
    await failedCall(world)
    const { enter, origin } = await consoleOf(world)
    const { page, administrator } = await enter('/', {
      locale,
      colorScheme,
      viewport: { width, height: 900 },
      provoked: /401|422/,
    })
    const name = `aplicação com um nome bastante comprido ${crypto.randomUUID()}`
    const { subscriptionId } = world.client
    const asked = { subscriptionId, name, roles: ['Admin', 'Manager', 'Worker', 'Monitor'], rootRoles: ['Owner'] }
    const { id } = (await administrator.call('POST', '/api/applications', asked)).body
    await administrator.call('POST', `/api/applications/${id}/keys`, { description: 'produção' })
    const contexts = `/security-contexts?subscriptionId=${subscriptionId}`
    await administrator.call('POST', `/api/subscriptions/${subscriptionId}/security-contexts`, {
      name: crypto.randomUUID(),
      trustedRoots: authorities.roots,
      acceptedPolicies: ['2.16.76.1.2.1', '2.16.76.1.2.3'],
    })
    const session = await begin(world, { documents })
    await signAll(session, 'ana-souza')
    await begin(world, {})
    await enrolled(world, subscriptionId, `maria.aparecida.${crypto.randomUUID()}@prefeitura.example.com`)
    const pages = [
      '/',
      '/subscriptions',
      '/applications',
      `/applications/${id}`,
      contexts,
      '/signature-sessions',
      `/signature-sessions/${session.id}`,
      '/bio-subjects',
      '/authentications',
      '/problems',
    ]
    for (const path of [...pages, '/administrators', '/events', '/account', '/login', '/applications/none']) {
      await page.goto(`${origin}${path}`)
      await page.locator('h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      await page.evaluate(unfold)
      await shot(page, `${width}-${locale}-${path.replaceAll(/[^a-z-]+/g, '_').slice(0, 24)}`)
      expect(await page.locator('html').getAttribute('lang'), path).toBe(locale)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width)
      expect(await page.evaluate(cutTables), path).toBe(0)
      expect(await page.evaluate(overlappingCells), path).toEqual([])
      expect(await namelessControls(page), path).toEqual([])
      expect(await axeFindings(page), path).toEqual([])
    }
  },
)

/** Runs in the page. */
const unfold = () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true
}

/** Pictures for whoever wants to look: `CHANCELA_SHOTS=<folder>`. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.CHANCELA_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('an auditor changes nothing; support sees what holders ask about alone', async () => {
  const world = core()
  const { enter, origin } = await consoleOf(world)
  const { page } = await enter('/subscriptions', { role: 'auditor' })
  await page
    .getByRole('row', { name: /Default/ })
    .first()
    .waitFor()
  expect(
    await page
      .getByRole('row')
      .getByRole('button', { name: /^(Rename|Disable)/ })
      .count(),
  ).toBe(0)
  for (const path of ['/applications', '/security-contexts', '/bio-subjects']) {
    await page.goto(`${origin}${path}`)
    await page.locator('h1').waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    expect([path, await page.getByRole('button', { name: /^(New|Add|Change|Delete|Make)/ }).count()]).toEqual([path, 0])
  }
  const { page: desk } = await enter('/problems', { role: 'support', provoked: /403/ })
  await desk.locator('h1').waitFor()
  const links = await desk.getByRole('navigation').first().getByRole('link').allTextContents()
  expect(links.map((text) => text.trim())).toEqual([
    'Overview',
    'Subscriptions',
    'Signature sessions',
    'Authentications',
    'Failed calls',
  ])
  await desk.goto(`${origin}/bio-subjects`)
  await said(desk, 'Your role does not allow this.')
})
