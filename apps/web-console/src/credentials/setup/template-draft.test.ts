import { expect, test } from 'vitest'
import { contentIn } from './template-draft.ts'

test('a content is a JSON object, and anything else is none', () => {
  expect(contentIn({ content: '{"title":""}' })).toEqual({ title: '' })
  expect(['', '{', '[]', 'null', '7'].map((content) => contentIn({ content }))).toEqual(Array(5).fill(undefined))
})
