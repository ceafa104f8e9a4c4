import { expect, test } from 'vitest'
import { readCookie, setCookie } from './cookies.ts'

test('a cookie is read by its whole name', () => {
  expect(readCookie('a=1; session=x=y; b=2', 'session')).toBe('x=y')
  expect(readCookie('asession=1;session =2', 'session')).toBe('2')
  expect(readCookie('session=first; session=second', 'session')).toBe('first')
  for (const header of [undefined, '', 'session', '=x', 'other=1'])
    expect(readCookie(header, 'session')).toBeUndefined()
})

test('a cookie that would break its header is not written', () => {
  const attributes = { sameSite: 'Strict', maxAgeSeconds: 5 } as const
  expect(setCookie('a', 'b', attributes)).toBe('a=b; Path=/; Max-Age=5; HttpOnly; SameSite=Strict')
  for (const value of ['a;b', 'a b', 'a\r\nb', 'a,b', '"']) expect(() => setCookie('a', value, attributes)).toThrow()
  expect(() => setCookie('a=b', 'c', attributes)).toThrow()
})
