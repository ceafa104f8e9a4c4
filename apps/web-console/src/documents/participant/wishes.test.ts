import { expect, test } from 'vitest'
import { wishesFromSearch } from './wishes.ts'

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
  expect(wishesFromSearch(search)).toEqual({
    ticket: 't',
    page: 3,
    scale: 1.5,
    preview: true,
    refusal: true,
    theme: 'dark',
    culture: 'pt-BR',
  })
})

test('wishes that make no sense are none', () => {
  const search = { page: 'x', scale: '99', preview: 'false', theme: 'pink', way: 'back', cloud: 'toString' }
  expect(wishesFromSearch(search)).toEqual({ ticket: '' })
})

test('what became of a cloud signature is understood', () => {
  expect(wishesFromSearch({ ticket: 't', cloud: 'cpf-mismatch' })).toEqual({ ticket: 't', cloud: 'cpf-mismatch' })
  expect(wishesFromSearch({ ticket: 't', way: 'cloud' })).toEqual({ ticket: 't', way: 'cloud' })
})
