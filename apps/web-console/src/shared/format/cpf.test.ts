import { expect, test } from 'vitest'
import { cpfsIn, isCpf, typedCpf } from './cpf.ts'

test.each(['529.982.247-25', '52998224725', ' 529 982 247 25 '])('%s is a CPF', (text) => {
  expect(isCpf(text)).toBe(true)
})

test.each(['529.982.247-26', '111.111.111-11', '5299822472', '529982247255', '529x982y247-25', ''])(
  '%s is none',
  (text) => {
    expect(isCpf(text)).toBe(false)
  },
)

test.each([
  ['5', '5'],
  ['529', '529'],
  ['5299', '529.9'],
  ['529.9822', '529.982.2'],
  ['529982247', '529.982.247'],
  ['52998224725', '529.982.247-25'],
  ['529.982.247-259', '529.982.247-25'],
])('%s is shown as %s while it is typed', (typed, shown) => {
  expect(typedCpf(typed)).toBe(shown)
})

test('CPFs stand one per line or parted by commas, each counts once, and what is none is told', () => {
  expect(cpfsIn('529.982.247-25\n\n52998224725, 111.444.777-35;Ana')).toEqual({
    cpfs: ['52998224725', '11144477735'],
    wrong: ['Ana'],
  })
})
