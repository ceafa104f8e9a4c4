import { expect, test } from 'vitest'
import { formatCpf } from './format-cpf.ts'

test('eleven digits are written as on paper', () => {
  expect(formatCpf('52998224725')).toBe('529.982.247-25')
})

test.each(['529.982.247-25', '', '1234567890', '123456789012', 'ABC98224725'])('%j stays as it came', (cpf) => {
  expect(formatCpf(cpf)).toBe(cpf)
})
