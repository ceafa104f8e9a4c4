import { expect, test } from 'vitest'
import { readUrl } from './index.ts'

test('an address with accents stays one, however often addresses are read', () => {
  const text = 'https://açaí.example/ação?é'
  const readings = Array.from({ length: 20_000 }, () => readUrl(text)?.href)
  expect(new Set(readings)).toEqual(new Set(['https://xn--aa-4iaz.example/a%C3%A7%C3%A3o?%C3%A9']))
  expect(readUrl('/ação', 'https://example.com')?.href).toBe('https://example.com/a%C3%A7%C3%A3o')
})

test('a text that is no address is none', () => {
  for (const text of ['', 'https://', '/alone', 'https://a b']) expect(readUrl(text)).toBeUndefined()
})
