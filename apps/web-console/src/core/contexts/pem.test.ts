import { expect, test } from 'vitest'
import { certificatesIn, pemOf } from './pem.ts'

test('certificates go into PEM and back, whatever stands between them', () => {
  const contents = ['A'.repeat(130), 'Qkw=']
  const pem = pemOf(contents)
  expect(certificatesIn(`Root of all\n${pem.replaceAll('\n', '\r\n')}the end`)).toEqual(contents)
  expect(pem.split('\n').every((line) => line.length <= 64)).toBe(true)
  expect(certificatesIn('nothing')).toEqual([])
})
