import { expect, test } from 'vitest'
import { collectionBarcode, isCollectionBarcode, isSlipBarcode } from './barcode.ts'

// The examples worked through in the annexes of Itaú's SISPAG manual.
const slip = '34196166700000123451101234567880057123457000'
const modulus10 = '84610000000362700060002000102000000457986595'
const modulus11 = '84930000000362700060002000102000000457986595'

const withDigit = (barcode: string, index: number, digit: number) =>
  barcode.slice(0, index) + digit + barcode.slice(index + 1)
const accepting = (barcode: string, index: number, test: (barcode: string) => boolean) =>
  Array.from({ length: 10 }, (_, digit) => digit).filter((digit) => test(withDigit(barcode, index, digit)))

test('a slip has one right check digit, in position 5', () => {
  expect(accepting(slip, 4, isSlipBarcode)).toEqual([6])
})

test('a bill valued in reais or reference (6, 7) uses modulus 10, in position 4', () => {
  expect(accepting(modulus10, 3, isCollectionBarcode)).toEqual([1])
})

test('a bill of kind 8 or 9 uses modulus 11', () => {
  expect(accepting(modulus11, 3, isCollectionBarcode)).toEqual([3])
})

test('what is not 44 digits is no barcode', () => {
  expect([slip.slice(1), `${slip}0`, slip.replace('3', 'X'), ''].map(isSlipBarcode)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect([slip, modulus10.slice(1), modulus10.replace('6', '5')].map(isCollectionBarcode)).toEqual([
    false,
    false,
    false,
  ])
})

test('the 48 typed digits lose the four check digits of their groups', () => {
  expect(collectionBarcode('846100000005362700060001200010200000004579865959')).toBe(modulus10)
  expect(collectionBarcode(modulus10)).toBe(modulus10)
})
