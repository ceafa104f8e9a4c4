import { expect, test } from 'vitest'
import { chooseCertificate, type ReadCertificate } from './choose-certificate.ts'

const held = (alias: string, notBefore: string, notAfter: string) =>
  ({ alias, certificate: { notBefore: new Date(notBefore), notAfter: new Date(notAfter) } }) as ReadCertificate

const one = held('one', '2026-01-01', '2027-01-01')

test.each([
  ['2025-12-31T23:59:59.999Z', undefined],
  ['2026-01-01T00:00:00.000Z', 'one'],
  ['2027-01-01T00:00:00.000Z', 'one'],
  ['2027-01-01T00:00:00.001Z', undefined],
])('at %s a certificate is valid from its first moment to its last', (now, chosen) => {
  expect(chooseCertificate([one], new Date(now))?.alias).toBe(chosen)
})

test('of several that are valid the one that was issued last is chosen, and the alias decides between equals', () => {
  const now = new Date('2026-06-01')
  const later = held('later', '2026-02-01', '2027-01-01')
  const over = held('over', '2026-03-01', '2026-05-01')
  expect(chooseCertificate([one, later, over], now)?.alias).toBe('later')
  const equal = held('a', '2026-02-01', '2027-01-01')
  for (const both of [
    [later, equal],
    [equal, later],
  ])
    expect(chooseCertificate(both, now)?.alias).toBe('a')
})
