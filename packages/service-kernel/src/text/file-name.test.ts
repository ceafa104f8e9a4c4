import { expect, test } from 'vitest'
import { fileNameOf } from './file-name.ts'

test.each([
  ['contrato.pdf', 'contrato.pdf'],
  ['C:\\Users\\ana\\Contrato de locação.pdf', 'Contrato de locação.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['a\r\nX-Header: b\u0000\u202e.pdf', 'aX-Header: b.pdf'],
  ['half \ud83d.pdf', 'half .pdf'],
  ['', 'document.pdf'],
  ['folder/', 'document.pdf'],
  ['..', 'document.pdf'],
  [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(256)}.pdf`],
])('%j is called %j', (given, name) => {
  expect(fileNameOf(given, 'document.pdf')).toBe(name)
})
