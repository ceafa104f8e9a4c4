import { expect, test } from 'vitest'
import { asSent, chosenOption, moved, placeOf, strangersIn, summaryOf, withOption } from './form-data.ts'
import type { ChoiceField, Field, GroupField, ValueField } from './form-types.ts'
import { isOfAbsence, isOfExpectation, sentenceIn } from './problem-words.ts'

const value = (name: string, more: Partial<ValueField> = {}): ValueField => ({
  kind: 'value',
  name,
  label: name.toUpperCase(),
  required: true,
  repeated: false,
  input: 'text',
  expects: '',
  patterns: [],
  ...more,
})
const group = (name: string, fields: readonly Field[], more: Partial<GroupField> = {}): GroupField => ({
  kind: 'group',
  name,
  label: name.toUpperCase(),
  required: true,
  repeated: false,
  fields,
  ...more,
})
const flag = (name: string): Field => ({ kind: 'flag', name, label: name, required: true, repeated: false })
const choice = (required: boolean, ...options: (readonly Field[])[]): ChoiceField => ({
  kind: 'oneOf',
  required,
  options,
})

const result = choice(
  true,
  [group('passed', [choice(false, [value('how')], [value('otherwise')])])],
  [flag('pending')],
  [flag('failed')],
)
const place = choice(true, [value('code'), value('town')], [value('abroad')])
const act = choice(true, [group('underWay', [value('process')])], [value('type'), value('number')])

test('an option is chosen by what is there; of two that must be one, the usual one is until another is', () => {
  expect(chosenOption(result, {})).toBeUndefined()
  expect(chosenOption(result, { failed: true })).toBe(2)
  expect(chosenOption(place, {})).toBe(0)
  expect(chosenOption(place, { abroad: '' })).toBe(1)
  expect(chosenOption(act, {})).toBe(1)
  const book = choice(true, [value('record')], [value('sheet'), value('sequence'), value('record')])
  expect(chosenOption(book, { sheet: '1', sequence: '', record: '2' })).toBe(1)
})

test('another option takes the place of what was typed for the others, and of nothing else', () => {
  expect(withOption(place, { code: '1', town: 'X', zip: '2' }, 1)).toEqual({ abroad: '', zip: '2' })
  expect(withOption(result, { pending: true }, 0)).toEqual({ passed: {} })
  expect(withOption(result, { pending: true }, undefined)).toEqual({})
})

test('what is empty is not sent, and a part that was chosen or must be there is', () => {
  const fields = [value('name'), group('home', [place]), group('more', [value('x')], { required: false }), result]
  expect(asSent(fields, { name: ' Ana ' })).toEqual({ name: 'Ana', home: {} })
  expect(asSent(fields, { more: {}, passed: {}, home: { code: '', town: 'X' } })).toEqual({
    more: {},
    passed: {},
    home: { town: 'X' },
  })
})

test('items keep their numbers, digits lose their strokes, and a time gets its seconds', () => {
  const cpf = value('cpf', { patterns: ['^[0-9]{11}$'] })
  const time = value('time', { patterns: ['^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$'] })
  const fields = [cpf, time, value('tag', { repeated: true }), group('parent', [value('name')], { repeated: true })]
  const draft = { cpf: '529.982.247-25', time: '10:30', tag: ['a', '', 'b'], parent: [{}, { name: 'Eva' }] }
  expect(asSent(fields, draft)).toEqual({
    cpf: '52998224725',
    time: '10:30:00',
    tag: ['a', '', 'b'],
    parent: [{}, { name: 'Eva' }],
  })
})

test('a list has items of several sorts, and an empty one that must be there is sent', () => {
  const list: Field = {
    kind: 'list',
    name: 'all',
    label: 'All',
    required: true,
    repeated: false,
    items: [group('one', [value('x')]), flag('two')],
  }
  expect(asSent([list], {})).toEqual({ all: [] })
  const all = [{ one: { x: '1' } }, { two: true }]
  expect(asSent([list], { all })).toEqual({ all })
})

test('what something else fills in is not sent', () => {
  const course = { ...group('course', [value('name')]), filledBy: 'courseId' }
  const fields = [group('degree', [course, value('date')])]
  const draft = { degree: { course: { name: 'X' }, date: '1' } }
  expect(asSent(fields, draft, ['courseId'])).toEqual({ degree: { date: '1' } })
  expect(asSent(fields, draft)).toEqual(draft)
})

test('strangers are found, places have names, items are recognized and moved', () => {
  const fields = [group('unit', [value('code'), value('name')], { repeated: true })]
  expect(strangersIn(fields, { unit: [{ code: '1' }, { nome: 'x' }], etc: 1 })).toEqual(['unit.nome', 'etc'])
  expect(placeOf(fields, 'unit[2].code').labels).toEqual(['UNIT 3', 'CODE'])
  expect(placeOf(fields, 'unit[2].stranger').labels).toEqual(['UNIT 3'])
  expect(summaryOf({ type: 'Disciplina', code: 'MAT1', hours: { clock: '60' }, more: 'x' })).toBe(
    'Disciplina · MAT1 · 60',
  )
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
})

test('problems are said in the language of the page', () => {
  const says = 'CPF: "1" is not accepted. Expected: CPF: 11 digits. (CPF: "1" não serve. O que se espera: x.)'
  expect(sentenceIn('pt-BR', says)).toMatch(/O que se espera/)
  expect(sentenceIn('en-US', says)).not.toMatch(/espera/)
  expect(sentenceIn('en-US', 'is required')).toBe('is required')
  expect(isOfExpectation(says)).toBe(true)
  expect(isOfAbsence('The field CPF is missing. (Falta o campo CPF.)')).toBe(true)
})
