import { describe, expect, test } from 'vitest'
import { EngineError } from '../errors/engine-error.ts'
import { summarizePdf } from './index.ts'
import { streamPdf, tablePdf } from './test-support/sample-pdfs.ts'

describe('the summary of a PDF', () => {
  test('tells its pages as viewers show them', () => {
    const page = '/MediaBox [10 20 510 720] /CropBox [60 70 360 470] /Rotate 450'
    for (const make of [tablePdf, streamPdf])
      expect(summarizePdf(make({ pages: 2, page }))).toStrictEqual({
        pages: [
          { width: 400, height: 300, rotate: 90 },
          { width: 400, height: 300, rotate: 90 },
        ],
        fields: [],
        permitsSigning: true,
      })
  })

  test('tells its form fields, and whether they are filled', () => {
    const catalog = '/AcroForm << /Fields [100001 0 R 100002 0 R] >>'
    const extra = {
      100001: '<< /T (name) /FT /Tx /V (Maria) >>',
      100002: '<< /T (more) /Kids [100003 0 R] >>',
      100003: '<< /T (seal) /FT /Sig /Parent 100002 0 R >>',
    }
    expect(summarizePdf(tablePdf({ catalog, extra })).fields).toStrictEqual([
      { name: 'name', type: 'Tx', isFilled: true },
      { name: 'more.seal', type: 'Sig', isFilled: false },
    ])
  })

  test('refuses what is no PDF by name', () => {
    expect(() => summarizePdf(Buffer.from('text'))).toThrow(EngineError)
  })
})
