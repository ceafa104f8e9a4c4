import { expect, test } from 'vitest'
import { visibleName } from './visible-name.ts'

test('a new line, a tab and other letters nobody sees are shown by their signs', () => {
  expect(visibleName('a\nb\tc\u007f\u0000.pdf')).toBe('a␊b␉c␡␀.pdf')
})

test('any other name stays as it is', () => {
  expect(visibleName('relatório "2" 😀.pdf')).toBe('relatório "2" 😀.pdf')
})
