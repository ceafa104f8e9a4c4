import { expect, test } from 'vitest'
import { formattedCnpj, isCnpj, withCnpjCheckDigits } from './cnpj.ts'

test.each([
  ['112223330001', '11222333000181'],
  ['000000000001', '00000000000191'],
  // The example of the tax authority for the alphanumeric CNPJ.
  ['12ABC34501DE', '12ABC34501DE35'],
])('the check digits of %s make it %s', (twelve, cnpj) => {
  expect(withCnpjCheckDigits(twelve)).toBe(cnpj)
})

test.each([
  ['11222333000181', true],
  ['12ABC34501DE35', true],
  ['11222333000182', false],
  ['12ABC34501DE53', false],
  ['12abc34501de35', false],
  ['12ABC34501DE3A', false],
  ['00000000000000', false],
  ['1122233300018', false],
])('%s is a CNPJ: %s', (cnpj, verdict) => {
  expect(isCnpj(cnpj)).toBe(verdict)
})

test('anything but twelve digits or capital letters has no check digits', () => {
  expect(() => withCnpjCheckDigits('12abc34501de')).toThrow(expect.objectContaining({ code: 'cnpj.malformed' }))
  expect(() => withCnpjCheckDigits('12ABC34501DE3')).toThrow(expect.objectContaining({ code: 'cnpj.malformed' }))
  expect(() => withCnpjCheckDigits('12ABC34501D')).toThrow(expect.objectContaining({ code: 'cnpj.malformed' }))
})

test('a CNPJ is shown as people write it, letters included', () => {
  expect(formattedCnpj('12ABC34501DE35')).toBe('12.ABC.345/01DE-35')
})
