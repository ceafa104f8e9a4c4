import { expect, test } from 'vitest'
import { signatureFiltersFrom } from './signature-filters.ts'

test('filters survive in the address, and what the page does not know is dropped', () => {
  const search = { cpf: '529.982.247-25', state: 'Failed', signatureId: 'd-1', from: '2026-11-01', to: '2026-11-02' }
  expect(signatureFiltersFrom({ ...search, other: 'x' })).toEqual({ ...search, cpf: '52998224725' })
  expect(signatureFiltersFrom({ state: 'Lost', from: 'yesterday', to: '', signatureId: ' ' })).toEqual({})
})
