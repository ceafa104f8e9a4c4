import { expect, test } from 'vitest'
import { chooseLanguage } from './languages.ts'

test('a remembered language wins over the browser’s', () => {
  expect(chooseLanguage('pt-BR', ['en-US'])).toBe('pt-BR')
})

test('without memory the first of the visitor’s languages that we speak is taken', () => {
  expect(chooseLanguage(null, ['de-DE', 'pt-BR', 'en-US'])).toBe('pt-BR')
})

test.each([
  ['pt-PT', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['EN-gb', 'en-US'],
] as const)('%s is read as %s', (tag, language) => {
  expect(chooseLanguage(null, [tag])).toBe(language)
})

test('a visitor with none of our languages reads English, and so does one with a broken memory', () => {
  expect(chooseLanguage(null, ['ja-JP'])).toBe('en-US')
  expect(chooseLanguage('tlh', [])).toBe('en-US')
})
