import { expect, test } from 'vitest'
import { maskedAlias, maskedIdentifier } from './masks.ts'

test('a CPF shows its middle, a CNPJ its begin', () => {
  expect(maskedIdentifier('CPF', '52998224725')).toBe('***.982.247-**')
  expect(maskedIdentifier('CNPJ', '12ABC34501DE35')).toBe('12.ABC.***/****-**')
})

test('what is neither shows nothing', () => {
  expect(maskedIdentifier('CPF', '5299822472')).toBe('***')
  expect(maskedIdentifier('CPF', '552998224725')).toBe('***')
  expect(maskedIdentifier('CNPJ', '12ABC34501DE3')).toBe('***')
  expect(maskedIdentifier('CNPJ', '112ABC34501DE35')).toBe('***')
})

test('an alias keeps its words and hides its long numbers', () => {
  expect(maskedAlias('ANA SOUZA:52998224725')).toBe('ANA SOUZA:********725')
  expect(maskedAlias('cert-2')).toBe('cert-2')
})
