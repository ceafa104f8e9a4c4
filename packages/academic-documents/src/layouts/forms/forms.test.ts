import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { documentKinds } from '../kinds.ts'
import { sampleDegree } from '../samples/index.ts'
import { allSamples } from '../test-support/all-samples.ts'
import { randomInput } from '../test-support/random-document.ts'
import { Seeded } from '../test-support/seeded.ts'
import { type Field, formOf } from './fields.ts'
import { inEnglish } from './in-english.ts'
import { schemaOf } from './json-schema.ts'

function named(fields: readonly Field[], name: string): Exclude<Field, { kind: 'oneOf' }> | undefined {
  for (const field of fields) {
    if (field.kind !== 'oneOf' && field.name === name) return field
    const inner =
      field.kind === 'oneOf'
        ? field.options.flat()
        : field.kind === 'group'
          ? field.fields
          : field.kind === 'list'
            ? field.items
            : []
    const found = named(inner, name)
    if (found !== undefined) return found
  }
  return undefined
}

describe('the form of a kind', () => {
  test('asks what the layout wants, in the words of users', () => {
    const form = formOf('degree')
    expect(named(form, 'cpf')).toMatchObject({
      kind: 'value',
      label: 'CPF',
      required: true,
      patterns: ['^[0-9]{11}$'],
      maxLength: 11,
    })
    expect(named(form, 'sexo')).toMatchObject({ input: 'choice', options: ['F', 'M'] })
    expect(named(form, 'dataNascimento')).toMatchObject({ input: 'date', label: 'Data de nascimento' })
    expect(named(form, 'nomeSocial')).toMatchObject({ required: false })
    expect(named(form, 'habilitacao')).toMatchObject({ kind: 'group', repeated: true, required: false })
    expect(named(form, 'sexoIndisponivel')).toMatchObject({ kind: 'flag' })
    expect(named(form, 'versao')).toBeUndefined()
  })

  test('has lists whose items are of several sorts', () => {
    expect(named(formOf('academicTranscript'), 'elementosHistorico')).toMatchObject({ kind: 'list' })
    expect(named(formOf('academicDocumentation'), 'documento')).toMatchObject({ kind: 'group', repeated: true })
  })

  test.each(documentKinds)('%s: every field has a label that is no XML name', (kind) => {
    const seen: string[] = []
    const walk = (fields: readonly Field[]): void => {
      for (const field of fields) {
        if (field.kind !== 'oneOf') seen.push(field.label)
        walk(
          field.kind === 'oneOf'
            ? field.options.flat()
            : field.kind === 'group'
              ? field.fields
              : field.kind === 'list'
                ? field.items
                : [],
        )
      }
    }
    walk(formOf(kind))
    expect(seen.filter((label) => label === '' || /[a-z][A-Z]|_/.test(label.replaceAll('e-MEC', '')))).toEqual([])
  })
})

describe('the form in English', () => {
  const served = ['academicDocumentation', 'degree', 'academicTranscript', 'curriculum'] as const

  test.each(served)('%s: has the same fields in the same order, each with a word', (kind) => {
    const shape = (fields: readonly Field[]): unknown =>
      fields.map((field) => {
        if (field.kind === 'oneOf') return field.options.map(shape)
        expect(field.label).toMatch(/^[A-ZÀ-Ý]|^e-MEC/)
        const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : []
        return [field.name, field.kind, shape(inner)]
      })
    expect(shape(inEnglish(formOf(kind)))).toEqual(shape(formOf(kind)))
  })

  test('keeps the values that are written, and says what they mean', () => {
    const form = formOf('academicDocumentation')
    expect(named(form, 'sexo')).toMatchObject({ options: ['F', 'M'], optionLabels: ['Feminino', 'Masculino'] })
    expect(named(inEnglish(form), 'sexo')).toMatchObject({ options: ['F', 'M'], optionLabels: ['Female', 'Male'] })
    expect(named(form, 'conceito')).not.toHaveProperty('optionLabels')
  })
})

describe('the JSON Schema of a kind', () => {
  const checks = new Map(documentKinds.map((kind) => [kind, Compile(schemaOf(kind))]))

  test.each(allSamples)('$name: accepts it', ({ kind, input }) => {
    expect(checks.get(kind)!.Errors(input)).toEqual([])
  })

  test.each(documentKinds)('%s: accepts whatever the tables allow', (kind) => {
    for (let seed = 1; seed <= 20; seed++)
      expect(checks.get(kind)!.Check(randomInput(kind, new Seeded(seed)))).toBe(true)
  })

  test.each([
    ['a wrong value', '"cpf":"52998224725"', '"cpf":"529"'],
    ['a value that is not listed', '"sexo":"F"', '"sexo":"X"'],
    ['an unknown field', '"sexo":"F"', '"sexo":"F","apelido":"Mari"'],
    ['a missing field', '"sexo":"F",', ''],
    ['a missing choice', '"rg":{', '"outroDocumentoIdentificacao":{'],
  ])('refuses %s', (_, from, to) => {
    const text = JSON.stringify(sampleDegree())
    expect(text).toContain(from)
    expect(checks.get('degree')!.Check(JSON.parse(text.replace(from, to)))).toBe(false)
  })
})
