import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, type Tool, temporaryFolder } from '@chancela/testkit/tools'
import jsQR from 'jsqr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { type Drawing, type DrawingElement, drawElements, type StampPagesOptions, stampPages } from './index.ts'
import { renderPage } from './test-support/rendered-page.ts'
import { samplePng } from './test-support/sample-image.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

const box = { x: 0, y: 0, width: 200, height: 100 }
const place = { x: 100, y: 300, width: 200, height: 100 }

/** An empty page of 612 by 792 points. */
const blank = tablePdf({ extra: { 5: '<< /Length 0 >>\nstream\n\nendstream' } })

async function onPage(drawing: Partial<Drawing>, pdf: Uint8Array = blank, over: Partial<StampPagesOptions> = {}) {
  const [picture] = await drawElements([{ ...place, elements: [], ...drawing }])
  return stampPages(pdf, { stamps: [{ picture: picture!, pages: [1] }], ...over })
}

function saved(pdf: Uint8Array): string {
  const path = join(temporaryFolder(), 'drawn.pdf')
  writeFileSync(path, pdf)
  return path
}

const said = async (tool: Tool, pdf: Uint8Array, ...options: string[]) =>
  (await runTool(tool, [...options, saved(pdf), ...(tool === 'pdftotext' ? ['-'] : [])])).text

/** Words with their places, from the lower left. */
async function wordsOf(pdf: Uint8Array) {
  const text = await said('pdftotext', pdf, '-bbox')
  const found = text.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</g)
  return [...found].map(([, left, top, right, bottom, word]) => ({
    word,
    left: Number(left),
    right: Number(right),
    top: 792 - Number(top),
    bottom: 792 - Number(bottom),
  }))
}

/** A picture that says to be large. */
function hugePng(): Buffer {
  const png = samplePng('grey')
  png.writeUInt32BE(8000, 16)
  png.writeUInt32BE(5000, 20)
  return png
}

const text = (words: string, over: Partial<Extract<DrawingElement, { kind: 'text' }>> = {}): DrawingElement => ({
  kind: 'text',
  box,
  runs: [{ text: words, size: 10 }],
  ...over,
})

describe('a drawing on a page', () => {
  test('shows text in three styles, accents included, with the fonts in the file', async () => {
    const runs = [
      { text: 'Declaração de ', size: 10 },
      { text: 'João ', style: 'bold', size: 12 },
      { text: 'Conceição\nÚltima linha', style: 'italic', size: 8, color: { red: 0, green: 0, blue: 1 } },
    ] as const
    const pdf = await onPage({ elements: [text('', { runs })] })
    expect(await said('pdftotext', pdf)).toMatch(/Declaração de João Conceição\s+Última linha/)
    const fonts = await said('pdffonts', pdf)
    for (const face of ['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-Oblique'])
      expect(fonts).toMatch(new RegExp(`CHANCE\\+${face} +CID TrueType +Identity-H +yes yes yes`))
    expect(await said('qpdf', pdf, '--check')).toContain('No syntax or stream encoding errors')
  })

  test('breaks lines between words, also where a run ends, and aligns them', async () => {
    const runs = [{ text: 'one two thr', size: 20 }, { text: 'ee', style: 'bold', size: 20 } as const]
    const narrow = { ...box, width: 90 }
    const pdf = await onPage({ elements: [text('', { runs, box: narrow, horizontal: 'right', vertical: 'bottom' })] })
    const [one, two, thr] = await wordsOf(pdf)
    expect([one?.word, two?.word, thr?.word]).toEqual(['one', 'two', 'three'])
    expect(one?.top).toBeCloseTo(two!.top, 0)
    expect(thr!.top).toBeLessThan(two!.bottom + 3)
    for (const { right } of [two!, thr!]) expect(right).toBeCloseTo(190, 0)
    expect(thr!.bottom).toBeCloseTo(300, 0)
  })

  test('makes text without a size as large as its box allows', async () => {
    const heightOf = async (height: number) => {
      const [first] = await wordsOf(
        await onPage({ elements: [text('', { runs: [{ text: 'word' }], box: { ...box, height } })] }),
      )
      return first!.top - first!.bottom
    }
    expect(await heightOf(100)).toBeGreaterThan(11)
    expect(await heightOf(6)).toBeLessThan(7)
  })

  test('has its background, its border and its transparency', async () => {
    const half = { red: 1, green: 0, blue: 0, alpha: 0.5 }
    const pdf = await onPage({ background: half, border: { width: 6, color: { red: 0, green: 0, blue: 1 } } })
    const page = await renderPage(pdf)
    expect(page.at(200, 350)).toEqual([255, expect.closeTo(127, -1), expect.closeTo(127, -1)])
    expect(page.at(103, 350)).toEqual([0, 0, 255])
    expect(page.at(97, 350)).toEqual([255, 255, 255])
    const picture = { kind: 'image', image: samplePng('rgb', 10, 10), box, opacity: 0.5 } as const
    const [red] = (await renderPage(await onPage({ elements: [picture] }))).at(200, 350)
    expect(red).toBeGreaterThan(220)
    const unseen = await renderPage(await onPage({ elements: [{ ...picture, opacity: 0 }] }))
    expect(unseen.at(200, 350)).toEqual([255, 255, 255])
  })

  test('turns what it shows counterclockwise: at a quarter turn text goes up', async () => {
    const tall = { x: 0, y: 0, width: 30, height: 100 }
    const [first, last] = await wordsOf(await onPage({ elements: [text('um dois', { box: tall, rotation: 90 })] }))
    expect(first!.bottom).toBeCloseTo(300, 0)
    expect(last!.bottom).toBeGreaterThan(first!.top)
    const [down, up] = await wordsOf(await onPage({ elements: [text('um dois', { box: tall, rotation: -90 })] }))
    expect(up!.top).toBeLessThan(down!.bottom)
    const runs = [{ text: 'CÓPIA', size: 20 }]
    const aslant = text('', { runs, rotation: 45, horizontal: 'center', vertical: 'center' })
    const [word] = await wordsOf(await onPage({ elements: [aslant] }))
    // Its box is that of letters that stand upright.
    expect(Math.abs((word!.left + word!.right) / 2 - 200)).toBeLessThan(15)
    expect(Math.abs((word!.top + word!.bottom) / 2 - 350)).toBeLessThan(15)
  })

  test.each([true, false])('has a QR code that can be read, with a quiet zone: %s', async (quietZone) => {
    const data = 'https://exemplo.com.br/verificação/ABCD'
    const background = { red: quietZone ? 0 : 1, green: 1, blue: quietZone ? 0 : 1 }
    const pdf = await onPage({ background, elements: [{ kind: 'qr-code', text: data, box, quietZone }] })
    const page = await renderPage(pdf, 1, 144)
    // Half a point each, over the drawing and what is around it.
    const [width, height] = [440, 240]
    const colors = new Uint8ClampedArray(width * height * 4).fill(255)
    for (let at = 0; at < width * height; at++)
      colors.set(page.at(90 + (at % width) / 2, 410 - Math.floor(at / width) / 2), at * 4)
    const read = jsQR.default(colors, width, height)
    expect(Buffer.from(read!.binaryData).toString('utf8')).toBe(data)
  })

  test('writes an image once, however many drawings show it', async () => {
    const image = samplePng('rgb-alpha', 10, 10)
    const elements = [{ kind: 'image', image, box }] as const
    const pictures = await drawElements([
      { ...place, elements },
      { ...place, y: 500, elements },
    ])
    const stamps = pictures.map((picture) => ({ picture, pages: [1] }))
    const images = await said('pdfimages', stampPages(blank, { stamps }), '-list')
    const ids = [...images.matchAll(/ (?:image|smask) .* (\d+) +\d+ +\d+ +\d+ +\S+ +\S+$/gm)].map(([, id]) => id)
    // A mask is listed under its picture.
    expect(new Set(ids).size).toBe(1)
    expect(ids).toHaveLength(4)
  })

  test.each<[string, Partial<Drawing>]>([
    ['an empty box', { width: 0 }],
    ['an element without room', { elements: [text('x', { box: { ...box, height: 0 } })] }],
    ['a border thicker than itself', { border: { width: 60 } }],
    ['a picture that is none', { elements: [{ kind: 'image', image: Buffer.from('GIF89a'), box }] }],
    ['a QR code of too long a text', { elements: [{ kind: 'qr-code', text: 'x'.repeat(3000), box }] }],
    ['too many pixels', { elements: [0, 1].map(() => ({ kind: 'image', image: hugePng(), box })) }],
  ])('is refused with %s', async (_name, drawing) => {
    await expect(onPage(drawing)).rejects.toMatchObject({ code: 'pades.appearance' })
  })
})

describe('a drawing over a document that is signed', () => {
  let room: SigningRoom
  beforeAll(async () => {
    room = await openSigningRoom()
  })
  afterAll(() => room.stop())

  const mark = { elements: [text('Cópia')] }
  const pages = [{ width: 595, height: 842, pictures: [] }]
  const indications = async (pdf: Uint8Array) => (await room.validate(pdf)).signatures.map((one) => one.indication)

  test('leaves it valid where its signature allows annotations', async () => {
    const signed = await room.sign(blank, { permits: 'annotations' })
    const marked = await onPage(mark, signed, { signed: 'where-allowed' })
    expect(marked.subarray(0, signed.length).equals(signed)).toBe(true)
    expect(await said('pdftotext', marked)).toContain('Cópia')
    expect(await said('qpdf', marked, '--check')).toContain('No syntax or stream encoding errors')
    expect(await indications(marked)).toEqual(['valid'])
    expect(await indications(await room.sign(marked))).toEqual(['valid', 'valid'])
  })

  test('is refused where the signature forbids it, unless it is wanted all the same', async () => {
    const signed = await room.sign(blank)
    const refused = { code: 'pades.locked' }
    await expect(onPage(mark, signed)).rejects.toMatchObject(refused)
    await expect(onPage(mark, signed, { signed: 'where-allowed' })).rejects.toMatchObject(refused)
    const permitting = await room.sign(blank, { permits: 'annotations' })
    const added = { signed: 'where-allowed', added: pages } as const
    await expect(onPage(mark, permitting, added)).rejects.toMatchObject(refused)
    const marked = await onPage(mark, signed, { signed: 'always', added: pages })
    expect(await said('pdfsig', marked, '-nocert')).toContain('Signature is Valid.')
    expect(await said('pdfinfo', marked)).toMatch(/Pages: +2/)
    expect(await indications(marked)).not.toEqual(['valid'])
  })
})
