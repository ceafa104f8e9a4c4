import { describe, expect, test } from 'vitest'
import { pageTexts, placedWords } from './test-support/judges.ts'
import { type PageShape, shapedPdf, signedPdf } from './test-support/sample-documents.ts'
import { type VerificationStamp, withVerificationStamp } from './verification-stamp.ts'

const KEY = 'ABCDEFGHJKLMNPQRSTUV'
const stamp: VerificationStamp = {
  documentName: 'Contrato de locação',
  key: KEY,
  verificationUrl: `https://assinar.example/validate/${KEY}`,
  footer: false,
  sheet: false,
  places: [],
  participants: [{ role: 'Signer', name: 'José Gonçalves' }],
}

describe('a PDF before anybody signs it', () => {
  test.each<[string, PageShape]>([
    ['plain', {}],
    ['turned by 90', { rotate: 90 }],
    ['turned by 180', { rotate: 180 }],
    ['cropped and turned', { mediaBox: [-30, 50, 700, 800], cropBox: [40, 100, 400, 500], rotate: 270 }],
  ])('gets code and address at the foot of a page that is %s', async (_name, shape) => {
    const pdf = await shapedPdf(shape)
    const stamped = await withVerificationStamp(pdf, { ...stamp, footer: true })
    expect(stamped.subarray(0, pdf.length).equals(pdf)).toBe(true)
    const words = await placedWords(stamped)
    const code = words.find(({ text }) => text === KEY)!
    const [, , , height = 842] = shape.cropBox ?? shape.mediaBox ?? []
    const [, , width = 595] = shape.cropBox ?? shape.mediaBox ?? []
    const shown = shape.rotate === 90 || shape.rotate === 270 ? width : height
    expect(code.top).toBeGreaterThan(shown - 40)
    expect(code.bottom).toBeLessThan(shown)
    expect(words.map(({ text }) => text)).toContain(stamp.verificationUrl)
    expect(words.some(({ text }) => text === 'Page1')).toBe(true)
  })

  test('gets it on every page, whatever their sizes, but for pages too small to carry it', async () => {
    const pdf = await shapedPdf({}, { mediaBox: [0, 0, 1200, 800] }, { mediaBox: [0, 0, 100, 100] }, {})
    const texts = await pageTexts(await withVerificationStamp(pdf, { ...stamp, footer: true }))
    expect(texts.map((text) => text.includes(KEY))).toEqual([true, true, false, true])
  })

  test('gets a sheet with code, address and a box for everybody, on as many pages as that takes', async () => {
    const participants = Array.from({ length: 30 }, (_, at) => ({ role: 'Signer', name: `Pessoa ${at + 1}` }) as const)
    const pdf = await shapedPdf({})
    const texts = await pageTexts(await withVerificationStamp(pdf, { ...stamp, sheet: true, participants }, 'en'))
    expect(texts).toHaveLength(1 + 3)
    expect(texts[0]).not.toContain(KEY)
    for (const said of ['Signature sheet', 'Contrato de locação', KEY, stamp.verificationUrl])
      expect(texts[1]).toContain(said)
    for (const { name } of participants) expect(texts.slice(1).join('\n')).toMatch(new RegExp(`${name}\\b`))
  })

  test('shares one font among everything that is drawn', async () => {
    const pdf = await shapedPdf({})
    const participants = Array.from({ length: 30 }, (_, at) => ({ role: 'Signer', name: `Pessoa ${at + 1}` }) as const)
    const one = await withVerificationStamp(pdf, { ...stamp, sheet: true })
    const many = await withVerificationStamp(pdf, { ...stamp, sheet: true, participants })
    expect(many.length - one.length).toBeLessThan(50_000)
  })

  test('gets a stamp where the sender placed one', async () => {
    const places = [{ pageNumber: 2, topLeftX: 100, topLeftY: 50, width: 240, height: 60 }]
    const words = await placedWords(await withVerificationStamp(await shapedPdf({}, {}), { ...stamp, places }))
    const code = words.filter(({ text }) => text === KEY)
    expect(code).toMatchObject([{ page: 2 }])
    expect(code[0]!.left).toBeGreaterThanOrEqual(100)
    expect(code[0]!.right).toBeLessThanOrEqual(340)
    expect(code[0]!.top).toBeGreaterThanOrEqual(50)
    expect(code[0]!.bottom).toBeLessThanOrEqual(110)
  })

  test('is left alone once it is signed', async () => {
    const mark = { x: 20, y: 20, width: 100, height: 30, lines: ['x'] }
    const signed = await signedPdf(await shapedPdf({}), mark)
    await expect(withVerificationStamp(signed, { ...stamp, footer: true })).rejects.toMatchObject({
      code: 'pades.locked',
    })
  })
})
