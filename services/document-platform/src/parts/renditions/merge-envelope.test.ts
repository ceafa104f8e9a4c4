import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { mergeEnvelope } from './merge-envelope.ts'
import { UnreadablePdf } from './pdf-library.ts'
import { inspectPdf } from './read-pdf.ts'
import { hasSignatures, pageTexts, placedWords } from './test-support/judges.ts'
import { damagedFormPdf, linkedPdf, shapedPdf, signedPdf, undrawnFormPdf } from './test-support/sample-documents.ts'

const appearance = { x: 300, y: 400, width: 200, height: 60, lines: ['Assinado por', 'Conceição'] }

describe('an envelope', () => {
  test('has the pages of all files in order, each as it was shown', async () => {
    const shape = { rotate: 90, mediaBox: [10, 20, 500, 700], cropBox: [60, 70, 300, 400] } as const
    const envelope = await mergeEnvelope([samplePdf('Contrato'), await shapedPdf({}, shape), samplePdf('Anexo')])
    const words = await placedWords(envelope)
    expect(words.map(({ page, text }) => `${page} ${text}`)).toStrictEqual([
      '1 Contrato',
      '2 Page1',
      '3 Page2',
      '4 Anexo',
    ])
    expect(inspectPdf(envelope)).toMatchObject({ pages: [{}, {}, { width: 400, height: 300, rotate: 90 }, {}] })
  })

  test('keeps visible signatures as they are drawn, and no signature', async () => {
    const signed = await signedPdf(await shapedPdf({ rotate: 90 }), appearance)
    expect(await hasSignatures(signed)).toBe(true)
    const envelope = await mergeEnvelope([signed, samplePdf('Anexo')])
    expect(await hasSignatures(envelope)).toBe(false)
    expect(inspectPdf(envelope)).toMatchObject({ fields: [], signatures: 0 })
    const [before, after] = [await placedWords(signed), await placedWords(envelope)]
    const mark = (words: typeof before) => words.filter(({ text }) => text === 'Conceição')
    expect(mark(after)).toStrictEqual(mark(before))
    expect(mark(after)).toHaveLength(1)
  })

  test('keeps form fields as they are drawn, and draws those that viewers would', async () => {
    const [text] = await pageTexts(await mergeEnvelope([await undrawnFormPdf('Maria Jose')]))
    expect(text).toContain('Maria Jose')
  })

  test('keeps links to addresses, and drops those to pages, which would carry their document along', async () => {
    const { PDFDocument, PDFPageLeaf } = await import('@cantoo/pdf-lib')
    const { context } = await PDFDocument.load(await mergeEnvelope([await linkedPdf(), await linkedPdf()]))
    const pages = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) => (object instanceof PDFPageLeaf ? [object] : []))
    expect(pages).toHaveLength(4)
    expect(pages.map((page) => page.Annots()?.size() ?? 0)).toStrictEqual([1, 0, 1, 0])
    expect(String(pages[0]!.Annots()!.lookup(0))).toContain('(https://example.com/)')
  })

  test('can be signed', async () => {
    const envelope = await mergeEnvelope([samplePdf('Contrato'), samplePdf('Anexo')])
    expect(await hasSignatures(await signedPdf(envelope, appearance))).toBe(true)
  })

  test('is not made of a file with layers that are not shown: they would be', async () => {
    const { PDFDocument, PDFName } = await import('@cantoo/pdf-lib')
    const layered = async (shown: object) => {
      const document = await PDFDocument.load(samplePdf('Contrato'))
      const layer = document.context.register(document.context.obj({ Type: 'OCG', Name: 'Camada' }))
      const layers = document.context.obj({ OCGs: [layer], D: { ...shown, Order: [layer] } })
      document.catalog.set(PDFName.of('OCProperties'), layers)
      return document.save()
    }
    await expect(mergeEnvelope([await layered({ OFF: [1] })])).rejects.toMatchObject({ trouble: { kind: 'ambiguous' } })
    await expect(mergeEnvelope([await layered({ BaseState: 'OFF' })])).rejects.toThrow(UnreadablePdf)
    expect(await pageTexts(await mergeEnvelope([await layered({})]))).toHaveLength(1)
  })

  test('is refused by name when a file cannot be read', async () => {
    for (const wrong of [Buffer.from('no PDF'), Buffer.from('%PDF-1.7\nnothing more'), await damagedFormPdf()])
      await expect(mergeEnvelope([samplePdf('Contrato'), wrong])).rejects.toThrow(UnreadablePdf)
  })
})
