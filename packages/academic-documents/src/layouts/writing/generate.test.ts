import { describe, expect, test } from 'vitest'
import { documentKinds, MEC_NAMESPACES } from '../kinds.ts'
import { sampleAcademicDocumentation, sampleDegree } from '../samples/index.ts'
import { allSamples, bytesOf } from '../test-support/all-samples.ts'
import { randomInput } from '../test-support/random-document.ts'
import { Seeded } from '../test-support/seeded.ts'
import { generate, generateUnchecked } from './generate.ts'

const problemsOf = (kind: 'degree' | 'academicDocumentation', input: unknown) => {
  const made = generateUnchecked(kind, input)
  return made.valid ? [] : made.problems.map(({ code, path }) => `${code} ${path}`)
}

/** The sample degree with one value replaced. */
function degreeWith(path: string, value: unknown): unknown {
  const input = structuredClone(sampleDegree()) as unknown
  const keys = path.split('.')
  const parent = keys.slice(0, -1).reduce((node, key) => node[key] as Nested, input as Nested)
  parent[keys.at(-1)!] = value
  return input
}
type Nested = Record<string, unknown> & { [key: string]: Nested | unknown }

const student = 'diploma.infDiploma.dadosDiploma.diplomado'

describe('a generated document', () => {
  test.each(allSamples)('$name is written, twice with the same bytes', (sample) => {
    expect(bytesOf({ ...sample, input: structuredClone(sample.input) }).equals(bytesOf(sample))).toBe(true)
  })

  test('is UTF-8 with a declaration, in the default namespace, without blanks between tags', () => {
    const text = bytesOf(allSamples[0]!).toString('utf8')
    const head = `<?xml version="1.0" encoding="UTF-8"?><DocumentacaoAcademicaRegistro xmlns="${MEC_NAMESPACES.http}">`
    expect(text.startsWith(head)).toBe(true)
    expect(text).not.toMatch(/>\s+</)
    expect(text).not.toContain('Signature')
  })

  test('has the https form of the namespace on demand', () => {
    const text = bytesOf(allSamples[0]!, { namespace: 'https' }).toString('utf8')
    expect(text).toContain(`xmlns="${MEC_NAMESPACES.https}"`)
    expect(text).not.toContain(MEC_NAMESPACES.http)
  })

  test('does not depend on the order in which fields are given', () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, reversed(inner)]),
            )
          : value
    for (const sample of allSamples)
      expect(bytesOf({ ...sample, input: reversed(sample.input) }).equals(bytesOf(sample))).toBe(true)
  })

  test('escapes what XML would misread', () => {
    const made = generateUnchecked('degree', degreeWith(`${student}.id`, 'a<b>&"\'\r\n\tç'))
    expect(made.valid && made.bytes.toString('utf8')).toContain('<ID>a&lt;b&gt;&amp;"\'&#xD;\n\tç</ID>')
  })

  test.each(documentKinds)('%s: any input that the tables allow is written', (kind) => {
    for (let seed = 1; seed <= 50; seed++) {
      const made = generateUnchecked(kind, randomInput(kind, new Seeded(seed)))
      expect(made.valid ? [] : made.problems).toEqual([])
    }
  })
})

describe('refused input', () => {
  test.each([
    [`${student}.cpf`, '529.982.247-25', 'value-wrong'],
    [`${student}.cpf`, undefined, 'element-missing'],
    [`${student}.nome`, ' Maria', 'value-blank-at-ends'],
    [`${student}.nome`, 'Nguyễn', 'value-character'],
    [`${student}.nome`, 'x'.repeat(256), 'value-too-long'],
    [`${student}.nome`, 7, 'shape-wrong'],
    [`${student}.sexo`, 'Feminino', 'value-not-listed'],
    [`${student}.dataNascimento`, '2023-02-29', 'value-not-a-date'],
    [`${student}.id`, '', 'value-too-short'],
    [`${student}.id`, 'a\u0000b', 'value-character'],
    [`${student}.id`, '\ud800', 'value-character'],
    [`${student}.apelido`, 'Mari', 'element-unknown'],
    ['diploma.infDiploma.dadosDiploma.iesEmissora.codigoMEC', 4294967296, 'value-out-of-range'],
    ['diploma.infDiploma.dadosDiploma.iesEmissora.codigoMEC', 1.5, 'value-not-a-number'],
    ['diploma.infDiploma.dadosDiploma.assinantes.assinante', {}, 'shape-wrong'],
    ['diploma.infDiploma.dadosDiploma.assinantes.assinante', [], 'element-missing'],
    ['diploma.infDiploma.dadosDiploma.id', undefined, 'attribute-missing'],
    ['diploma.infDiploma.ambiente', 'Teste', 'value-not-listed'],
    ['diploma.infDiploma.versao', '1.05', 'element-unknown'],
  ])('%s = %j: %s', (path, value, code) => {
    expect(problemsOf('degree', degreeWith(path, value))).toEqual([`${code} ${path}`])
  })

  test('names the place in the words of the user', () => {
    const made = generateUnchecked('degree', degreeWith(`${student}.rg.numero`, '12.345'))
    expect(made.valid ? [] : made.problems).toMatchObject([
      {
        place: 'Diploma › Diploma › Dados do diploma › Diplomado › RG › Número',
        pt: expect.stringContaining('12.345'),
      },
    ])
  })

  test('is told all at once, up to a limit', () => {
    const { diploma } = sampleDegree()
    const broken = structuredClone(diploma) as unknown as Nested
    const data = (broken.infDiploma as Nested).dadosDiploma as Nested
    Object.assign(data.diplomado as Nested, { cpf: '1', sexo: 'X', nome: '' })
    expect(problemsOf('degree', { diploma: broken })).toHaveLength(3)
    const limited = generateUnchecked('degree', { diploma: broken }, { mostProblems: 2 })
    expect(limited.valid ? [] : limited.problems.map(({ code }) => code).at(-1)).toBe('too-many-problems')
  })

  test('a choice without an answer, or with two, is told by its options', () => {
    const { rg: _rg, ...withoutDocument } = (sampleDegree() as unknown as { diploma: Nested }).diploma
    expect(withoutDocument).toBeDefined()
    const both = degreeWith(`${student}.outroDocumentoIdentificacao`, { tipoDocumento: 'P', identificador: '1' })
    expect(problemsOf('degree', both)).toEqual([`choice-ambiguous ${student}`])
    expect(problemsOf('degree', degreeWith(`${student}.rg`, undefined))).toEqual([`choice-missing ${student}`])
  })

  test.each([
    null,
    undefined,
    1,
    'x',
    [],
    {},
    { diploma: null },
    { diploma: [] },
    { outro: {} },
    { diploma: { infDiploma: 1 } },
  ])('of any shape is an answer, not an exception: %j', (input) => {
    expect(problemsOf('degree', input).length).toBeGreaterThan(0)
  })
})

test('typed input is checked by the compiler', () => {
  expect(generate('academicDocumentation', sampleAcademicDocumentation()).valid).toBe(true)
  // @ts-expect-error: a degree is no documentation
  expect(generate('academicDocumentation', sampleDegree()).valid).toBe(false)
})
