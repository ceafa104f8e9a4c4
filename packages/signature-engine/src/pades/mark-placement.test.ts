import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EngineErrorCode } from '../errors/error-codes.ts'
import { summarizePdf } from '../pdf/pdf-summary.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { type Appearance, drawAppearance, stampPages } from './index.ts'
import { renderPage } from './test-support/rendered-page.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

const shown: Appearance = { x: 36, y: 36, width: 200, height: 50, lines: ['Maria da Silva'] }
const page = (entries: string) => tablePdf({ page: entries })
const LETTER = page('/MediaBox [0 0 612 792]')

const refusal = (code: EngineErrorCode, details?: object) => ({ code, ...(details && { details }) })
const outside = (box: readonly number[], on = 1) =>
  refusal('pades.mark-outside-page', expect.objectContaining({ box, page: on }))

const box = ({ x, y, width, height }: Appearance) => [x, y, width, height]

describe('a mark that does not lie within what is shown of its page is refused, box and page named', () => {
  const cases: [string, Buffer, Partial<Appearance>][] = [
    ['far away', LETTER, { x: 5000, y: 5000 }],
    ['at the left', LETTER, { x: -10 }],
    ['below', LETTER, { y: -300 }],
    ['across the right edge', LETTER, { x: 500 }],
    ['across the upper edge', LETTER, { y: 750 }],
    ['beyond the edge it counts from', LETTER, { origin: 'top-right', x: 36, y: 780 }],
    ['larger than the page', LETTER, { x: 0, y: 0, width: 700, height: 900 }],
    ['at no number', LETTER, { x: Number.NaN }],
    ['at infinity', LETTER, { y: Number.POSITIVE_INFINITY }],
    ['within the media box alone', page('/MediaBox [0 0 612 792] /CropBox [0 0 200 200]'), {}],
    ['within the page as it is stored, not as it is turned', page('/MediaBox [0 0 300 800] /Rotate 90'), { y: 600 }],
    ['where user units are smaller than points', page('/MediaBox [0 0 612 792] /UserUnit 0.25'), {}],
  ]

  test.each(cases)('%s', async (_where, pdf, over) => {
    const appearance = { ...shown, ...over }
    const refused = outside(box(appearance))
    await expect(room.sign(pdf, { appearance })).rejects.toMatchObject(refused)
    const picture = await drawAppearance(appearance)
    await expect(room.sign(pdf, { stamps: [picture] })).rejects.toMatchObject(refused)
    const stamping = () => stampPages(pdf, { stamps: [{ picture, pages: [1] }] })
    expect(stamping).toThrowError(expect.objectContaining(refused))
  })

  test('on the one of several pages that is too small for it', async () => {
    const small = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>'
    const pdf = tablePdf({ pages: 3, extra: { 6: small } })
    const appearance = { ...shown, page: 'all' } as const
    await expect(room.sign(pdf, { appearance })).rejects.toMatchObject(outside(box(shown), 2))
    const picture = await drawAppearance(shown)
    const stamping = () => stampPages(pdf, { stamps: [{ picture, pages: [1, 2, 3] }] })
    expect(stamping).toThrowError(expect.objectContaining(outside(box(shown), 2)))
  })

  test('on a page that is added, and over one that somebody signed', async () => {
    const picture = await drawAppearance({ ...shown, x: 500 })
    const added = [{ width: 595, height: 842, pictures: [picture] }]
    const refused = expect.objectContaining(outside([500, 36, 200, 50], 2))
    expect(() => stampPages(LETTER, { stamps: [], added })).toThrowError(refused)
    const signed = await room.sign(LETTER, { permits: 'annotations' })
    const over = { stamps: [{ picture, pages: [1] }], signed: 'where-allowed' } as const
    expect(() => stampPages(signed, over)).toThrowError(expect.objectContaining(outside([500, 36, 200, 50])))
  })

  test('but roundings of less than a point are not', async () => {
    const appearance = { ...shown, x: 412.6, y: -0.4 }
    const { signatures } = await room.validate(await room.sign(LETTER, { appearance }))
    expect(signatures.map(({ indication }) => indication)).toEqual(['valid'])
  })
})

describe('a signature field whose place cannot show a picture', () => {
  const withField = (rect: string) =>
    tablePdf({
      catalog: '/AcroForm << /Fields [100 0 R] >>',
      page: '/MediaBox [0 0 612 792] /Annots [100 0 R]',
      extra: { 100: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Diretor) /Rect [${rect}] /P 4 0 R >>` },
    })

  test.each([
    ['far outside', '5000 5000 5200 5050', outside([5000, 5000, 200, 50])],
    ['nowhere', '0 0 0 0', refusal('pades.field-not-shown', { field: 'Diretor' })],
  ])('is filled invisibly, and refused with one: %s', async (_where, rect, refused) => {
    const pdf = withField(rect)
    await expect(room.sign(pdf, { fieldName: 'Diretor', appearance: shown })).rejects.toMatchObject(refused)
    const { signatures } = await room.validate(await room.sign(pdf, { fieldName: 'Diretor' }))
    expect(signatures.map(({ indication }) => indication)).toEqual(['valid'])
  })
})

describe('a mark without a size', () => {
  test.each<Partial<Appearance>>([
    { width: 0 },
    { height: -50 },
    { width: Number.NaN },
    { height: Number.POSITIVE_INFINITY },
  ])('is refused: %o', async (over) => {
    await expect(room.sign(LETTER, { appearance: { ...shown, ...over } })).rejects.toMatchObject({
      code: 'pades.appearance',
    })
  })

  test('and so is an added page without one', () => {
    for (const size of [
      { width: 0, height: 842 },
      { width: 595, height: Number.NaN },
      { width: -1, height: 842 },
    ])
      expect(() => stampPages(LETTER, { stamps: [], added: [{ ...size, pictures: [] }] })).toThrowError(
        expect.objectContaining({ code: 'pades.appearance' }),
      )
  })
})

test.each([0, -1, 1.5, Number.NaN, 2])('a mark for page %s of one is refused', async (number) => {
  await expect(room.sign(LETTER, { appearance: { ...shown, page: number } })).rejects.toMatchObject({
    code: 'pdf.no-such-page',
  })
  const picture = await drawAppearance(shown)
  expect(() => stampPages(LETTER, { stamps: [{ picture, pages: [number] }] })).toThrowError(
    expect.objectContaining({ code: 'pdf.no-such-page' }),
  )
})

describe('a page whose units are larger than points', () => {
  // 1224 by 1584 points; poppler draws 612 by 792 pixels of it, because it takes a unit for a point.
  const pdf = page('/MediaBox [0 0 612 792] /UserUnit 2')
  const appearance: Appearance = { x: 1000, y: 1500, width: 200, height: 60, lines: ['Maria'], border: true }

  test('is told by its size in points, and has marks where they are asked for, in their size', async () => {
    expect(summarizePdf(pdf).pages).toEqual([{ width: 1224, height: 1584, rotate: 0 }])
    const picture = await drawAppearance(appearance)
    const stamped = stampPages(pdf, { stamps: [{ picture, pages: [1] }] })
    for (const marked of [stamped, await room.sign(pdf, { appearance })]) {
      const { at } = await renderPage(marked, 1, 288)
      const dark = (x: number, y: number) => Math.min(...at(x, y)) < 200
      expect([dark(550, 750.25), dark(550, 779.75), dark(500.25, 765), dark(599.75, 765)]).toEqual([
        true,
        true,
        true,
        true,
      ])
    }
    const path = join(temporaryFolder(), 'units.pdf')
    writeFileSync(path, stamped)
    expect((await runTool('qpdf', ['--check', path])).exitCode).toBe(0)
  })
})

describe('a mark that may be moved', () => {
  const far: Appearance = { ...shown, beyond: 'moved', border: true, x: 5000, y: -300 }
  const cases: [string, Buffer, Appearance, { left: number; bottom: number; width: number; height: number }][] = [
    ['is moved inwards', LETTER, far, { left: 412, bottom: 0, width: 200, height: 50 }],
    ['stays where it fits', LETTER, { ...far, x: 36, y: 36 }, { left: 36, bottom: 36, width: 200, height: 50 }],
    [
      'is moved on a turned page',
      page('/MediaBox [0 0 792 612] /Rotate 90'),
      far,
      { left: 412, bottom: 0, width: 200, height: 50 },
    ],
    [
      'is made smaller with the page',
      page('/MediaBox [0 0 200 100]'),
      { ...far, width: 400, height: 100 },
      { left: 0, bottom: 0, width: 200, height: 50 },
    ],
    [
      'is made smaller with a turned page',
      page('/MediaBox [0 0 100 200] /Rotate 270'),
      { ...far, width: 400, height: 100 },
      { left: 0, bottom: 0, width: 200, height: 50 },
    ],
  ]

  test.each(cases)('%s', async (_what, pdf, appearance, { left, bottom, width, height }) => {
    const picture = await drawAppearance(appearance)
    for (const marked of [
      await room.sign(pdf, { appearance }),
      stampPages(pdf, { stamps: [{ picture, pages: [1] }] }),
    ]) {
      const { at } = await renderPage(marked, 1, 288)
      const dark = (x: number, y: number) => Math.min(...at(x, y)) < 200
      // The line of the border, half a point inside of the picture.
      const inset = (0.5 * width) / appearance.width
      const [middle, across] = [bottom + height / 2, left + width / 2]
      const edges: [number, number][] = [
        [left + inset, middle],
        [left + width - inset, middle],
        [across, bottom + inset],
        [across, bottom + height - inset],
      ]
      expect(edges.map(([x, y]) => dark(x, y))).toEqual([true, true, true, true])
    }
  })
})
