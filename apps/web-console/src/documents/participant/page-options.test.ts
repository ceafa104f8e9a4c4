import { expect, test } from 'vitest'
import { optionsFromSearch } from './page-options.ts'

test('what the widget appends to an address is understood', () => {
  const search = {
    ticket: 't',
    notify: 'true',
    page: '3',
    scale: '1.5',
    preview: 'true',
    refusal: 'true',
    theme: 'Dark',
    culture: 'pt',
  }
  expect(optionsFromSearch(search)).toEqual({
    ticket: 't',
    page: 3,
    scale: 1.5,
    preview: true,
    refusal: true,
    theme: 'dark',
    culture: 'pt-BR',
  })
})

test('options that make no sense are left out', () => {
  const search = { page: 'x', scale: '99', preview: 'false', theme: 'pink', way: 'back', cloud: 'toString' }
  expect(optionsFromSearch(search)).toEqual({ ticket: '' })
})

test('what became of a cloud signature is understood', () => {
  expect(optionsFromSearch({ ticket: 't', cloud: 'cpf-mismatch' })).toEqual({ ticket: 't', cloud: 'cpf-mismatch' })
  expect(optionsFromSearch({ ticket: 't', way: 'cloud' })).toEqual({ ticket: 't', way: 'cloud' })
})
