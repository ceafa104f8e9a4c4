import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { summarizePdf } from '../pdf/pdf-summary.ts'
import { containerKinds, tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { drawAppearance, type StampPagesOptions, stampPages } from './index.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

const A4 = { width: 595, height: 842 }
const note = (text: string, y = 20) => drawAppearance({ x: 30, y, width: 300, height: 30, lines: [text] })

/** Everything a document is prepared with: a note on its first page, and a page behind the last. */
const prepared = async (pdf: Uint8Array, over: Partial<StampPagesOptions> = {}) =>
  stampPages(pdf, {
    stamps: [{ picture: await note('Chave ABCD'), pages: [1] }],
    added: [{ ...A4, pictures: [await note('Folha de assinaturas', 700)] }],
    ...over,
  })

function saved(pdf: Uint8Array): string {
  const path = join(temporaryFolder(), 'stamped.pdf')
  writeFileSync(path, pdf)
  return path
}

const textOf = async (pdf: Uint8Array, page: number) =>
  (await runTool('pdftotext', ['-f', `${page}`, '-l', `${page}`, saved(pdf), '-'])).stdout.toString('utf8')

describe.each(Object.entries(containerKinds))('a file of the kind "%s"', (_kind, make) => {
  test('keeps its bytes and what it shows, has the stamps, and can be signed twice', async () => {
    const pdf = make()
    const pages = summarizePdf(pdf).pages.length
    const stamped = await prepared(pdf)
    expect(stamped.subarray(0, pdf.length).equals(pdf)).toBe(true)
    const check = async (bytes: Uint8Array) => (await runTool('qpdf', ['--check', saved(bytes)])).exitCode
    expect(await check(stamped)).toBe(await check(pdf))
    const first = await textOf(stamped, 1)
    expect(first).toContain((await textOf(pdf, 1)).trim())
    expect(first).toContain('Chave ABCD')
    expect(summarizePdf(stamped).pages).toHaveLength(pages + 1)
    expect(await textOf(stamped, pages + 1)).toContain('Folha de assinaturas')
    const report = await room.validate(await room.sign(await room.sign(stamped)))
    expect(report.signatures.map(({ indication }) => indication)).toEqual(['valid', 'valid'])
  })
})

test('a picture stands where it should on a page that viewers turn, whatever the page did to its coordinates', async () => {
  for (const rotate of [0, 90, 180, 270]) {
    const page = `/MediaBox [0 0 600 800] /CropBox [100 50 500 650] /Rotate ${rotate}`
    const untidy = '0.5 0 0 0.5 300 300 cm'
    const pdf = tablePdf({ page, extra: { 5: `<< /Length ${untidy.length} >>\nstream\n${untidy}\nendstream` } })
    const picture = await drawAppearance({ x: 30, y: 20, width: 120, height: 40, origin: 'top-left', border: true })
    const path = saved(stampPages(pdf, { stamps: [{ picture, pages: [1] }] }))
    const { stdout } = await runTool('pdftoppm', [
      '-r',
      '72',
      '-gray',
      '-cropbox',
      '-aa',
      'no',
      '-aaVector',
      'no',
      path,
    ])
    expect([rotate, darkBox(stdout)]).toEqual([rotate, { left: 30, top: 20, right: 150, bottom: 60 }])
  }
})

test('a page that draws with what its tree hands down goes on doing so', async () => {
  const inherited = '<< /Type /Pages /Kids [4 0 R] /Count 1 /Resources << /Font << /F1 3 0 R >> >> >>'
  const own = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [5 0 R] >>'
  const stamped = await prepared(tablePdf({ extra: { 2: inherited, 4: own } }))
  expect(await textOf(stamped, 1)).toMatch(/Contrato, page 1[\s\S]*Chave ABCD/)
})

test('pages share what they are stamped with', async () => {
  const pdf = tablePdf({ pages: 100 })
  const pages = Array.from({ length: 100 }, (_, at) => at + 1)
  const picture = await note('Chave ABCD')
  const one = stampPages(pdf, { stamps: [{ picture, pages: [1] }] }).length - pdf.length
  const all = stampPages(pdf, { stamps: [{ picture, pages }] }).length - pdf.length
  expect(all - one).toBeLessThan(100 * 600)
})

test('stamping again with the same uuid gives the same bytes', async () => {
  const uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
  const pdf = tablePdf()
  expect((await prepared(pdf, { uuid })).equals(await prepared(pdf, { uuid }))).toBe(true)
})

test('a signed document is refused, and so is a page that is not there', async () => {
  await expect(prepared(await room.sign(tablePdf()))).rejects.toMatchObject({ code: 'pades.locked' })
  const picture = await note('x')
  expect(() => stampPages(tablePdf(), { stamps: [{ picture, pages: [2] }] })).toThrowError(
    expect.objectContaining({ code: 'pdf.no-such-page' }),
  )
})

/** The box of dark pixels near the top left, on a rendering with one pixel per point. */
function darkBox(image: Buffer) {
  const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.toString('latin1', 0, 30))!.map(Number)
  const pixels = image.subarray(image.length - width! * height!)
  const box = { left: Infinity, top: Infinity, right: 0, bottom: 0 }
  for (let y = 0; y < 80; y++) {
    for (let x = 0; x < 170; x++) {
      if (pixels[y * width! + x]! > 128) continue
      box.left = Math.min(box.left, x)
      box.top = Math.min(box.top, y)
      box.right = Math.max(box.right, x + 1)
      box.bottom = Math.max(box.bottom, y + 1)
    }
  }
  return box
}
