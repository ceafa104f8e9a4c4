import { expect, test } from 'vitest'
import { jsonIn } from './json-in.ts'

test('a JSON object is read, and anything else is none', () => {
  expect(jsonIn('{"title":""}')).toEqual({ title: '' })
  expect(['', '{', '[]', 'null', '7', undefined].map(jsonIn)).toEqual(Array(6).fill(undefined))
})
