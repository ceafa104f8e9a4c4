import { expect, test } from 'vitest'
import { replaceSection } from './index.ts'

const document = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter'

test('figures are written between their marks, and what stands around them stays', () => {
  expect(replaceSection(document, 'a', 'new')).toBe('before\n<!-- a -->\nnew\n<!-- /a -->\nafter')
})

test('a document without the marks is refused', () => {
  expect(() => replaceSection(document, 'b', 'new')).toThrow('no section b')
})
