import { Refusal } from '@chancela/service-kernel/errors'
import { expect, test } from 'vitest'
import { readCsv } from './read-csv.ts'

const read = (text: string) => readCsv(Buffer.from(text))

test('cells are separated by the sign the header uses, and quotes keep signs and line breaks', () => {
  expect(read('nome;cpf\r\n"Silva; Ana";529\r\n\r\nBruno;"a\n""b"""\r\nCarla;1')).toEqual({
    columns: ['nome', 'cpf'],
    rows: [
      { line: 2, cells: ['Silva; Ana', '529'] },
      { line: 4, cells: ['Bruno', 'a\n"b"'] },
      { line: 6, cells: ['Carla', '1'] },
    ],
  })
})

test('a mark of the byte order is no part of the first name, and what is no UTF-8 is Latin-1', () => {
  expect(read('\ufeffnome,cpf\nAna,1').columns).toEqual(['nome', 'cpf'])
  expect(readCsv(Buffer.from('nome\nJos\xe9', 'latin1')).rows[0]!.cells).toEqual(['José'])
})

test.each(['', '\n', 'a,,b', 'a,a', 'a\n"b', 'a\n"b"c'])('%j is refused', (text) => {
  expect(() => read(text)).toThrow(Refusal)
})
