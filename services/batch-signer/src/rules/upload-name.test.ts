import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ignoreRules, isIgnored } from './ignore-rules.ts'
import { arrivingJob, landingNames, uploadName } from './upload-name.ts'

test.each([
  ['a.pdf', 'a.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\Relatório.pdf', 'Relatório.pdf'],
  ['Relato\u0301rio.pdf', 'Relatório.pdf'],
  ['common.txt', 'common.txt'],
  ['.bashrc', '.bashrc'],
])('%j is taken as %j', (client, name) => {
  expect(uploadName(client)).toEqual({ name })
})

test.each([
  '',
  '..',
  'dir/',
  ' . ',
  'a\u0000b.pdf',
  'a\nb.pdf',
  'a:b.pdf',
  'a<b>"|?*.pdf',
  'fatura\u202Efdp.exe',
  '\u200B',
  ' a.pdf',
  'a.pdf ',
  'a.pdf.',
  'NUL',
  'com1.txt',
  `${'n'.repeat(197)}.txt`,
  `${'ç'.repeat(99)}.pdf`,
])('%j is refused, never changed', (client) => {
  expect(uploadName(client)).toEqual({ problem: expect.any(String) })
})

test('a name is never a path, never too long for its output, and kept as it is the second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (client) => {
      const named = uploadName(client)
      if ('problem' in named) return
      expect(named.name).not.toMatch(/[/\\\p{Cc}]/u)
      expect(['.', '..', '']).not.toContain(named.name)
      expect(Buffer.byteLength(named.name)).toBeLessThanOrEqual(200)
      expect(uploadName(named.name)).toEqual(named)
    }),
  )
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
