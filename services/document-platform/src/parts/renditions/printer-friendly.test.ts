import type { PageSummary } from '@chancela/signature-engine/pdf'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { printerFriendly } from './printer-friendly.ts'
import { inspectPdf } from './read-pdf.ts'
import { hasSignatures, pageTexts, placedWords } from './test-support/judges.ts'
import { linkedPdf, type PageShape, shapedPdf, signedPdf } from './test-support/sample-documents.ts'
import { sampleInfo } from './test-support/sample-info.ts'

const appearance = { x: 100, y: 20, width: 200, height: 60, lines: ['Assinado por', 'Conceição'] }

function firstPage(pdf: Uint8Array): PageSummary {
  const found = inspectPdf(pdf)
  if (found.kind !== 'pdf') throw new Error('This is no PDF.')
  return found.pages[0]!
}

describe('the printable version', () => {
  test('has every page with key, address and number, and the manifest at the end', async () => {
    const [first, second, manifest, ...more] = await pageTexts(
      await printerFriendly(await shapedPdf({}, {}), sampleInfo),
    )
    expect(more).toStrictEqual([])
    for (const [at, text] of [first!, second!].entries()) {
      expect(text).toContain(`Page${at + 1}`)
      expect(text).toContain('Chave: K7XQ-4MVD-92TB-HJWP')
      expect(text).toContain(sampleInfo.verificationUrl)
      expect(text).toContain(`Página ${at + 1} de 2`)
    }
    expect(manifest).toContain('Manifesto de assinaturas')
  })

  test('speaks the language that is asked for', async () => {
    const [first, manifest] = await pageTexts(await printerFriendly(samplePdf('Contract'), sampleInfo, 'en'))
    expect(first).toContain('Printable version.')
    expect(manifest).toContain('Signatures manifest')
  })

  test('shows visible signatures as they are drawn, and has no signature', async () => {
    const signed = await signedPdf(samplePdf('Contrato'), appearance)
    const printable = await printerFriendly(signed, sampleInfo)
    expect(await hasSignatures(printable)).toBe(false)
    expect(inspectPdf(printable)).toMatchObject({ kind: 'pdf', fields: [], signatures: 0 })
    const words = await placedWords(printable)
    expect(words.filter(({ text, page }) => text === 'Conceição' && page === 1)).toHaveLength(1)
  })

  test.each<[string, PageShape]>([
    ['plain', {}],
    ['turned by 90', { rotate: 90 }],
    ['turned by 180', { rotate: 180 }],
    ['turned by 270', { rotate: 270 }],
    ['cropped and turned', { mediaBox: [-30, 50, 700, 800], cropBox: [40, 100, 400, 500], rotate: 90 }],
    ['small', { mediaBox: [0, 0, 226, 400] }],
  ])('keeps the size of a page that is %s, and its content above the note', async (_name, shape) => {
    const pdf = await shapedPdf(shape)
    const printable = await printerFriendly(pdf, sampleInfo)
    const [before, after] = [await placedWords(pdf), await placedWords(printable)]
    const page = firstPage(pdf)
    expect(firstPage(printable)).toStrictEqual(page)
    const own = (words: typeof after) => words.find(({ text }) => text === 'Page1')!
    const strip = Math.min(Math.max(page.width * 0.062, 14), 37)
    const scale = 1 - strip / page.height
    expect(own(after).top).toBeCloseTo(own(before).top * scale, 1)
    expect(own(after).left).toBeCloseTo(own(before).left * scale + (page.width * (1 - scale)) / 2, 1)
    const note = after.filter((word) => word.page === 1 && word.text !== 'Page1')
    expect(note.map(({ text }) => text).join(' ')).toContain('Chave: K7XQ-4MVD-92TB-HJWP')
    for (const { top, bottom, left, right } of note) {
      expect([top >= page.height - strip - 1, bottom <= page.height + 1]).toStrictEqual([true, true])
      expect([left >= 0, right <= page.width]).toStrictEqual([true, true])
    }
  })

  test('keeps links to addresses where their text has gone', async () => {
    const printable = await printerFriendly(await linkedPdf(), sampleInfo)
    const scale = 1 - (595 * 0.062) / 842
    const { PDFDocument, PDFDict, PDFName, PDFArray } = await import('@cantoo/pdf-lib')
    const [page] = (await PDFDocument.load(printable)).getPages()
    const links = page!.node.Annots()!
    expect(links.size()).toBe(1)
    const { width } = links.lookup(0, PDFDict).lookup(PDFName.of('Rect'), PDFArray).asRectangle()
    expect(width).toBeCloseTo(100 * scale, 3)
  })
})
