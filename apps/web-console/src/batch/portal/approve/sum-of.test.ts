import { expect, test } from 'vitest'
import { sumOf } from './sum-of.ts'

test('a sum is exact beyond what a number keeps, and counts the files without figures', () => {
  const most = { totalCentavos: Number.MAX_SAFE_INTEGER }
  expect(sumOf([most, most, { totalCentavos: 3 }, { totalCentavos: null }])).toEqual({
    centavos: '18014398509481985',
    without: 1,
  })
})

test('nothing comes to nothing', () => {
  expect(sumOf([])).toEqual({ centavos: '0', without: 0 })
})
