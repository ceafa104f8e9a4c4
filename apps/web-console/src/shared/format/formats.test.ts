import { describe, expect, test } from 'vitest'
import { formatCentavos, formatDay, formatTaxId } from './format-brazilian.ts'
import { formatBytes } from './format-bytes.ts'
import { formatDuration } from './format-duration.ts'

describe('durations', () => {
  test.each([
    [0, '0 ms'],
    [4.26, '4.3 ms'],
    [850.4, '850 ms'],
    [12_340, '12.3 s'],
    [192_000, '3 min 12 s'],
    [180_000, '3 min'],
    [7_500_000, '2 h 5 min'],
    [4 * 86_400_000 + 7 * 3_600_000, '4 d 7 h'],
  ])('%d milliseconds are %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds, 'en-US')).toBe(text)
  })

  test('follow the language', () => {
    expect(formatDuration(12_340, 'pt-BR')).toBe('12,3 s')
  })
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [20_992, '20.5 KiB'],
  [104_857_600, '100 MiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en-US')).toBe(text)
})

test('amounts, days and tax ids are written as in Brazil', () => {
  expect(formatCentavos(123_456_789).replace(/\s/, ' ')).toBe('R$ 1.234.567,89')
  expect(formatDay('2026-03-02')).toBe('02/03/2026')
  expect(formatTaxId('52998224725')).toBe('529.982.247-25')
  expect(formatTaxId('12345678000195')).toBe('12.345.678/0001-95')
  expect(formatTaxId('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
  expect(formatTaxId('PIS 1')).toBe('PIS 1')
})
