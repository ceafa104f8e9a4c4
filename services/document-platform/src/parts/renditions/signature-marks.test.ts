import { describe, expect, test } from 'vitest'
import { maskCpf } from './mask-cpf.ts'
import { certificateMark, electronicMark, type SignatureMark } from './signature-marks.ts'
import { placedWords } from './test-support/judges.ts'
import { type PageShape, shapedPdf, signedPdf } from './test-support/sample-documents.ts'

const mark: SignatureMark = {
  place: { topLeftX: 40, topLeftY: 60, width: 180, height: 56 },
  name: 'José Gonçalves Ñandú',
  identifier: '12345678909',
  signedAt: new Date('2026-03-03T02:05:09.500Z'),
  timeZoneOffset: -180,
}

describe('the visible mark of a signature', () => {
  test.each([
    ['pt', 'Assinado digitalmente por', 'Data: 02/03/2026 23:05:09 (UTC-03:00)'],
    ['en', 'Digitally signed by', 'Date: 2026-03-02 23:05:09 (UTC-03:00)'],
    ['es', 'Firmado digitalmente por', 'Fecha: 02/03/2026 23:05:09 (UTC-03:00)'],
  ] as const)('says in %s who signed and when, on the clock of the signer', (language, title, date) => {
    expect(certificateMark(mark, language).lines).toStrictEqual([title, mark.name, 'CPF: ***.456.789-**', date])
  })

  test('of an electronic signature says so', () => {
    expect(electronicMark(mark, 'pt').lines![0]).toBe('Assinado eletronicamente por')
    expect(electronicMark({ ...mark, timeZoneOffset: 345 }, 'en').lines!.at(-1)).toBe(
      'Date: 2026-03-03 07:50:09 (UTC+05:45)',
    )
  })

  test('carries image, QR code and font size where they are given, and no CPF where there is none', () => {
    const { identifier: _, ...without } = mark
    const image = Buffer.from('PNG')
    const place = { ...mark.place, pageNumber: 3, fontSize: 7 }
    const { lines, ...rest } = certificateMark({ ...without, place, image, verificationUrl: 'https://a.example' }, 'pt')
    expect(lines).toHaveLength(3)
    expect(rest).toStrictEqual({
      beyond: 'moved',
      page: 3,
      x: 40,
      y: 60,
      width: 180,
      height: 56,
      origin: 'top-left',
      fontSize: 7,
      image,
      qrCode: 'https://a.example',
    })
  })

  test.each<[string, PageShape]>([
    ['plain', {}],
    ['turned by 90', { rotate: 90 }],
    ['turned by 180', { rotate: 180 }],
    ['turned by 270', { rotate: 270 }],
    ['cropped', { mediaBox: [-30, 50, 700, 800], cropBox: [40, 100, 400, 500] }],
    ['cropped and turned', { mediaBox: [-30, 50, 700, 800], cropBox: [40, 100, 400, 500], rotate: 90 }],
  ])('stands upright where it was placed on a page that is %s', async (_name, shape) => {
    const words = await placedWords(await signedPdf(await shapedPdf(shape), certificateMark(mark, 'pt')))
    const shown = words.filter(({ text }) => !text.startsWith('Page'))
    expect(shown.map(({ text }) => text).join(' ')).toContain('Assinado digitalmente por José Gonçalves Ñandú')
    for (const { left, top, right, bottom } of shown) {
      expect(left).toBeGreaterThanOrEqual(40)
      expect(right).toBeLessThanOrEqual(220)
      expect(top).toBeGreaterThanOrEqual(60)
      expect(bottom).toBeLessThanOrEqual(116)
    }
  })
})

test('a CPF is shown without its first three and last two digits, and anything else is not shown', () => {
  expect(maskCpf('12345678909')).toBe('***.456.789-**')
  expect(maskCpf('123.456.789-09')).toBe('***.456.789-**')
  for (const other of ['', '123', '12345678901234', 'abc']) expect(maskCpf(other)).toBeUndefined()
})
