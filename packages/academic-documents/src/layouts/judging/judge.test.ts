import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentKinds, MEC_NAMESPACES } from '../kinds.ts'
import { sampleDegree } from '../samples/index.ts'
import { allSamples, bytesOf, signedBytesOf } from '../test-support/all-samples.ts'
import { goldenMutants, goldenVerdicts } from '../test-support/golden.ts'
import { mutantOf } from '../test-support/mutants.ts'
import { oldSamples } from '../test-support/old-samples.ts'
import { randomInput } from '../test-support/random-document.ts'
import { Seeded } from '../test-support/seeded.ts'
import { generateUnchecked } from '../writing/generate.ts'
import { judge } from './judge.ts'

const degree = signedBytesOf({ name: 'degree', kind: 'degree', input: sampleDegree() }).toString('utf8')
const codesOf = (text: string) => judge(Buffer.from(text)).problems.map(({ code }) => code)

describe('the verdict on a document', () => {
  test.each(allSamples)('$name is valid when signed, and before signing where that is asked', (sample) => {
    expect(judge(signedBytesOf(sample))).toMatchObject({
      valid: true,
      kind: sample.kind,
      version: '1.05',
      problems: [],
    })
    expect(judge(bytesOf(sample), { beforeSigning: true })).toMatchObject({ valid: true })
    const unsigned = judge(bytesOf(sample))
    expect(new Set(unsigned.problems.map(({ code }) => code))).toEqual(new Set(['signature-missing']))
  })

  test.each(oldSamples)('layout 1.02, $name, is read', ({ kind, bytes }) => {
    expect(judge(bytes)).toMatchObject({ valid: true, kind, version: '1.02' })
  })

  test.each(documentKinds)('%s: whatever is generated is valid', (kind) => {
    for (let seed = 1; seed <= 30; seed++) {
      const made = generateUnchecked(kind, randomInput(kind, new Seeded(seed)), { placeholderSignatures: true })
      expect(made.valid && judge(made.bytes).problems).toEqual([])
    }
  })

  test('is that of xmllint with the published schemas, on mutants of every kind', () => {
    const ours = goldenMutants().flatMap(({ mutants }) => mutants.map(({ bytes }) => Number(judge(bytes).valid)))
    expect(ours.join('')).toBe(goldenVerdicts)
  })

  test('reads both forms of the namespace, and no mixture', () => {
    const https = degree.replaceAll(MEC_NAMESPACES.http, MEC_NAMESPACES.https)
    expect(judge(Buffer.from(https))).toMatchObject({ valid: true, namespace: 'https' })
    const mixed = https.replace('<DadosRegistro ', `<DadosRegistro xmlns="${MEC_NAMESPACES.http}" `)
    expect(judge(Buffer.from(mixed)).valid).toBe(false)
  })

  test('tells every problem with its XML path, its line and the names that users know', () => {
    const broken = degree
      .replace('<CPF>52998224725</CPF>', '\n<CPF>529</CPF>')
      .replace('<Sexo>F</Sexo>', '')
      .replace('<CEP>60020181</CEP>', '<CEP>60020181</CEP><Pais>Brasil</Pais>')
      .replace(' versao="1.05"', ' versao="1.05" estado="novo"')
    const { problems } = judge(Buffer.from(broken))
    expect(problems).toMatchObject([
      { code: 'attribute-unknown', path: '/Diploma/infDiploma/@estado', line: 1 },
      { code: 'element-missing', path: '/Diploma/infDiploma/DadosDiploma/Diplomado', pt: 'Falta o campo Sexo.' },
      {
        code: 'value-wrong',
        path: '/Diploma/infDiploma/DadosDiploma/Diplomado/CPF',
        line: 2,
        column: 1,
        place: 'Diploma › Diploma › Dados do diploma › Diplomado › CPF',
      },
      { code: 'element-unknown', en: expect.stringContaining('Pa') },
    ])
  })

  test('names a field that is out of order once', () => {
    const swapped = degree.replace(/(<Nacionalidade>.*?<\/Nacionalidade>)(<Naturalidade>.*?<\/Naturalidade>)/, '$2$1')
    expect(codesOf(swapped)).toEqual(['element-misplaced'])
  })

  test.each([
    ['nothing', '', 'xml-unreadable'],
    ['text', 'Diploma', 'xml-unreadable'],
    ['a page', '<html/>', 'namespace-unknown'],
    ['another root', `<Certificado xmlns="${MEC_NAMESPACES.http}"/>`, 'root-unknown'],
    ['a document type', `<!DOCTYPE Diploma><Diploma xmlns="${MEC_NAMESPACES.http}"/>`, 'xml-doctype'],
    ['an entity', `<Diploma xmlns="${MEC_NAMESPACES.http}">&x;</Diploma>`, 'xml-unreadable'],
    ['too deep', '<a>'.repeat(1000), 'xml-too-large'],
  ])('refuses %s', (_, text, code) => {
    expect(codesOf(text)).toEqual([code])
  })

  test('refuses what is too large by its size alone', () => {
    expect(judge(Buffer.from(degree), { mostBytes: 1000 }).problems).toMatchObject([{ code: 'xml-too-large' }])
  })

  test('stops telling at a limit', () => {
    const many = degree.replaceAll('<UF>CE</UF>', '<UF>XX</UF>')
    const { problems } = judge(Buffer.from(many), { mostProblems: 2 })
    expect(problems.map(({ code }) => code)).toEqual(['value-not-listed', 'value-not-listed', 'too-many-problems'])
  })

  test('is an answer for any bytes, never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => !judge(bytes).valid),
      { numRuns: 500 },
    )
    const random = new Seeded(7)
    const original = Buffer.from(degree)
    for (let run = 0; run < 150; run++) {
      const damaged = Buffer.from(mutantOf(original, random).bytes)
      for (let hits = random.below(4); hits > 0; hits--) damaged[random.below(damaged.length)] = random.below(256)
      expect(typeof judge(damaged).valid).toBe('boolean')
    }
  })

  test('knows names that JavaScript objects have by themselves', () => {
    const strange = degree
      .replace('<Sexo>F</Sexo>', '<constructor>F</constructor>')
      .replace(' id="Dip', ' toString="1" id="Dip')
    expect(new Set(codesOf(strange))).toEqual(new Set(['element-unknown', 'element-missing', 'attribute-unknown']))
  })
})
