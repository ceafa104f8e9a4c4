// Documents are made by typing, in Chromium before the real service: nobody writes JSON.
import { expect, test, vi } from 'vitest'
import { sharedPlatform } from '../../../../services/credential-platform/test/test-support/credential-world.ts'
import {
  dean,
  documentOf,
  signAs,
  storeCertificate,
} from '../../../../services/credential-platform/test/test-support/issuing.ts'
import { itemsAt } from '../../../../services/credential-platform/test/test-support/items.ts'
import { clock, signingSettings } from '../../../../services/credential-platform/test/test-support/pki.ts'
import { sampleCourse, sampleInstitute } from '../../../../services/credential-platform/test/test-support/samples.ts'
import { axeFindings, namelessControls } from '../../test/accessibility.ts'
import type { Page } from '../../test/bundle-pages.ts'
import { credentialPages } from '../../test/credentials-world.ts'

const pagesOf = credentialPages()
const platform = sharedPlatform('SQLite', signingSettings, clock)

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** An organization with an institution, its certificate and a course. */
async function school() {
  const world = platform()
  const pages = await pagesOf(world)
  const { json } = pages.organization
  const institute = (await json('POST', '/api/institutes', sampleInstitute())).body
  await storeCertificate(pages.organization, institute.id)
  const course = (await json('POST', '/api/courses', sampleCourse(institute.id))).body
  return { ...pages, world, institute, course }
}

/** Types into fields by the path of what they send. */
async function type(page: Page, prefix: string, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, value] of Object.entries(values)) {
    const field = page.locator(`[id="field-${prefix}${path}"]`)
    await field.waitFor()
    if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

/** Chooses an option of a choice by the name that it has on the page. */
const choose = (page: Page, place: string, label: string, option: string) =>
  page.locator(`[id="field-${place}"]`).getByLabel(label, { exact: false }).first().selectOption({ label: option })

/** The buttons inside of a part that repeats. */
const add = (page: Page, path: string, what: string) =>
  page
    .locator(`[id="field-${path}"]`)
    .getByRole('button', { name: `Adicionar: ${what}`, exact: true })
    .last()
    .click()

async function chooseWho(page: Page, { institute, course }: Awaited<ReturnType<typeof school>>) {
  await type(page, '', { instituteId: institute.id, courseId: course.id })
  await panel(page, 'Preenchido pela plataforma').getByText(course.emecCode).waitFor()
}

async function typeCurriculum(page: Page, units: number): Promise<void> {
  await type(page, 'data.', {
    codigoCurriculo: 'PED-2026',
    dataCurriculo: '2026-02-01',
    minutosRelogioDaHoraAula: '50',
  })
  await add(page, 'data.infEtiquetas', 'Etiqueta')
  await type(page, 'data.infEtiquetas.etiqueta.0.', { codigo: 'OB', nome: 'Obrigatória' })
  for (let at = 0; at < units; at++) {
    await add(page, 'data.infEstruturaCurricular', 'Unidade curricular')
    await type(page, `data.infEstruturaCurricular.unidadeCurricular.${at}.`, {
      tipo: 'Disciplina',
      codigo: `PED${at + 1}`,
      nome: `Didática ${at + 1}`,
      cargaHorariaEmHoraRelogio: '60,5',
    })
  }
  await add(page, 'data.infCriteriosIntegralizacao', 'Critério por rótulos')
  const criterion = 'data.infCriteriosIntegralizacao.0.criterioIntegralizacaoRotulos.'
  await type(page, criterion, {
    codigo: 'C1',
    'cargasHorariasCriterio.cargaHorariaMinima': '100',
    'cargasHorariasCriterio.cargaHorariaMaxima': '3200',
  })
}

const student = {
  id: '2022-17',
  nome: 'Ana Beatriz Souza',
  sexo: 'F',
  nacionalidade: 'Brasileira',
  'naturalidade.codigoMunicipio': '4205407',
  'naturalidade.nomeMunicipio': 'Florianópolis',
  'naturalidade.uf': 'SC',
  cpf: '529.982.247-25',
  'rg.numero': '1234567',
  'rg.uf': 'SC',
  dataNascimento: '2001-04-30',
}

/** The transcript inside of a document, with the units of the curriculum. */
async function typeTranscript(page: Page, at: string): Promise<void> {
  await page.getByLabel('Currículo concluído').selectOption({ label: 'PED-2026 · Pedagogia' })
  await press(page, 'Trazer as unidades')
  await page.getByText('2 unidades trazidas.').first().waitFor()
  for (const unit of [0, 1]) {
    await press(page, new RegExp(`^Editar: Disciplina ${unit + 1} `))
    const place = `${at}.elementosHistorico.${unit}.disciplina`
    await type(page, `${place}.`, { periodoLetivo: '2026/1' })
    await choose(page, `${at}.elementosHistorico`, 'Avaliação', 'Nota')
    await type(page, `${place}.`, { nota: '9,5' })
    await choose(page, `${at}.elementosHistorico`, 'Resultado', 'Aprovado')
    await press(page, /^Editar: Docente 1/)
    await type(page, `${place}.docentes.docente.0.`, { nome: 'Paulo Freitas', titulacao: 'Doutorado' })
  }
  await type(page, `${at}.`, { dataEmissaoHistorico: '2026-08-01', horaEmissaoHistorico: '10:30' })
  await choose(page, `${at}.situacaoAtualDiscente`, 'Situação', 'Formado')
  await type(page, `${at}.situacaoAtualDiscente.formado.`, {
    dataConclusaoCurso: '2026-06-30',
    dataColacaoGrau: '2026-07-10',
    dataExpedicaoDiploma: '2026-08-03',
  })
  for (const hours of ['cargaHorariaCursoIntegralizada', 'cargaHorariaCurso']) {
    await choose(page, `${at}.${hours}`, 'Medida', 'Hora-relógio')
    await type(page, `${at}.${hours}.`, { horaRelogio: '3200' })
  }
  await type(page, `${at}.ingressoCurso.`, { data: '2022-02-01', formaAcesso: 'Enem' })
}

const made = async (page: Page, heading: string) => {
  await press(page, 'Criar e enviar para assinatura')
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  return new URL(page.url()).pathname
}

test('a curriculum, a transcript with its units, and a degree are made by typing; what is wrong is seen and mended', async () => {
  const all = await school()
  const { organization, enter, world } = all
  const { page } = await enter('/curriculums/new', 'Gerente', { locale: 'pt-BR', provoked: /401|404|422/ })
  await chooseWho(page, all)
  await typeCurriculum(page, 2)
  // The second unit is wrong, and closed: the summary leads into it.
  await type(page, 'data.infEstruturaCurricular.unidadeCurricular.1.', { cargaHorariaEmHoraRelogio: 'muitas' })
  await press(page, /^Fechar: Unidade curricular 2/)
  await press(page, 'Conferir')
  await page.getByRole('heading', { name: 'Há um ponto a corrigir' }).waitFor()
  await press(page, 'Estrutura curricular › Unidade curricular 2 › Carga horária em hora-relógio')
  const wrong = page.locator('[id="field-data.infEstruturaCurricular.unidadeCurricular.1.cargaHorariaEmHoraRelogio"]')
  await expect.poll(() => wrong.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await page.getByText('O que se espera: número a partir de 0').count()).toBeGreaterThan(0)
  await shot(page, 'curriculum-wrong')
  await wrong.fill('60,5')
  await press(page, 'Conferir')
  await page.getByText('Tudo certo. Nada foi criado ainda.').first().waitFor()
  expect((await organization.json('GET', '/api/curriculums')).body.totalCount).toBe(0)
  const curriculum = await made(page, 'PED-2026')
  const id = curriculum.split('/').at(-1)!
  const data = (await organization.json('GET', `/api/curriculums/${id}/data`)).body.data
  expect(data.infEstruturaCurricular.unidadeCurricular[1]).toMatchObject({ cargaHorariaEmHoraRelogio: '60.5' })
  await signAs(organization, (await documentOf(organization, id)).id, dean())
  await vi.waitUntil(async () => (await organization.json('GET', `/api${curriculum}`)).body.status === 'Concluded')

  await page.goto(new URL('/academic-transcripts/new', page.url()).href)
  await page.getByLabel('Tipo de documento').selectOption('Final')
  await chooseWho(page, all)
  await type(page, 'data.aluno.', student)
  await typeTranscript(page, 'data.historicoEscolar')
  await shot(page, 'transcript')
  await made(page, 'Ana Beatriz Souza')

  await page.goto(new URL('/degrees/new', page.url()).href)
  await chooseWho(page, all)
  const request = 'data.registroReq'
  await type(page, `${request}.dadosDiploma.diplomado.`, student)
  await type(page, `${request}.dadosDiploma.`, { dataConclusao: '2026-06-30' })
  await add(page, `${request}.dadosPrivadosDiplomado.filiacao`, 'Genitor')
  await type(page, `${request}.dadosPrivadosDiplomado.filiacao.genitor.0.`, { nome: 'Francisca Souza', sexo: 'F' })
  await typeTranscript(page, `${request}.dadosPrivadosDiplomado.historicoEscolar`)
  await add(page, `${request}.documentacaoComprobatoria`, 'Documento')
  const file = { name: 'rg.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  const evidence = `${request}.documentacaoComprobatoria.documento.0`
  await page.locator(`[id="field-${evidence}.valor"] input`).setInputFiles(file)
  await page.getByText('Arquivo de 15 B').waitFor()
  await type(page, `${evidence}.`, { tipo: 'DocumentoIdentidadeDoAluno' })
  const book = 'registration.livroRegistro'
  await type(page, `${book}.`, {
    livroRegistro: 'L-2026/3',
    numeroRegistro: '17',
    dataColacaoGrau: '2026-07-10',
    dataExpedicaoDiploma: '2026-08-03',
    dataRegistroDiploma: '2026-08-20',
    'responsavelRegistro.nome': 'Antônia Ferreira',
    'responsavelRegistro.cpf': '390.533.447-05',
  })
  await shot(page, 'degree')
  const degree = await made(page, 'Ana Beatriz Souza')
  expect((await organization.json('GET', `/api${degree}`)).body).toMatchObject({
    studentCpf: '52998224725',
    course: 'Pedagogia',
    academicTranscriptCreationError: null,
  })
  expect(world).toBeTruthy()
})

test('a draft outlives a reload, is nobody else’s, and is gone after the sign-out; JSON comes and goes', async () => {
  const { enter, organization, institute } = await school()
  const { page } = await enter('/academic-transcripts/new', 'Gerente', { locale: 'pt-BR', provoked: /401|404|422/ })
  await type(page, '', { instituteId: institute.id })
  await type(page, 'data.aluno.', { nome: 'Ana Beatriz Souza', cpf: '529.982.247-25' })
  const name = page.locator('[id="field-data.aluno.nome"]')
  await expect.poll(() => draftsIn(page)).toMatch(/529\.982/)
  await page.reload()
  await page.getByText('Rascunho de').waitFor()
  expect(await name.inputValue()).toBe('Ana Beatriz Souza')

  await page.getByText('JSON', { exact: true }).click()
  const json = page.getByRole('textbox', { name: 'Dados em JSON' })
  expect(JSON.parse(await json.inputValue())).toMatchObject({ aluno: { cpf: '52998224725' } })
  await json.fill('{ "aluno": { "apelido": "Bia" } }')
  await press(page, 'Levar ao formulário')
  await page.getByText('O formulário não tem: aluno.apelido').waitFor()
  await json.fill('{ "aluno": { "nome": "Bia Souza" } }')
  await press(page, 'Levar ao formulário')
  await expect.poll(() => name.inputValue()).toBe('Bia Souza')

  await page.getByLabel('Tipo de documento').selectOption('Final')
  expect(await name.inputValue()).toBe('Bia Souza')
  await press(page, 'Criar e enviar para assinatura')
  await page.getByRole('heading', { name: /Há \d+ pontos a corrigir/ }).waitFor()
  // Every problem has a name that people know.
  expect(await page.getByRole('main').textContent()).not.toMatch(/data\.[a-z]|historicoEscolar|aluno\.[a-z]/)
  expect((await organization.json('GET', '/api/academic-transcripts')).body.totalCount).toBe(0)
  await press(page, 'Sair')
  await page.getByLabel('E-mail').waitFor()
  expect(await draftsIn(page)).toBe('')
})

/** Everything that the browser keeps of drafts. */
const draftsIn = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('chancela-credential-drafts', 1)
        opening.onerror = () => reject(opening.error)
        opening.onupgradeneeded = () => opening.result.createObjectStore('drafts')
        opening.onsuccess = () => {
          const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
          all.onsuccess = () => {
            opening.result.close()
            resolve(all.result.map((one) => JSON.stringify(one)).join())
          }
        }
      }),
  )

test('a curriculum of 300 units is edited without waiting', async () => {
  const { enter, organization, institute, course } = await school()
  const unit = (at: number) => ({
    tipo: 'Disciplina',
    codigo: `U${at}`,
    nome: `Unidade ${at}`,
    cargaHorariaEmHoraRelogio: '60',
  })
  const data = {
    codigoCurriculo: 'GRANDE',
    dataCurriculo: '2026-02-01',
    minutosRelogioDaHoraAula: '50',
    infEtiquetas: { etiqueta: [{ codigo: 'OB', nome: 'Obrigatória' }] },
    infAreas: {},
    infEstruturaCurricular: { unidadeCurricular: Array.from({ length: 300 }, (_, at) => unit(at)) },
    infCriteriosIntegralizacao: [
      {
        criterioIntegralizacaoRotulos: {
          codigo: 'C1',
          cargasHorariasCriterio: { cargaHorariaMinima: '100', cargaHorariaMaxima: '3200' },
        },
      },
    ],
  }
  const draft = { instituteId: institute.id, courseId: course.id, data }
  const { body } = await organization.json('POST', '/api/curriculums', draft)
  const { page } = await enter(`/curriculums/${body.id}`, 'Gerente', { locale: 'pt-BR', provoked: /401|404|409|422/ })
  await page.getByRole('link', { name: 'Nova versão a partir deste' }).click()
  await page.getByText('300 itens').waitFor()
  // The code is taken: the field says so, before anything is made.
  await press(page, 'Conferir')
  await page.getByRole('button', { name: 'Código do currículo' }).waitFor()
  await press(page, /^Editar: Unidade curricular 300/)
  const name = page.locator('[id="field-data.infEstruturaCurricular.unidadeCurricular.299.nome"]')
  await name.fill('')
  await name.pressSequentially('Seminário integrador de práticas', { delay: 0 })
  await press(page, /^Mover para cima: Unidade curricular 300/)
  await page.getByRole('button', { name: /Unidade curricular 299 .*Seminário integrador/ }).waitFor()
  await type(page, 'data.', { codigoCurriculo: 'GRANDE-2' })
  await made(page, 'GRANDE-2')
})

test('an institution opens at its top; a renewal that failed is tried again; a degree registered elsewhere is checked', async () => {
  const { enter, organization, institute, world, origin } = await school()
  const items = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId: institute.id })
  await items.create('Restamp', { status: 'ApplyingError', error_reason: 'no answer' }, true)
  const emission = await items.create('Emission', { status: 'SentToRegistry' }, true)
  const options = { locale: 'pt-BR', provoked: /401|404|409|422/ } as const
  const { page } = await enter(`/institutes/${institute.id}`, 'Administrador', options)
  await page.getByLabel('Dias entre listas', { exact: false }).waitFor()
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([0, 'BODY'])
  await page.getByRole('link', { name: 'Renovações' }).click()
  await page.getByText('Detalhe técnico').click()
  await page.getByText('no answer').waitFor()
  await press(page, /^Tentar de novo/)
  await page.getByText('Está sendo tentada de novo.').first().waitFor()
  await page.goto(`${origin}/emissions/${emission}`)
  const file = { name: 'diploma.xml', mimeType: 'application/xml', buffer: Buffer.from('<x/>') }
  await page.getByLabel('XML do diploma').setInputFiles(file)
  await press(page, 'Conferir e receber')
  await page.getByRole('alert').first().waitFor()
})

test.each([
  [360, 'pt-BR', 'dark'],
  [1280, 'en-US', 'light'],
] as const)(
  'at %d pixels in %s, %s, no editor hangs over the edge, and axe finds nothing',
  async (width, locale, colorScheme) => {
    const { enter, origin, institute } = await school()
    const options = { locale, colorScheme, viewport: { width, height: 900 }, provoked: /401|404|422/ }
    const { page } = await enter('/degrees', 'Gerente', options)
    for (const path of ['/degrees/new', '/emissions/new', '/academic-transcripts/new', '/curriculums/new']) {
      await page.goto(`${origin}${path}`)
      await page.getByRole('button', { name: /^(Make|Criar) / }).waitFor()
      await type(page, '', { instituteId: institute.id })
      await page
        .getByRole('button', { name: /^(Add|Adicionar): (Tag|Etiqueta|Subject|Disciplina)$/ })
        .first()
        .click()
      await page.getByRole('button', { name: /^(Check|Conferir)$/ }).click()
      await page.getByRole('heading', { name: /(to be mended|a corrigir)$/ }).waitFor()
      await shot(page, `${width}-${path.replaceAll('/', '_')}`)
      expect(await page.evaluate(wideElements), path).toEqual([])
      expect(await namelessControls(page), path).toEqual([])
      expect(await axeFindings(page), path).toEqual([])
    }
  },
)

/** What hangs over the right edge. */
const wideElements = (): string[] =>
  document.documentElement.scrollWidth <= innerWidth
    ? []
    : [...document.querySelectorAll('main *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.outerHTML.slice(0, 120))

/** Pictures for whoever wants to look: `CHANCELA_SHOTS=<folder>`. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.CHANCELA_SHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
