import { expect, test } from 'vitest'
import { mediaTypeOrAny } from './media-type.ts'

test.each(['application/pdf', 'text/plain; charset=utf-8', 'TEXT/HTML;charset="utf-8"', 'application/vnd.a+xml'])(
  '%s is a content type',
  (stated) => {
    expect(mediaTypeOrAny(stated)).toBe(stated)
  },
)

test.each(['not a type', 'text', '/', 'a/', 'a/b; c', 'a/b\r\nx: y', 'a/b;c="\n"', 'тип/plain', '', null, undefined])(
  '%j is bytes of any kind',
  (stated) => {
    expect(mediaTypeOrAny(stated)).toBe('application/octet-stream')
  },
)

test('a long one is judged at once', () => {
  const begun = performance.now()
  mediaTypeOrAny(`a/b${';a=b'.repeat(50_000)};`)
  mediaTypeOrAny(`a/b${' '.repeat(50_000)}x`)
  expect(performance.now() - begun).toBeLessThan(2000)
})
