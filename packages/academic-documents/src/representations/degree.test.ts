import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DegreeData, Person } from './contents/shapes.ts'
import { representDegree } from './degree.ts'
import { sampleDegree } from './samples/sample-degree.ts'
import { defaultDegreeTemplate } from './templates/default-degree.ts'
import { fontsOf, informationOf, pageTexts, qrTextOf } from './test-support/judges.ts'
import { brokenClauses } from './test-support/pdf-a-clauses.ts'
import { sampleInput } from './test-support/sample-input.ts'

const degree = (data: DegreeData = sampleDegree, more: Partial<Parameters<typeof representDegree>[0]> = {}) =>
  representDegree({ ...sampleInput, data, ...more })

const withPerson = (change: Partial<Person>): DegreeData => ({
  ...sampleDegree,
  dadosDiploma: { ...sampleDegree.dadosDiploma, diplomado: { ...sampleDegree.dadosDiploma.diplomado, ...change } },
})

test('a degree is two sheets of A4 across, with title, author and date of its own', async () => {
  const information = await informationOf(degree())
  expect(information.get('Pages')).toBe('2')
  expect(information.get('Page size')).toMatch(/^841\.89 x 595\.2\d+ pts \(A4\)/)
  expect(information.get('PDF version')).toBe('1.4')
  expect(information.get('Title')).toBe('Diploma – Maria da Conceição Araújo Gonçalves')
  expect(information.get('Author')).toBe('Universidade Federal de Santa Aurora')
  expect(information.get('CreationDate')).toBe('2026-03-05T12:30:15Z')
})

test('every font is in the file, with only the letters that are shown', async () => {
  const fonts = await fontsOf(degree())
  expect(fonts.length).toBeGreaterThan(3)
  for (const font of fonts) expect(font).toMatchObject({ isEmbedded: true, isSubset: true, hasUnicode: true })
})

test('a degree breaks no clause of PDF/A-1b that we know how to check', async () => {
  expect(await brokenClauses(degree())).toEqual([])
})

test('the same input is the same file, byte by byte', () => {
  expect(degree().equals(degree())).toBe(true)
  expect(degree().equals(degree(withPerson({ nome: 'Outra Pessoa' })))).toBe(false)
})

test('the front says what the XML says, and the validation code', async () => {
  const [front] = await pageTexts(degree())
  const said = [
    'Universidade Federal de Santa Aurora',
    'conclusão, em 12 de dezembro de 2025, do curso de Engenharia de Produção',
    'colação de grau em 30 de janeiro de 2026',
    'confere o título de Bacharela a',
    'Maria da Conceição Araújo Gonçalves',
    'natural de Belo Horizonte – MG, nascida em 1º de março de 1999',
    'portadora de Cédula de Identidade nº MG12345678 – SSP/MG',
    '20 de fevereiro de 2026.',
    'Ana Lúcia de Magalhães Brandão',
    'Código de validação 1234.5678.a1b2c3d4e5f6',
  ]
  for (const text of said) expect(front).toContain(text)
  expect(front).not.toContain('{{')
})

test('the back has the registration, and a QR code of the address that a camera reads', async () => {
  const pdf = degree()
  const [, back] = await pageTexts(pdf)
  for (const text of [
    'ENG-12',
    '87',
    '1043',
    '23072.004567/2026-11',
    '05/03/2026',
    'João Batista Peçanha',
    '***.456.789-**',
    'Portaria nº 456, de 01/06/2010, DOU de 02/06/2010, seção 1, p. 33',
    'Processo e-MEC nº 202012345',
  ])
    expect(back).toContain(text)
  expect(back).not.toContain('123.456.789-09')
  expect(await qrTextOf(pdf, 2)).toBe(sampleInput.url)
  expect(await qrTextOf(pdf, 1)).toBeUndefined()
})

test('a social name is the one on the front; the civil name stands on the back', async () => {
  const [front, back] = await pageTexts(degree(withPerson({ nome: 'José da Silva', nomeSocial: 'Joana da Silva' })))
  expect(front).toContain('Joana da Silva')
  expect(front).not.toContain('José da Silva')
  expect(back).toContain('Nome civil José da Silva')
})

test('characters that cannot be seen neither break a line nor spoil the metadata', async () => {
  const pdf = degree(withPerson({ nome: 'Ana\u0000\u202E\u2028Maria\tda\nSilva' }), {
    signatories: [{ name: 'Rui\u0007 Barbosa', role: 'Reitor\u200B' }],
  })
  const [front] = await pageTexts(pdf)
  expect(front).toContain('Ana Maria da Silva')
  expect(front).toContain('Rui Barbosa Reitor')
  expect((await informationOf(pdf)).get('Title')).toBe('Diploma – Ana Maria da Silva')
  expect(await brokenClauses(pdf)).toEqual([])
})

const names: Readonly<Record<string, string>> = {
  short: 'Ana Sá',
  long: 'Maria Antonieta Wanderley Cavalcanti de Albuquerque Montenegro Figueiredo Vasconcelos Bittencourt da Conceição e Orléans e Bragança Sobrinha',
  'without blanks': `Abcdefghij${'klmnopqrstuvwxyz'.repeat(8)}`,
  'of other alphabets of Latin': 'Łukasz Żółć Škvorecký ŉǅ Ƣ Đorđe Ğül Ỳ'.replace('Ỳ', 'Ÿ'),
  'with marks of the template': 'João *do* {{codigo}} **Santos** \\ & <b>',
}

for (const [kind, nome] of Object.entries(names))
  test(`a name that is ${kind} fits and stays itself`, async () => {
    const [front] = await pageTexts(degree(withPerson({ nome })))
    expect(front!.replaceAll(' ', '')).toContain(nome.normalize('NFC').replaceAll(' ', ''))
  })

test('a degree without any optional part says nothing in its place', async () => {
  const { diplomado, iesEmissora } = sampleDegree.dadosDiploma
  const bare = { nome: iesEmissora.nome, codigoMEC: iesEmissora.codigoMEC }
  const pdf = degree(
    {
      dadosDiploma: { diplomado: { nome: diplomado.nome }, dadosCurso: { nomeCurso: 'Direito' }, iesEmissora: bare },
      dadosRegistro: { iesRegistradora: bare, livroRegistro: {} },
    },
    { signatories: [] },
  )
  const [front, back] = await pageTexts(pdf)
  expect(front).toContain('tendo em vista a conclusão do curso de Direito')
  for (const page of [front, back]) expect(page).not.toMatch(/undefined|null|NaN|, ,|\{\{/)
  expect(back).not.toContain('Habilitações')
  expect(await brokenClauses(pdf)).toEqual([])
})

test('a degree by decision of a court names the process', async () => {
  const [, back] = await pageTexts(
    degree({
      ...sampleDegree,
      dadosRegistro: {
        ...sampleDegree.dadosRegistro,
        informacoesProcessoJudicial: {
          numeroProcessoJudicial: '0001234-56.2025.4.01.3800',
          nomeJuiz: 'Rita de Cássia Lobo',
          decisao: 'Determina a expedição do diploma.',
        },
        informacoesAdicionais: 'Apostila: '.concat('texto corrido de uma apostila longa, '.repeat(20)),
      },
    }),
  )
  expect(back).toContain('0001234-56.2025.4.01.3800')
  expect(back).toContain('Rita de Cássia Lobo')
  expect(back).toContain('Apostila: texto corrido')
})

test('a preview says on each page that it is none, and is PDF/A all the same', async () => {
  const pdf = degree(sampleDegree, { isPreview: true })
  for (const page of await pageTexts(pdf)) expect(page.replaceAll(' ', '')).toContain('PRÉ-VISUALIZAÇÃO')
  expect(await brokenClauses(pdf)).toEqual([])
})

test('text that does not fit even in the smallest letters is refused', () => {
  const nome = 'muito longo '.repeat(600)
  expect(() => degree(withPerson({ nome }))).toThrowError(expect.objectContaining({ code: 'content.too-long' }))
})

for (const url of [
  'http://exemplo.edu.br/1',
  'ftp://x',
  'https://',
  'https://a b',
  `https://exemplo.edu.br/${'x'.repeat(250)}`,
])
  test(`the address ${url.slice(0, 30)} is refused`, () => {
    expect(() => degree(sampleDegree, { url })).toThrowError(expect.objectContaining({ code: 'content.address' }))
  })

for (const code of ['', 'a b', 'código', 'x'.repeat(101)])
  test(`the code ${JSON.stringify(code.slice(0, 10))} is refused`, () => {
    expect(() => degree(sampleDegree, { code })).toThrowError(expect.objectContaining({ code: 'content.code' }))
  })

test('a letter that no typeface has is refused, not left out', () => {
  expect(() => degree(withPerson({ nome: 'Ana 𓀀' }))).toThrowError(expect.objectContaining({ code: 'content.letter' }))
})

test('a day that is none is refused', () => {
  expect(() => degree(withPerson({ dataNascimento: '01/02/1999' }))).toThrowError(
    expect.objectContaining({ code: 'content.date' }),
  )
})

test('the default template is one that may be stored', () => {
  expect(degree(sampleDegree, { template: structuredClone(defaultDegreeTemplate) }).equals(degree())).toBe(true)
})

/** A part that a document may lack. */
const perhaps = <Value>(value: Value) => fc.option(fc.constant(value), { nil: undefined })

/** A text as the layouts allow it: letters of Latin, digits and common signs, single blanks. */
const words = fc
  .array(fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿĀ-ž0-9'.,()&–/-]{1,14}$/), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(' ').normalize('NFC'))

const { diplomado, dadosCurso, iesEmissora } = sampleDegree.dadosDiploma
const { livroRegistro, iesRegistradora } = sampleDegree.dadosRegistro

const anyPerson = fc.record({
  nome: words,
  nomeSocial: fc.option(words, { nil: undefined }),
  sexo: fc.constantFrom('F', 'M', undefined),
  nacionalidade: perhaps(diplomado.nacionalidade),
  naturalidade: fc.constantFrom(diplomado.naturalidade, { nomeMunicipioEstrangeiro: 'Porto' }, undefined),
  cpf: perhaps(diplomado.cpf),
  rg: perhaps(diplomado.rg),
  dataNascimento: perhaps(diplomado.dataNascimento),
})

const anyDegree = fc.record({
  dadosDiploma: fc.record({
    diplomado: anyPerson,
    dataConclusao: perhaps('2025-12-12'),
    dadosCurso: fc.record({
      nomeCurso: words,
      enfase: fc.array(words, { maxLength: 3 }),
      reconhecimento: perhaps(dadosCurso.reconhecimento),
    }),
    iesEmissora: fc.record({ nome: words, codigoMEC: fc.constant('1'), endereco: perhaps(iesEmissora.endereco) }),
  }),
  dadosRegistro: fc.record({
    iesRegistradora: fc.record({ nome: words, codigoMEC: fc.constant('2'), cnpj: perhaps(iesRegistradora.cnpj) }),
    livroRegistro: fc.record({
      ...Object.fromEntries(Object.entries(livroRegistro).map(([key, value]) => [key, perhaps(value)])),
    }),
    informacoesAdicionais: fc.option(words, { nil: undefined }),
  }),
})

/** Without what readers of PDF cannot agree on: blanks, and where a line was broken. */
const dense = (text: string): string => text.replace(/\s/g, '')

test('whatever a degree has is on its pages, and nothing in place of what it lacks', async () => {
  await fc.assert(
    fc.asyncProperty(anyDegree, async (data) => {
      const [front, back] = (await pageTexts(degree(data as DegreeData))).map(dense)
      const { diplomado: person, dadosCurso: course, iesEmissora: issuer } = data.dadosDiploma
      for (const text of [person.nomeSocial ?? person.nome, course.nomeCurso, issuer.nome])
        expect(front).toContain(dense(text))
      for (const text of [
        person.nome,
        data.dadosRegistro.iesRegistradora.nome,
        data.dadosRegistro.informacoesAdicionais ?? '',
      ])
        expect(back).toContain(dense(text))
      expect(`${front}${back}`).not.toMatch(/undefined|\{\{|NaN/)
    }),
    { numRuns: 25 },
  )
})
