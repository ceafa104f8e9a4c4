// The story of a class: imported by its faculty, signed, registered by a university, verified by a QR code, annulled.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { csvOf, emissionCells, lookNow } from '../../../../services/credential-platform/test/test-support/batches.ts'
import { sharedPlatform } from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import { clock, fileOf, pki, signingSettings } from '../../../../services/credential-platform/test/test-support/pki.ts'
import { issuer, registrar } from '../../../../services/credential-platform/test/test-support/registry.ts'
import {
  partnersAt,
  storeCertificate,
} from '../../../../services/credential-platform/test/test-support/two-institutes.ts'
import { axeFindings, cutTables, namelessControls } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { credentialPages } from '../../test/credentials-world.ts'
import { readQrCode } from '../../test/read-qr-code.ts'

const pagesOf = credentialPages()
const platform = sharedPlatform('SQLite', signingSettings, clock)

const CPF = 'registroReq.dadosDiploma.diplomado.cpf'
const SOCIAL_NAME = 'registroReq.dadosDiploma.diplomado.nomeSocial'
const names = ['Ana Beatriz Souza', 'Bento Farias', 'Clara Nunes Prado', 'Davi Rocha', 'Elisa Teles']

/** The class as a spreadsheet of Brazil writes it, with a CPF that somebody mistyped. */
const classFile = csvOf(
  names.map((name, at) => emissionCells(name, { [SOCIAL_NAME]: '', ...(at === 2 && { [CPF]: '529982247' }) })),
)

const inDialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressInDialog = (page: Page, name: string) => inDialog(page).getByRole('button', { name, exact: true }).click()
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const labelled = (text: string) => new RegExp(`^${text}( \\*)?$`)
const stateIs = (page: Page, state: string) =>
  page.getByRole('main').locator('header').getByText(state, { exact: true }).waitFor()

async function importFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByRole('link', { name: 'Importações' }).first().click()
  await page.getByRole('heading', { name: 'Importações', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Importar um arquivo' }).click()
  await page.getByLabel('Documentos').selectOption('Emissões')
  await page.getByLabel(labelled('Instituição')).selectOption(issuer.name)
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })
  await press(page, 'Importar')
}

async function signInBrowser(page: Page, person: string): Promise<void> {
  const file = fileOf(pki.certificate(person))
  await press(page, 'Assinar com certificado')
  const key = { name: 'chave.p12', mimeType: 'application/x-pkcs12', buffer: Buffer.from(file.content, 'base64') }
  await inDialog(page).getByLabel('Arquivo do certificado').setInputFiles(key)
  await inDialog(page).getByLabel('Senha do arquivo').first().fill(file.password)
  await pressInDialog(page, 'Abrir o certificado')
  await pressInDialog(page, 'Assinar')
  await said(page, 'Assinado.')
}

async function writeBook(page: Page): Promise<void> {
  const book = page.getByRole('region', { name: 'Registrar o diploma' })
  await book.getByLabel(labelled('Livro')).fill('L-2026/3')
  await book.getByLabel('Folha').fill('12')
  await book.getByLabel('Sequência').fill('1')
  await book.getByLabel('Colação de grau').fill('2026-07-10')
  await book.getByLabel('Expedição do diploma').fill('2026-08-03')
  await book.getByLabel('Registro do diploma').fill('2026-08-20')
  await book.getByLabel('Nome').fill('Antônia Ferreira')
  await book.getByLabel('CPF').fill('390.533.447-05')
  await book.getByRole('button', { name: 'Registrar' }).click()
}

async function annul(page: Page): Promise<void> {
  await press(page, 'Anular')
  await inDialog(page).getByLabel('Motivo da anulação').selectOption('Erro de fato')
  await inDialog(page).getByLabel(labelled('Motivo')).fill('Data de colação incorreta')
  await pressInDialog(page, 'Anular')
}

/** Addresses of the institution lead to the service here, as its web server does. */
const PUBLIC = 'https://diplomas.example.edu.br/verificar'
const leadHere = (page: Page, baseUrl: string) =>
  page.route(`${PUBLIC}/**`, async (route) =>
    route.fulfill({ response: await route.fetch({ url: route.request().url().replace(PUBLIC, baseUrl) }) }),
  )

test('a class is imported, corrected, signed, sent, registered by two, verified by its QR code, and annulled by two', async () => {
  const world = platform()
  const { enter } = await pagesOf(world)
  const { faculty, university } = await partnersAt(world)
  await storeCertificate(faculty, issuer)
  const options = { locale: 'pt-BR', provoked: /401|404|409|422/, elsewhere: [PUBLIC] } as const

  const { page } = await enter('/emissions', 'Gerente', options, faculty)
  await importFile(page, 'turma.csv', Buffer.from(`zz;${classFile}`))
  // A column that nobody knows, by its name.
  await page.getByText('zz', { exact: true }).waitFor()
  await shot(page, 'import-refused')
  await importFile(page, 'turma.csv', Buffer.from(classFile))
  await stateIs(page, 'Concluída, com erros')
  const wrong = page.getByRole('table', { name: 'Linhas com erros' }).getByRole('row').nth(1)
  await wrong.getByText(CPF).waitFor()
  expect(await wrong.textContent()).toMatch(/^3/)
  expect(await wrong.textContent()).not.toMatch(/ is | must /)
  expect(await page.evaluate(cutTables)).toBe(0)
  expect(await namelessControls(page)).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  await shot(page, 'import-errors')
  const saved = page.waitForEvent('download')
  await press(page, 'Salvar as linhas com erros')
  const errors = await (await saved).path()
  const corrected = (await readFile(errors, 'utf8')).replace(';529982247;', ';52998224725;')
  await importFile(page, 'corrigida.csv', Buffer.from(corrected))
  await stateIs(page, 'Concluída')
  await shot(page, 'import-done')
  await page.getByRole('link', { name: 'Ver os documentos criados (1)' }).click()
  await page.getByRole('link', { name: names[2]! }).waitFor()
  expect((await faculty.json('GET', '/api/emissions')).body.totalCount).toBe(names.length)
  await page.getByRole('link', { name: names[2]! }).click()

  await signInBrowser(page, 'bruno-lima')
  await stateIs(page, 'Assinado')
  await page.getByLabel(labelled('Registradora')).selectOption(registrar.name)
  await press(page, 'Enviar')
  await stateIs(page, 'Enviado à registradora')
  await shot(page, 'emission-sent')

  const clerk = (await enter('/registrations', 'Gerente', options, university)).page
  await clerk.getByRole('link', { name: names[2]! }).click()
  await press(clerk, 'Aceitar')
  await pressInDialog(clerk, 'Aceitar')
  await stateIs(clerk, 'Aceito')
  const path = new URL(clerk.url()).pathname
  const second = (await enter(path, 'Gerente', options, university)).page
  await press(second, 'Aprovar')
  await pressInDialog(second, 'Aprovar')
  await writeBook(second)
  await stateIs(second, 'Registrado, a assinar')
  await signInBrowser(second, 'helena-prado')
  await stateIs(second, 'Assinado')
  await shot(second, 'registration-signed')

  const degree = async () => (await faculty.json('GET', '/api/degrees')).body.items[0]
  await expect.poll(async () => (await degree())?.status).toBe('Concluded')
  const { id, verificationCode } = await degree()
  const rvdd = await faculty.call('GET', `/api/degrees/${id}/files/rvdd`)
  const address = readQrCode(Buffer.from(await rvdd.arrayBuffer()))
  expect(address).toBe(`${PUBLIC}/${verificationCode}`)
  await leadHere(second, world.baseUrl)
  await second.goto(address!)
  await said(second, names[2]!)
  await shot(second, 'public-valid')
  expect(await second.locator('main, body').first().textContent()).toMatch(/Válido|válido/)

  const list = () => fetch(`${world.baseUrl}/public/${registrar.code}/annulled-degrees.xml`).then((one) => one.text())
  expect(await list()).not.toContain(verificationCode)
  const first = (await enter(path, 'Administrador', options, university)).page
  await annul(first)
  await said(first, /outra pessoa precisa confirmar/)
  await stateIs(first, 'Assinado')
  const other = (await enter(path, 'Administrador', options, university)).page
  await annul(other)
  await stateIs(other, 'Cancelado')
  await shot(other, 'registration-annulled')
  await second.goto(address!)
  await said(second, /[Aa]nulado/)
  await shot(second, 'public-annulled')
  // The list is made at its hour; here nobody waits for it.
  await lookNow(world)
  await expect.poll(list, { interval: 200 }).toContain(verificationCode)
})

/** Pictures for whoever wants to look: `CHANCELA_SHOTS=<folder>`. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.CHANCELA_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
