import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { drawMarks } from './draw-marks.ts'
import { inspectPdf } from './read-pdf.ts'
import { pageTexts, placedWords } from './test-support/judges.ts'
import { type PageShape, shapedPdf, signedPdf } from './test-support/sample-documents.ts'

const mark = { topLeftX: 40, topLeftY: 60, width: 150, height: 50, label: 'Conceição', detail: 'Assinatura' }

describe('marks', () => {
  test.each<[string, PageShape]>([
    ['plain', {}],
    ['turned by 90', { rotate: 90 }],
    ['turned by 180', { rotate: 180 }],
    ['turned by 270', { rotate: 270 }],
    ['cropped and turned', { mediaBox: [-30, 50, 700, 800], cropBox: [40, 100, 400, 500], rotate: 270 }],
  ])('stand upright where they were placed on a page that is %s', async (_name, shape) => {
    const words = await placedWords(await drawMarks(await shapedPdf(shape), [mark]))
    const drawn = words.filter(({ text }) => text !== 'Page1')
    expect(drawn.map(({ text }) => text)).toStrictEqual(['Conceição', 'Assinatura'])
    for (const { left, top, right, bottom } of drawn)
      expect([left >= 40, right <= 190, top >= 60, bottom <= 110]).toStrictEqual([true, true, true, true])
  })

  test('stand on the pages that they name; those of a page that is not there are left out', async () => {
    const marks = [1, 3, 9].map((pageNumber) => ({ ...mark, pageNumber, label: `Marca${pageNumber}` }))
    const texts = await pageTexts(await drawMarks(await shapedPdf({}, {}, {}), marks))
    expect(texts.map((text) => text.match(/Marca\d/g) ?? [])).toStrictEqual([['Marca1'], [], ['Marca3']])
  })

  test('stand alone where that is asked for, on pages of the same sizes', async () => {
    const pdf = await shapedPdf({}, { rotate: 90 })
    const blank = await drawMarks(pdf, [mark], { on: 'blank' })
    expect(inspectPdf(blank)).toStrictEqual(inspectPdf(pdf))
    const words = await placedWords(blank)
    expect(words.map(({ text }) => text)).toStrictEqual(['Conceição', 'Assinatura'])
  })

  test('fit a long label into a small box', async () => {
    const label = 'Maria da Conceição Gonçalves de Albuquerque e Melo'
    const words = await placedWords(
      await drawMarks(samplePdf(''), [{ ...mark, width: 90, height: 24, label, detail: 'Rubrica' }]),
    )
    expect(words.map(({ text }) => text).join(' ')).toBe(`${label} Rubrica`)
    for (const { right, bottom } of words) expect([right <= 130, bottom <= 84.5]).toStrictEqual([true, true])
  })

  test('are drawn on a signed document too', async () => {
    const signed = await signedPdf(samplePdf('Contrato'), { x: 300, y: 400, width: 200, height: 60, lines: ['Maria'] })
    const [text] = await pageTexts(await drawMarks(signed, [mark]))
    for (const told of ['Contrato', 'Maria', 'Conceição']) expect(text).toContain(told)
  })
})
