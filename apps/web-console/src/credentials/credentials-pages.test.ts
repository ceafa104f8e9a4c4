// The helpers of the service's own tests: the pages are tried against the real thing.
import { expect, test } from 'vitest'
import {
  instituteOf,
  organizationAt,
  PASSWORD,
  personOf,
  sharedPlatform,
} from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import { itemsAt } from '../../../../services/credential-platform/test/test-support/items.ts'
import { clock, fileOf, pki, signingSettings } from '../../../../services/credential-platform/test/test-support/pki.ts'
import { closedDocumentation, registrar } from '../../../../services/credential-platform/test/test-support/registry.ts'
import {
  sampleCourse,
  sampleFlow,
  sampleInstitute,
  sampleTemplate,
} from '../../../../services/credential-platform/test/test-support/samples.ts'
import { partnersAt } from '../../../../services/credential-platform/test/test-support/two-institutes.ts'
import { axeFindings, cutTables, namelessControls, overlappingCells } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { credentialPages } from '../../test/credentials-world.ts'

const pagesOf = credentialPages()
const platform = sharedPlatform('SQLite', signingSettings, clock)

const inDialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInDialog = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** A label, with the mark of a field that must be filled. */
const labelled = (text: string) => new RegExp(`^${text}( \\*)?$`)

async function fillAddress(page: Page, place: ReturnType<Page['locator']>): Promise<void> {
  await place.getByLabel('Logradouro').fill('Avenida das Acácias')
  await place.getByLabel('Bairro').fill('Centro')
  await place.getByLabel('CEP').fill('88010-000')
  await place.getByLabel('Município').fill('Florianópolis')
  await place.getByLabel('UF').selectOption('SC')
  await place.getByLabel('Código IBGE').fill('4205407')
  await expect.poll(() => page.getByLabel('CEP').first().inputValue()).toBe('88010-000')
}

test('an Administrador signs in, makes an institution, sets its webhook up and invites a person, who comes in', async () => {
  const world = platform()
  const { organization, visit } = await pagesOf(world)
  const { email } = await personOf(world, organization, 'Administrador')
  const page = await visit('/institutes/new', { locale: 'pt-BR', provoked: /401|400|404|422/ })
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel(labelled('Senha')).fill(PASSWORD)
  await press(page, 'Entrar')
  await page.getByRole('heading', { name: 'Nova instituição', level: 1 }).waitFor()

  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  await panel('Identificação').getByLabel('Nome').fill('Universidade Santa Clara')
  await panel('Identificação').getByLabel('Código e-MEC').fill('1234')
  await panel('Identificação').getByLabel('CNPJ').fill('11.444.777/0001-62')
  await panel('Identificação').getByLabel('Endereço público').fill('https://diplomas.example.edu.br/verificar')
  await fillAddress(page, panel('Onde fica'))
  const accreditation = page.getByRole('group', { name: 'Credenciamento', exact: true })
  await accreditation.getByLabel('Tipo do ato').selectOption('Decreto')
  await accreditation.getByLabel(labelled('Número')).fill('1234')
  await accreditation.getByLabel(labelled('Data')).fill('1990-05-21')
  await press(page, 'Salvar')
  // Every wrong field at once, by the way to it.
  await said(page, 'tem dígitos verificadores errados')
  await said(page, 'é obrigatória para uma registradora')
  await panel('Identificação').getByLabel('CNPJ').fill('11.444.777/0001-61')
  await panel('Mantenedora').getByLabel('Razão social').fill('Fundação Santa Clara')
  await panel('Mantenedora').getByLabel('CNPJ').fill('11.444.777/0001-61')
  await fillAddress(page, panel('Mantenedora'))
  await press(page, 'Salvar')
  await page.getByRole('heading', { name: 'Universidade Santa Clara', level: 1 }).waitFor()
  const [made] = (await organization.json('GET', '/api/institutes')).body.items
  expect(made).toMatchObject({
    code: '1234',
    cnpj: '11444777000161',
    data: { endereco: { cep: '88010000', uf: 'SC' } },
  })

  const hook = panel('Webhook da instituição')
  await hook.getByLabel('Habilitar webhooks').check({ force: true })
  await hook.getByLabel('Autenticação').selectOption('Bearer')
  await hook.getByRole('button', { name: 'Salvar' }).click()
  await said(page, 'é obrigatória enquanto os webhooks estão habilitados')
  await hook.getByLabel('URL').fill('https://erp.example.edu.br/avisos')
  await hook.getByLabel(labelled('Token')).fill('segredo-1')
  await hook.getByRole('button', { name: 'Salvar' }).click()
  await said(page, 'O webhook foi salvo.')
  await expect.poll(() => hook.getByLabel(labelled('Token')).inputValue()).toBe('')
  expect((await organization.json('GET', `/api/institutes/${made.id}/integrations`)).body).toEqual({
    enabled: true,
    url: 'https://erp.example.edu.br/avisos',
    authType: 'Bearer',
    hasToken: true,
    shouldUseSubscriptionWebhookSettings: false,
  })

  await page.getByRole('link', { name: 'Organização' }).click()
  await press(page, 'Convidar uma pessoa')
  await inDialog(page).getByLabel('Nome').fill('Bruno Lima')
  await inDialog(page).getByLabel('E-mail').fill('bruno@example.com')
  await pressInDialog(page, 'Convidar')
  await inDialog(page).getByText('Entregue este link somente a').waitFor()
  const link = new URL((await inDialog(page).locator('code').textContent())!)
  await pressInDialog(page, 'Já guardei')
  await page
    .getByRole('row', { name: /Bruno Lima/ })
    .getByText('Convidado')
    .waitFor()

  const guest = await visit(link.pathname + link.search, { locale: 'pt-BR', provoked: /401|403/ })
  await guest.getByLabel(labelled('Senha')).fill('curta')
  await press(guest, 'Aceitar o convite')
  await said(guest, 'A senha tem menos de 12 caracteres.')
  await guest.getByLabel(labelled('Senha')).fill('outra senha bem comprida')
  await press(guest, 'Aceitar o convite')
  await guest.getByRole('link', { name: 'Universidade Santa Clara' }).waitFor()
  await guest.getByText('(Gerente)').waitFor()
})

test('a Gerente sees nothing that only an Administrador may do, and works with courses and templates', async () => {
  const world = platform()
  const { organization, enter } = await pagesOf(world)
  const institute = await instituteOf(organization)
  const flow = (await organization.json('POST', '/api/flows', sampleFlow())).body
  const { page } = await enter('/institutes', 'Gerente', { locale: 'pt-BR', provoked: /401|404/ })
  const absent = async (...names: string[]) => {
    for (const name of names)
      expect(await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count(), name).toBe(0)
  }
  await page.getByRole('link', { name: 'Universidade Santa Clara' }).click()
  await page.getByText(institute.id).waitFor()
  await absent('Excluir', 'Salvar', 'Nova instituição')
  expect(await page.getByText('Habilitar webhooks').count()).toBe(0)
  await page.getByRole('link', { name: 'Organização' }).click()
  await page
    .getByRole('row', { name: /Ana Souza/ })
    .first()
    .waitFor()
  await absent('Convidar uma pessoa', 'Nova aplicação', 'Enviar um teste', 'Remover')
  await page.getByRole('link', { name: 'Fluxos de assinatura' }).click()
  await page.getByRole('link', { name: flow.name }).click()
  await said(page, 'Somente um administrador altera isto.')
  expect(await page.getByLabel('Nome').first().isDisabled()).toBe(true)
  await absent('Salvar', 'Excluir')

  await page.getByRole('link', { name: 'Modelos' }).click()
  await page.getByRole('link', { name: 'Novo modelo' }).first().click()
  await page.getByLabel('Nome').fill('Diploma de graduação')
  await page.getByLabel('Conteúdo').fill('{ "title": ')
  await press(page, 'Salvar')
  await said(page, 'Isto não é um objeto JSON.')
  const { content } = sampleTemplate()
  await page.getByLabel('Conteúdo').fill(JSON.stringify(content))
  await press(page, 'Salvar')
  await page.getByRole('heading', { name: 'Diploma de graduação', level: 1 }).waitFor()
  expect((await organization.json('GET', '/api/templates')).body.items[0].content).toEqual(content)
})

test('an organization has keys, a webhook and partners; a person of two organizations works for one at a time', async () => {
  const world = platform()
  const { organization, enter } = await pagesOf(world)
  const other = await organizationAt(world)
  const [issuer, registrar] = [
    await instituteOf(organization, { kind: 'Issuer', name: 'Faculdade Emissora' }),
    await instituteOf(other, { kind: 'Registrar', name: 'Universidade Registradora' }),
  ]
  const { page, person } = await enter('/partnerships', 'Administrador', { locale: 'en-US' })
  await press(page, 'Propose a partnership')
  await inDialog(page).getByLabel('Own institution').selectOption(issuer.id)
  await inDialog(page).getByLabel('Id of the other institution').fill(registrar.id)
  await pressInDialog(page, 'Propose')
  await page
    .getByRole('row', { name: /Faculdade Emissora/ })
    .getByText('Proposed')
    .waitFor()
  expect(await page.getByRole('button', { name: /^Accept/ }).count()).toBe(0)

  await page.getByRole('link', { name: 'Organization', exact: true }).click()
  await press(page, 'New application')
  await inDialog(page).getByLabel('Name').fill(`ERP ${issuer.id}`)
  await pressInDialog(page, 'Save')
  await press(page, `New key: ERP ${issuer.id}`)
  await inDialog(page).getByLabel('Description').fill('production')
  await pressInDialog(page, 'New key')
  await said(page, 'It is shown this once.')
  const key = (await inDialog(page).locator('code').textContent())!
  await pressInDialog(page, 'I have kept it')
  const calls = async () => (await fetch(`${world.baseUrl}/api/courses`, { headers: { 'X-Api-Key': key } })).status
  expect(await calls()).toBe(200)
  await press(page, 'Revoke production')
  await pressInDialog(page, 'Revoke')
  // Out of the way, and still there.
  await page.getByRole('row', { name: /production/ }).waitFor({ state: 'detached' })
  await page.getByLabel('Also show 1 key that was revoked or has expired').check()
  await page
    .getByRole('row', { name: /production/ })
    .getByText('Revoked')
    .waitFor()
  expect(await calls()).toBe(401)

  const again = await other.operator.json('POST', '/api/users', {
    name: 'Ana Souza',
    email: person.email,
    role: 'Administrador',
  })
  const ticket = new URL(again.body.invitationUrl).searchParams.get('ticket')
  // Without the cookie, as from another device: whoever signs in anew gives up the session of that browser.
  const accepted = await fetch(`${world.baseUrl}/api/session/invitation`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket, password: PASSWORD }),
  })
  expect(accepted.status).toBe(200)
  await page.reload()
  await page.getByLabel('Acting for').selectOption(other.subscriptionId)
  await page.getByRole('link', { name: 'Universidade Registradora' }).waitFor()
  expect(await page.getByText('Faculdade Emissora').count()).toBe(0)
  await page.getByRole('link', { name: 'Partnerships' }).click()
  await page.getByRole('button', { name: /^Accept/ }).click()
  await page
    .getByRole('row', { name: /Faculdade Emissora/ })
    .getByText('Active')
    .waitFor()
})

test('a request is taken in, approved by a second person, registered in the book and signed in the browser', async () => {
  const world = platform()
  const { enter } = await pagesOf(world)
  const { university } = await partnersAt(world)
  const documentation = await closedDocumentation()
  const first = await enter('/registrations', 'Gerente', { locale: 'pt-BR', provoked: /401|404|409|422/ }, university)
  await press(first.page, 'Receber um pedido')
  await inDialog(first.page).getByLabel('Registradora').selectOption(registrar.name)
  const take = async (buffer: Buffer) => {
    const file = { name: 'documentacao.xml', mimeType: 'application/xml', buffer }
    await inDialog(first.page).getByLabel('XML da documentação acadêmica').setInputFiles(file)
    await pressInDialog(first.page, 'Conferir e receber')
  }
  await take(Buffer.from('<x/>'))
  await inDialog(first.page).getByRole('alert').getByText('O documento não pode ser aceito.').waitFor()
  await take(documentation)
  await said(first.page, 'O pedido foi recebido.')
  await press(first.page, 'Aceitar')
  await pressInDialog(first.page, 'Aceitar')
  await press(first.page, 'Aprovar')
  await pressInDialog(first.page, 'Aprovar')
  await inDialog(first.page).getByText('Outra pessoa precisa fazer isto').waitFor()

  const path = new URL(first.page.url()).pathname
  const { page } = await enter(path, 'Gerente', { locale: 'pt-BR', provoked: /400|401|404|422/ }, university)
  await press(page, 'Aprovar')
  await pressInDialog(page, 'Aprovar')
  const book = page.getByRole('region', { name: 'Registrar o diploma' })
  await book.getByLabel(labelled('Livro')).fill('L-2026/3')
  await book.getByLabel('Folha').fill('12')
  await book.getByLabel('Sequência').fill('1')
  await book.getByLabel('Colação de grau').fill('2026-07-10')
  await book.getByLabel('Expedição do diploma').fill('2026-08-03')
  await book.getByLabel('Registro do diploma').fill('2026-08-20')
  await book.getByRole('button', { name: 'Registrar' }).click()
  // What is missing, by the way to it.
  await said(page, 'Livro de registro › Responsável pelo registro')
  await book.getByLabel('Nome').fill('Antônia Ferreira')
  await book.getByLabel('CPF').fill('390.533.447-05')
  await book.getByRole('button', { name: 'Registrar' }).click()
  await said(page, 'Registrado, a assinar')

  const clerk = fileOf(pki.certificate('helena-prado'))
  await press(page, 'Assinar com certificado')
  const key = { name: 'chave.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.from(clerk.content, 'base64') }
  await inDialog(page).getByLabel('Arquivo do certificado').setInputFiles(key)
  await inDialog(page).getByLabel('Senha do arquivo').first().fill(clerk.password)
  await pressInDialog(page, 'Abrir o certificado')
  await pressInDialog(page, 'Assinar')
  // The institution signs by itself with its stored certificate, and the page learns of it.
  await said(page, 'Assinado.')
  await page.getByRole('main').locator('header').getByText('Assinado', { exact: true }).waitFor()
  await shot(page, 'registration')
  expect(await page.getByRole('button', { name: 'Anular' }).count()).toBe(0)
  const saved = page.waitForEvent('download')
  await press(page, 'Diploma (XML)')
  expect((await saved).suggestedFilename()).toMatch(/\.xml$/)
})

test('a degree is found, suspended, restored and annulled for one of the six reasons, by Administradores alone and by two', async () => {
  const world = platform()
  const { organization, enter } = await pagesOf(world)
  const { id: instituteId } = await instituteOf(organization)
  const items = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId })
  const verification_code = `1.2.${crypto.randomUUID()}`
  const row = { status: 'Concluded', verification_code, registrar_institute_id: instituteId }
  const id = await items.create('Degree', row, true)
  const { page } = await enter('/degrees?status=Concluded', 'Administrador', { locale: 'pt-BR' })
  await page.getByRole('link', { name: 'Ana Beatriz Souza' }).click()
  const move = async (name: string, state: string) => {
    await press(page, name)
    await inDialog(page).getByLabel('Motivo', { exact: false }).last().fill(`motivo de ${name}`)
    await pressInDialog(page, name)
    await page.getByRole('main').locator('header').getByText(state, { exact: true }).waitFor()
  }
  await move('Suspender', 'Suspenso')
  await organization.json('POST', `/api/degrees/${id}/restoration`, { reason: 'Apurado' })
  await move('Restaurar', 'Concluído')
  const gerente = await enter(`/degrees/${id}`, 'Gerente', { locale: 'pt-BR' })
  await gerente.page.getByRole('button', { name: 'Suspender' }).waitFor()
  expect(await gerente.page.getByRole('button', { name: 'Anular' }).count()).toBe(0)
  await press(page, 'Anular')
  await inDialog(page).getByLabel('Motivo da anulação').selectOption('Decisão judicial')
  await inDialog(page).getByLabel(labelled('Motivo')).fill('Processo 1234')
  await pressInDialog(page, 'Anular')
  await said(page, 'Proposto; outra pessoa precisa confirmar. Situação: Concluído.')
  const confirmed = { reason: 'Processo 1234', cancellationReason: 'DecisaoJudicial' }
  expect((await organization.json('POST', `/api/degrees/${id}/cancellation`, confirmed)).status).toBe(200)
  await page.reload()
  await page.getByRole('main').locator('header').getByText('Cancelado', { exact: true }).waitFor()
  const { body } = await organization.json('GET', `/api/degrees/${id}`)
  expect(body).toMatchObject({ status: 'Canceled', cancellationReason: 'DecisaoJudicial', reason: 'Processo 1234' })
})

test.each([
  [360, 'pt-BR', 'dark'],
  [1280, 'en-US', 'light'],
] as const)(
  'at %d pixels in %s, %s, no page hangs over the edge, everything to press has a name, and axe finds nothing',
  async (width, locale, colorScheme) => {
    const world = platform()
    const { organization, origin, enter } = await pagesOf(world)
    const { page } = await enter('/institutes', 'Administrador', {
      locale,
      colorScheme,
      viewport: { width, height: 900 },
      provoked: /401|404/,
    })
    const name = 'Centro Universitário de Tecnologia e Ciências Humanas do Planalto Catarinense'
    const { id } = await instituteOf(organization, { name })
    await organization.json('POST', '/api/institutes', sampleInstitute({ name: 'Faculdade São José', kind: 'Issuer' }))
    const course = (await organization.json('POST', '/api/courses', sampleCourse(id))).body
    const flow = (await organization.json('POST', '/api/flows', sampleFlow())).body
    const template = (await organization.json('POST', '/api/templates', sampleTemplate())).body
    const outside = await instituteOf(await organizationAt(world), { kind: 'Issuer' })
    await organization.json('POST', '/api/partnerships', { issuerInstituteId: outside.id, registrarInstituteId: id })
    await organization.operator.json('POST', '/api/users', {
      name: 'Bruno',
      email: `${id}@example.com`,
      role: 'Gerente',
    })
    const pages = [
      '/signatures',
      '/degrees',
      '/emissions',
      '/registrations',
      '/curriculums/new',
      '/academic-transcripts',
      '/batches',
      '/batches/new',
      '/institutes',
      '/institutes/new',
      `/institutes/${id}`,
      '/partnerships',
      '/courses',
      '/courses/new',
    ]
    const setup = [`/courses/${course.id}`, '/flows', `/flows/${flow.id}`, '/templates', `/templates/${template.id}`]
    for (const path of [...pages, ...setup, '/organization', '/events', '/account', '/institutes/none']) {
      await page.goto(`${origin}${path}`)
      await page.locator('h1').waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
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

/** Pictures for whoever wants to look: `CHANCELA_SHOTS=<folder>`. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.CHANCELA_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
