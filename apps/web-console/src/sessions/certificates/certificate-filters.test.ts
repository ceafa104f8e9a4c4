import { expect, test } from 'vitest'
import { certificateFiltersFrom } from './certificate-filters.ts'

test('filters survive in the address, a CPF without its punctuation, and what the page does not know is dropped', () => {
  const search = { cpf: '529.982.247-25', status: 'STALE', custody: 'vault', q: ' ana ', other: 'y' }
  expect(certificateFiltersFrom(search)).toEqual({ cpf: '52998224725', status: 'STALE', custody: 'vault', q: 'ana' })
  expect(certificateFiltersFrom({ cpf: 'x', status: 'Lost', custody: '', q: ['a', 'b'] })).toEqual({})
})
