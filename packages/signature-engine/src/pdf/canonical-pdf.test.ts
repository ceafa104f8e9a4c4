import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { ambiguousPdfs, HIDDEN, SHOWN } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { canonicalPdf } from './canonical-pdf.ts'
import { limits } from './limits.ts'
import { allPages } from './page-tree.ts'
import { openPdf } from './pdf-file.ts'
import { containerKinds, streamPdf, tablePdf, withRevision } from './test-support/sample-pdfs.ts'

function fileOf(pdf: Uint8Array): string {
  const path = join(temporaryFolder(), 'file.pdf')
  writeFileSync(path, pdf)
  return path
}

const shown = async (pdf: Uint8Array): Promise<string> =>
  (await runTool('pdftotext', ['-layout', fileOf(pdf), '-'])).stdout.toString('utf8')

/** The same through a reader that follows no cross-reference: it takes the last object of each number in the file. */
async function shownInFileOrder(pdf: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  return shown(await document.save({ useObjectStreams: false }))
}

const { hybrid, ...readAlike } = containerKinds

describe.each(Object.entries(readAlike))('a file of the kind "%s"', (_kind, make) => {
  test('is written anew: sound, with one table, and the same to every reader', async () => {
    const pdf = canonicalPdf(make())
    const { ok, text } = await runTool('qpdf', ['--check', fileOf(pdf)])
    expect(text).not.toMatch(/WARNING/)
    expect(ok).toBe(true)
    expect(openPdf(pdf).revisions).toHaveLength(1)
    expect(openPdf(pdf).section.style).toBe('table')
    expect(allPages(openPdf(pdf))).toHaveLength(allPages(openPdf(make())).length)
    const before = await shown(make())
    expect(before).toContain('Contrato, page 1')
    expect(await shown(pdf)).toBe(before)
    expect(await shownInFileOrder(pdf)).toBe(before)
  })

  test('is the same when it is written anew again', () => {
    const once = canonicalPdf(make())
    expect(canonicalPdf(once).equals(once)).toBe(true)
  })
})

describe('a file that readers may understand in two ways', () => {
  const all = Object.entries(ambiguousPdfs)
  const read = all.filter(([, { verdict }]) => verdict === 'read')
  const refused = all.filter(([, { verdict }]) => verdict !== 'read')

  test.each(read)('has the reading of the cross-reference alone: %s', async (_what, { make }) => {
    const before = await shown(make())
    expect([before.includes(SHOWN), before.includes(HIDDEN)]).toEqual([true, false])
    const pdf = canonicalPdf(make())
    expect(await shown(pdf)).toBe(before)
    expect(await shownInFileOrder(pdf)).toBe(before)
  })

  test.each(refused)('is refused by name: %s', (_what, { make, verdict }) => {
    expect(() => canonicalPdf(make())).toThrow(expect.objectContaining({ code: `pdf.${verdict}` }))
  })
})

test('a font that only the stream behind a table has is refused: many readers would draw no text', async () => {
  expect(await shown(hybrid!())).not.toContain('Contrato')
  expect(() => canonicalPdf(hybrid!())).toThrow(expect.objectContaining({ code: 'pdf.ambiguous' }))
})

describe('what is written anew', () => {
  test('has nothing that the document does not lead to', () => {
    const first = tablePdf({ fillers: 50, fillerBytes: 1000 })
    const pdf = canonicalPdf(withRevision(first, { 3: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>' }))
    expect(pdf.length).toBeLessThan(2000)
    expect(pdf.toString('latin1')).toContain('/Courier')
    expect(pdf.toString('latin1')).not.toContain('/Helvetica')
  })

  test('keeps information and identifiers, and drops entries of nothing', () => {
    const extra = { 100000: '<< /Title (Contrato) /Author null >>' }
    const pdf = canonicalPdf(tablePdf({ extra, trailer: '/Info 100000 0 R' })).toString('latin1')
    expect(pdf).toContain('/Title (Contrato)')
    expect(pdf).not.toContain('/Author')
    expect(pdf).toMatch(/\/ID \[<00112233/)
  })

  test('is not begun for more pages, or more bytes in object streams, than the caller allows', () => {
    const tooComplex = expect.objectContaining({ code: 'pdf.too-complex' })
    expect(() => canonicalPdf(tablePdf({ pages: 4 }), { ...limits, pages: 3 })).toThrow(tooComplex)
    expect(canonicalPdf(tablePdf({ pages: 3 }), { ...limits, pages: 3 }).length).toBeGreaterThan(0)
    expect(() => canonicalPdf(streamPdf({ pages: 100 }), { ...limits, decodedTotal: 1000 })).toThrow(tooComplex)
  })
})
