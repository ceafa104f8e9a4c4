import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSigningRoom, type SigningRoom } from '../../pades/test-support/signing-room.ts'
import { summarizePdf } from '../pdf-summary.ts'
import { encryptedPdf } from '../test-support/encrypted-pdfs.ts'
import { hybridPdf, streamPdf, tablePdf, throughQpdf, withRevision } from '../test-support/sample-pdfs.ts'
import { repairPdf } from './repair-pdf.ts'

let room: SigningRoom

beforeAll(async () => {
  room = await openSigningRoom()
})

afterAll(() => room.stop())

const edited = (pdf: Buffer, from: string | RegExp, to: string) =>
  Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1')

const kinds: Readonly<Record<string, () => Buffer>> = {
  'a table': () => tablePdf({ pages: 2 }),
  'CR LF line ends': () => tablePdf({ pages: 2 }, '\r\n'),
  'object streams': () => streamPdf({ pages: 2 }),
  'object streams by qpdf': () => throughQpdf(tablePdf({ pages: 2 }), '--object-streams=generate'),
  'both cross-references': () => hybridPdf({ pages: 2 }),
  'two revisions': () => withRevision(tablePdf({ pages: 2 }), { 90: `(${'later '.repeat(500)})` }),
}

const damages: Readonly<Record<string, (pdf: Buffer) => Buffer>> = {
  'startxref is wrong': (pdf) => edited(pdf, /startxref\s+\d+(?=\s+%%EOF\s*$)/, 'startxref\n7'),
  'there is no startxref': (pdf) => edited(pdf, /startxref\s+\d+\s+%%EOF\s*$/, ''),
  'the cross-reference is gone': (pdf) => pdf.subarray(0, pdf.lastIndexOf('startxref') - 20),
  'bytes were put in between': (pdf) => edited(pdf, /\d+ 0 obj/, '% another editor was here\n$&'),
  'the tail is cut off': (pdf) => pdf.subarray(0, pdf.length - 40),
  'lengths of streams are wrong': (pdf) => edited(pdf, /\/Length \d+/g, '/Length 3'),
  'lengths of streams are missing': (pdf) => edited(pdf, /\/Length \d+/g, ''),
  'junk stands before the header': (pdf) => Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), pdf]),
}

async function qpdfCheck(pdf: Uint8Array): Promise<number | null> {
  const path = join(temporaryFolder(), 'file.pdf')
  writeFileSync(path, pdf)
  return (await runTool('qpdf', ['--check', path])).exitCode
}

async function textOf(pdf: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'file.pdf')
  writeFileSync(path, pdf)
  return (await runTool('pdftotext', [path, '-'])).text
}

describe.each(Object.entries(kinds))('a file with %s', (_kind, make) => {
  test('that is whole is said to be, and stays', () => {
    expect(repairPdf(make())).toEqual({ state: 'healthy' })
  })

  test.each(Object.entries(damages))('is repaired where %s, and can be signed then', async (_damage, damage) => {
    const broken = damage(make())
    const repaired = repairPdf(broken)
    if (repaired.state !== 'repaired') throw new Error('it is not healthy')
    expect(repaired.lost).toEqual([])
    expect(await qpdfCheck(repaired.bytes)).toBe(0)
    expect(summarizePdf(repaired.bytes).pages).toEqual(summarizePdf(make()).pages)
    expect(await textOf(repaired.bytes)).toMatch(/Contrato, page 1\s+Contrato, page 2/)
    expect(await room.validate(await room.sign(repaired.bytes))).toMatchObject({ indication: 'valid' })
  })
})

describe('a repair', () => {
  test('is what signing asks for', async () => {
    for (const damage of ['startxref is wrong', 'the tail is cut off'])
      await expect(room.sign(damages[damage]!(tablePdf()))).rejects.toMatchObject({ code: 'pdf.damaged' })
    const behindJunk = damages['junk stands before the header']!(tablePdf())
    await expect(room.sign(behindJunk)).rejects.toMatchObject({ code: 'pdf.junk-before-header' })
  })

  test('takes the newest object of each number', async () => {
    const revised = withRevision(tablePdf(), {
      5: '<< /Length 38 >>\nstream\nBT /F1 24 Tf 72 700 Td (second) Tj ET   \nendstream',
    })
    const repaired = repairPdf(edited(revised, /startxref\s+\d+(?=\s+%%EOF\s*$)/, 'startxref\n7'))
    expect(repaired.state === 'repaired' && (await textOf(repaired.bytes))).toContain('second')
  })

  test('leaves out a page that is not there any more, and names what was lost', () => {
    const broken = edited(tablePdf({ pages: 3 }), /6 0 obj\n<< \/Type/, '6 0 obj\n}} /Type')
    const repaired = repairPdf(broken)
    expect(repaired).toMatchObject({ state: 'repaired', lost: [6] })
    expect(repaired.state === 'repaired' && summarizePdf(repaired.bytes).pages).toHaveLength(2)
  })

  test('is refused for what is signed, encrypted, no PDF, or has nothing left to show', async () => {
    const signed = await room.sign(tablePdf())
    const encrypted = encryptedPdf(tablePdf(), 'AES-256 (R6)')
    const cases = [
      ['pdf.repair-signed', damages['startxref is wrong']!(signed)],
      ['pdf.repair-signed', damages['the tail is cut off']!(signed)],
      ['pdf.repair-signed', damages['startxref is wrong']!(throughQpdf(signed, '--object-streams=generate'))],
      ['pdf.repair-encrypted', damages['startxref is wrong']!(encrypted)],
      ['pdf.not-a-pdf', Buffer.from('text')],
      ['pdf.beyond-repair', Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n')],
    ] as const
    for (const [code, broken] of cases) expect(() => repairPdf(broken)).toThrowError(expect.objectContaining({ code }))
  })

  test('does not mistake what stands in a stream for objects of the file', async () => {
    const inner = tablePdf().toString('latin1')
    const embedded = `<< /Type /EmbeddedFile /Length ${inner.length} >>\nstream\n${inner}\nendstream`
    const outer = tablePdf({ catalog: '/Outer 70 0 R', extra: { 70: embedded } })
    const repaired = repairPdf(edited(outer, /startxref\s+\d+(?=\s+%%EOF\s*$)/, 'startxref\n7'))
    expect(repaired.state === 'repaired' && repaired.bytes.includes('/Outer')).toBe(true)
  })
})
