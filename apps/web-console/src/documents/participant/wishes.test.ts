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
  expect(wishesFromSearch({ page: 'x', scale: '99', preview: 'false', theme: 'pink' })).toEqual({ ticket: '' })
})
