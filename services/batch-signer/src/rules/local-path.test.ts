import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localPath } from './local-path.ts'

test('a local path is kept, in the form a browser gives it', () => {
  expect(localPath('/jobs?status=Failed#top')).toBe('/jobs?status=Failed#top')
  expect(localPath('/relatório 1')).toBe('/relat%C3%B3rio%201')
  expect(localPath('/a/../b')).toBe('/b')
})

test('whatever else becomes /', () => {
  for (const text of [
    undefined,
    '',
    'jobs',
    '//host',
    '/\\host',
    '\\\\host',
    'http://host',
    '/.//host',
    '/a/\\host',
    '/\u0000',
    '/\t/host',
  ])
    expect([text, localPath(text)]).toStrictEqual([text, '/'])
})

test('no text leads a browser to another host', () => {
  const pieces = fc.constantFrom('/', '\\', '.', '..', '\t', '\n', 'a', '@', ':', '?', '#', '%2f', '%5c', ' ', 'http:')
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const url = new URL(localPath(text), 'https://batch.example.com/login')
      expect(url.origin).toBe('https://batch.example.com')
      expect(localPath(text)).toMatch(/^[\x21-\x7e]+$/)
    }),
  )
})
