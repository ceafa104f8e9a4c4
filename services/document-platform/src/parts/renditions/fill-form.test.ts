import { PDFDocument } from '@cantoo/pdf-lib'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { fillForm } from './fill-form.ts'
import { inspectPdf } from './read-pdf.ts'
import { pageTexts, pixels, placedWords } from './test-support/judges.ts'
import { formPdf } from './test-support/sample-documents.ts'

describe('a filled form', () => {
  test('shows its values in any alphabet, and is no form any more', async () => {
    const values = { 'cliente.nome': 'João Łukasz Ñandú Ωμέγα', 'cliente.uf': 'Pernambuco', cidade: 'São Paulo' }
    const filled = await fillForm(await formPdf(), values)
    const [text] = await pageTexts(filled)
    for (const value of ['Ficha', ...Object.values(values)]) expect(text).toContain(value)
    expect(inspectPdf(filled)).toMatchObject({ kind: 'pdf', fields: [], signatures: 0 })
    const name = (await placedWords(filled)).find(({ text: word }) => word === 'Łukasz')!
    expect([name.left > 60, name.top > 842 - 722, name.bottom < 842 - 698]).toStrictEqual([true, true, true])
  })

  test.each([
    [true, 'anual', [true, false, true]],
    ['sim', 'mensal', [true, true, false]],
    ['false', 'nenhum', [false, false, false]],
    [0, undefined, [false, false, false]],
  ])('checks a box with %j and chooses %j', async (aceite, plano, expected) => {
    const page = await pixels(await fillForm(await formPdf(), { aceite, plano }), 72)
    const isDark = (left: number, bottom: number) => {
      const middle = [-3, -2, -1, 0, 1, 2, 3].flatMap((dx) => [-3, -2, -1, 0, 1, 2, 3].map((dy) => [dx, dy] as const))
      return middle.some(([dx, dy]) => page.at(left + 8 + dx, 842 - bottom - 8 + dy) < 128)
    }
    expect([isDark(60, 620), isDark(60, 580), isDark(100, 580)]).toStrictEqual(expected)
  })

  test('passes over names that it does not have, and files without a form', async () => {
    const [text] = await pageTexts(await fillForm(samplePdf('Contrato'), { 'cliente.nome': 'Maria', __proto__: 'x' }))
    expect(text!.trim()).toBe('Contrato')
  })

  test('carries metadata in its information, in any alphabet', async () => {
    const filled = await fillForm(
      samplePdf('Contrato'),
      {},
      { Title: 'Ação nº 5', 'Número do processo': 12, Autor: '✓' },
    )
    const info = await PDFDocument.load(filled, { updateMetadata: false })
    expect(info.getTitle()).toBe('Ação nº 5')
    const entries = info.context.lookup(info.context.trailerInfo.Info)!.toString()
    expect(entries).toContain('/N#C3#BAmero#20do#20processo <FEFF00310032>')
    expect(entries).toContain('/Autor <FEFF2713>')
    expect((await pageTexts(filled))[0]!.trim()).toBe('Contrato')
  })

  test('that is given metadata alone stays a form', async () => {
    expect(inspectPdf(await fillForm(await formPdf(), {}, { Title: 'Ficha' }))).toMatchObject({ fields: { length: 5 } })
  })
})
