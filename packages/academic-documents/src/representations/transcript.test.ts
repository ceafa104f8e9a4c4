import { expect, test } from 'vitest'
import type { Discipline, TranscriptData } from './contents/transcript-shapes.ts'
import { sampleTranscript } from './samples/sample-transcript.ts'
import { fontsOf, pageTexts, qrTextOf } from './test-support/judges.ts'
import { brokenClauses } from './test-support/pdf-a-clauses.ts'
import { sampleInput } from './test-support/sample-input.ts'
import { representTranscript } from './transcript.ts'

const transcript = (data: TranscriptData = sampleTranscript) => representTranscript({ ...sampleInput, data })

const withDisciplines = (count: number, change: Partial<Discipline> = {}): TranscriptData => ({
  ...sampleTranscript,
  historicoEscolar: {
    ...sampleTranscript.historicoEscolar,
    elementosHistorico: Array.from({ length: count }, (_, at) => ({
      disciplina: {
        codigoDisciplina: `DISC${String(at).padStart(3, '0')}`,
        nomeDisciplina: `Disciplina de número ${at} com um nome que ocupa mais de uma linha da tabela`,
        periodoLetivo: `${2020 + Math.floor(at / 20)}/${1 + (Math.floor(at / 10) % 2)}`,
        cargaHoraria: [{ horaAula: 60, etiqueta: 'T' }, { horaRelogio: '12.50' }],
        nota: '9.75',
        aprovado: { formaIntegralizacao: 'Cursado' },
        docentes: [{ nome: `Docente ${at}`, titulacao: 'Doutorado' }],
        ...change,
      },
    })),
  },
})

test('a transcript shows student, course, disciplines, teachers, hours, grades, ENADE and situation', async () => {
  const text = (await pageTexts(transcript())).join(' ')
  const said = [
    'Maria da Conceição Araújo Gonçalves',
    'Engenharia de Produção',
    'EP-2019',
    'EP100 Cálculo Diferencial e Integral I 60 h/a 6,00 Aprovado (Cursado) Helena Vasconcelos Prado (Doutorado)',
    'Metalúrgica Serra Azul S.A.: Planejamento e controle da produção 180 h',
    'Congresso: Encontro Nacional de Engenharia de Produção 24 h',
    'Intercâmbio internacional (Universidade do Porto, Portugal)',
    '2025 Concluinte Habilitado',
    'Formado (2025/2)',
    'Sisu',
    '3720 h/a',
    'Código de validação 1234.5678.a1b2c3d4e5f6',
  ]
  for (const part of said) expect(text).toContain(part)
})

test('a transcript is PDF/A with its fonts, the same bytes each time, and a QR code on its last sheet', async () => {
  const pdf = transcript()
  expect(pdf.equals(transcript())).toBe(true)
  expect(await brokenClauses(pdf)).toEqual([])
  for (const font of await fontsOf(pdf)) expect(font).toMatchObject({ isEmbedded: true, isSubset: true })
  expect(await qrTextOf(pdf, (await pageTexts(pdf)).length)).toBe(sampleInput.url)
})

test('120 disciplines go over several sheets, each with the headings, none lost and none twice', async () => {
  const pages = await pageTexts(transcript(withDisciplines(120)))
  expect(pages.length).toBeGreaterThan(3)
  const withRows = pages.filter((page) => /DISC\d/.test(page))
  for (const page of withRows) expect(page).toContain('Código Unidade curricular Carga horária Nota Situação Docentes')
  for (const page of withRows.slice(1)) expect(page).toContain('(continuação)')
  const codes = pages.flatMap((page) => page.match(/DISC\d{3}/g) ?? [])
  expect(codes).toEqual(Array.from({ length: 120 }, (_, at) => `DISC${String(at).padStart(3, '0')}`))
  for (const [at, page] of pages.entries()) expect(page).toContain(`página ${at + 1} de ${pages.length}`)
})

test('every outcome and every kind of grade has its words', async () => {
  const outcomes: Partial<Discipline>[] = [
    { aprovado: undefined as never, reprovado: {}, nota: '3.10' },
    { aprovado: undefined as never, pendente: {}, nota: undefined as never, conceito: 'A+' },
    { aprovado: { outraFormaIntegralizacao: 'Notório saber' }, nota: undefined as never, notaAteCem: '87.5' },
  ]
  const texts = await Promise.all(
    outcomes.map(async (one) => (await pageTexts(transcript(withDisciplines(1, one)))).join(' ')),
  )
  expect(texts[0]).toContain('3,10 Reprovado')
  expect(texts[1]).toContain('A+ Pendente')
  expect(texts[2]).toContain('87,5 Aprovado (Notório saber)')
})

test('additional information longer than a sheet goes on on the next', async () => {
  const long = Array.from({ length: 900 }, (_, at) => `palavra${at}`).join(' ')
  const pages = await pageTexts(transcript({ ...sampleTranscript, informacoesAdicionais: long.repeat(2) }))
  expect(pages.join(' ').match(/palavra\d+/g)).toHaveLength(1800)
})
