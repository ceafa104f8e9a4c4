import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ignoreRules, isIgnored } from './ignore-rules.ts'
import { arrivingJob, landingNames, uploadName } from './upload-name.ts'

test.each([
  ['a.pdf', 'a.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\Relatório.pdf', 'Relatório.pdf'],
  ['Relato\u0301rio.pdf', 'Relatório.pdf'],
  ['a\u0000b\n.pdf', 'a_b_.pdf'],
  ['a<b>:"|?*.pdf', 'a_b______.pdf'],
  ['fatura\u202Efdp.exe', 'faturafdp.exe'],
  [' a.pdf . ', 'a.pdf'],
  ['NUL', '_NUL'],
  ['com1.txt', '_com1.txt'],
  ['common.txt', 'common.txt'],
  ['', undefined],
  ['..', undefined],
  ['dir/', undefined],
  ['\u200B', undefined],
])('%j is kept as %j', (client, kept) => {
  expect(uploadName(client)).toBe(kept)
})

test('a name is never a path, never too long for its output, and kept as it is the second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (client) => {
      const name = uploadName(client)
      if (name === undefined) return
      expect(name).not.toMatch(/[/\\\p{Cc}]/u)
      expect(['.', '..', '']).not.toContain(name)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
      expect(uploadName(name)).toBe(name)
    }),
  )
})

test('a long name keeps its extension', () => {
  const name = uploadName(`${'ç'.repeat(300)}.pdf`)
  expect(name).toMatch(/^ç+\.pdf$/)
  expect(Buffer.byteLength(name!)).toBe(200)
})

const ID = '0f7c2a58-2f0e-4f3e-9c55-0d7f3f6a9b10'

test.each([
  ['Relatório.PDF', `${ID}.PDF`],
  ['archive.tar.gz', `${ID}.gz`],
  ['no-extension', ID],
  ['odd.ext ension', ID],
  [`long.${'e'.repeat(17)}`, ID],
])('%s lands under the id of its job', (fileName, landed) => {
  const names = landingNames(ID, fileName)
  expect(names.landed).toBe(landed)
  expect(isIgnored(ignoreRules(), names.arriving)).toBe(true)
  expect(arrivingJob(names.arriving)).toEqual({ jobId: ID, landed })
})

test('files that are not uploads on their way in belong to no job', () => {
  for (const name of [`${ID}.pdf`, '.chancela-upload-x.pdf', `.chancela-upload-${ID}.pdf.bak!`])
    expect(arrivingJob(name)).toBeUndefined()
})
