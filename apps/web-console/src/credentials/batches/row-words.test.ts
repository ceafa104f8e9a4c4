import { expect, test } from 'vitest'
import { inLanguage } from './row-words.ts'

test('a sentence in two languages is shown in that of the page; one in a single language as it is', () => {
  const both = 'CPF: "1 (one)" is wrong. (CPF: "1 (one)" está errado.)'
  expect(inLanguage(both, 'pt-BR')).toBe('CPF: "1 (one)" está errado.')
  expect(inLanguage(both, 'en-US')).toBe('CPF: "1 (one)" is wrong.')
  for (const says of ['must be an object', ')', '']) expect(inLanguage(says, 'pt-BR')).toBe(says)
})
