import { expect, test } from 'vitest'
import { formattedCpf, isCpf, withCpfCheckDigits } from './cpf.ts'

test.each([
  ['529982247', '52998224725'],
  ['111444777', '11144477735'],
  ['123456789', '12345678909'],
  // Both remainders below two: the digits are zero.
  ['000000000', '00000000000'],
])('the check digits of %s make it %s', (nineDigits, cpf) => {
  expect(withCpfCheckDigits(nineDigits)).toBe(cpf)
})

test.each([
  ['52998224725', true],
  ['52998224726', false],
  ['52998224715', false],
  ['11111111111', false],
  ['00000000000', false],
  ['5299822472', false],
  ['529.982.247-25', false],
  ['5299822472A', false],
])('%s is a CPF: %s', (cpf, verdict) => {
  expect(isCpf(cpf)).toBe(verdict)
})

test('anything but nine digits has no check digits', () => {
  expect(() => withCpfCheckDigits('52998224')).toThrow(expect.objectContaining({ code: 'cpf.malformed' }))
  expect(() => withCpfCheckDigits('5299822472')).toThrow(expect.objectContaining({ code: 'cpf.malformed' }))
  expect(() => withCpfCheckDigits('52998224X')).toThrow(expect.objectContaining({ code: 'cpf.malformed' }))
})

test('a CPF is shown as people write it', () => {
  expect(formattedCpf('52998224725')).toBe('529.982.247-25')
})
