import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { cleanTexts, knowTextFormats } from './text-formats.ts'

const maybe = (format: string) => Type.Optional(Type.Union([Type.String({ format }), Type.Null()]))

const schema = Type.Object({
  file: Type.Object({ name: Type.String({ format: 'cleaned-line' }) }),
  notes: Type.Array(Type.Object({ text: maybe('cleaned-lines') })),
  name: maybe('one-line'),
  other: Type.Optional(Type.String()),
})

test('names of files and texts are cleaned wherever a schema has them, and nothing else is', () => {
  const value = {
    file: { name: 'a\u202eb\n.pdf' },
    notes: [{ text: 'a\u2066\nb\u0000' }, { text: null }, {}],
    name: 'a\u202eb',
    other: 'a\u202eb',
  }
  cleanTexts(schema)!(value)
  expect(value).toEqual({
    file: { name: 'ab.pdf' },
    notes: [{ text: 'a\nb' }, { text: null }, {}],
    name: 'a\u202eb',
    other: 'a\u202eb',
  })
})

test('what has another form than the schema says is left to the validator', () => {
  for (const value of [null, 'x', 7, [], { file: 'x', notes: 'y' }, { file: { name: 7 } }])
    expect(() => cleanTexts(schema)!(value)).not.toThrow()
})

test('a schema without such texts costs nothing', () => {
  expect(cleanTexts(Type.Object({ name: Type.String() }))).toBeUndefined()
})

test('a name is one line that is read as it is written', () => {
  knowTextFormats()
  const name = Compile(Type.String({ format: 'one-line' }))
  expect(['Ana Souza', 'Ana\nSouza', 'Ana\u202eSouza', ''].map((text) => name.Check(text))).toEqual([
    true,
    false,
    false,
    true,
  ])
})
