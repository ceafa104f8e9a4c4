import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import jsQR from 'jsqr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { type MarkTemplate, readMarkTemplate } from './index.ts'
import { renderPage } from './test-support/rendered-page.ts'
import { samplePng } from './test-support/sample-image.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

/** A page that is dark all over, as a picture may be. */
const DARK = '0.1 0.1 0.3 rg 0 0 612 792 re f'
const dark = tablePdf({ extra: { 5: `<< /Length ${DARK.length} >>\nstream\n${DARK}\nendstream` } })
const PLACE = { x: 100, y: 300, width: 240, height: 90 }

function saved(pdf: Uint8Array): string {
  const path = join(temporaryFolder(), 'marked.pdf')
  writeFileSync(path, pdf)
  return path
}
const textOf = async (pdf: Uint8Array) => (await runTool('pdftotext', ['-layout', saved(pdf), '-'])).text
const signed = (mark: MarkTemplate, over = {}, pdf: Uint8Array = tablePdf()) => room.sign(pdf, { mark, ...over })

/** How light a pixel is (WCAG 2.2, relative luminance). */
const luminance = (pixel: readonly number[]): number =>
  [0.2126, 0.7152, 0.0722].reduce((sum, part, at) => {
    const value = pixel[at]! / 255
    return sum + part * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  }, 0)

/** The contrast of the darkest and the lightest pixel within a place. */
async function contrastWithin(pdf: Uint8Array, { x, y, width, height }: typeof PLACE): Promise<number> {
  const page = await renderPage(pdf, 1, 144)
  const found: number[] = []
  for (let across = 6; across < width - 6; across += 0.5)
    for (let up = 6; up < height - 6; up += 0.5) found.push(luminance(page.at(x + across, y + up)))
  const [least, most] = [found, found].map((all, at) => all.reduce((a, b) => (at ? Math.max(a, b) : Math.min(a, b))))
  return (most! + 0.05) / (least! + 0.05)
}

describe('the usual mark', () => {
  test('tells who signed, when, why and where, and leaves out what there is not', async () => {
    const pdf = await signed({}, { reason: 'Aprovação', location: 'São Paulo' })
    const text = await textOf(pdf)
    for (const said of ['Assinado digitalmente por', 'MARIA DA SILVA', 'CPF 529.982.247-25', 'Motivo: Aprovação'])
      expect(text).toContain(said)
    expect(text).toMatch(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d -03:00/)
    expect(text).not.toContain('CNPJ')
    expect(await textOf(await signed({}))).not.toContain('Motivo')
    expect((await runTool('pdfsig', ['-nocert', saved(pdf)])).text).toContain('Signature is Valid')
    expect((await runTool('qpdf', ['--check', saved(pdf)])).exitCode).toBe(0)
  })

  test('speaks the language and tells the time of the zone that are asked for', async () => {
    const text = await textOf(await signed({ language: 'en-US', timeZone: 'UTC' }))
    expect(text).toContain('Digitally signed by')
    expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+00:00/)
  })

  test('is legible over whatever the page shows, and so is a plain visible signature', async () => {
    const appearance = { ...PLACE, lines: ['MARIA DA SILVA'] }
    for (const pdf of [await signed({ place: PLACE }, {}, dark), await room.sign(dark, { appearance })])
      expect(await contrastWithin(pdf, PLACE)).toBeGreaterThan(7)
    // What nothing is behind cannot be read there: the measure is one.
    const bare = await room.sign(dark, { appearance: { ...appearance, background: 'none' } })
    expect(await contrastWithin(bare, PLACE)).toBeLessThan(3)
  })

  test.each([0, 90, 180, 270])('stands upright on a page that is turned by %s degrees', async (rotate) => {
    const page = `/MediaBox [0 0 600 800] /CropBox [50 50 550 650] /Rotate ${rotate}`
    const pdf = await signed({ place: { ...PLACE, x: 30, y: 20, origin: 'top-left' } }, {}, tablePdf({ page }))
    const { text } = await runTool('pdftotext', ['-cropbox', '-bbox', saved(pdf), '-'])
    const wordAt = (word: string) => {
      const [, left, top, right, bottom] = new RegExp(
        `xMin="([\\d.]+)" yMin="([\\d.]+)" xMax="([\\d.]+)" yMax="([\\d.]+)">${word}<`,
      ).exec(text)!
      return { left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) }
    }
    const [first, second, below] = [wordAt('Assinado'), wordAt('digitalmente'), wordAt('MARIA')]
    expect(second.left).toBeGreaterThan(first.right)
    expect(second.top).toBeCloseTo(first.top, 0)
    expect(below.top).toBeGreaterThan(first.top)
    for (const { left, top, right, bottom } of [first, second, below])
      expect(left > 30 && top > 20 && right < 270 && bottom < 110).toBe(true)
  })
})

describe('a template', () => {
  test('has its background, border, picture and QR code, and text beside them', async () => {
    const mark: MarkTemplate = {
      place: PLACE,
      background: { color: '#ffff00', opacity: 1 },
      border: { width: 3, color: '#00ff00' },
      image: { data: samplePng('rgb', 10, 10), side: 'left' },
      qrCode: { text: 'https://example.com/{serialNumber}' },
      text: { lines: [{ text: '{name}', style: 'bold', color: '#0000ff' }, 'de {issuer}'] },
    }
    const pdf = await signed(mark)
    const page = await renderPage(pdf, 1, 144)
    expect(page.at(102, 345)).toEqual([0, 255, 0])
    expect(page.at(140, 345)).toEqual([200, 30, 30])
    expect(page.at(190, 305)).toEqual([255, 255, 0])
    expect(await textOf(pdf)).toMatch(/MARIA\s+DA\s+SILVA/)
    const size = 180
    const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
    for (let at = 0; at < size * size; at++)
      pixels.set(page.at(250 + (at % size) / 2, 390 - Math.floor(at / size) / 2), at * 4)
    const { serialNumber } = (await room.validate(pdf)).signatures[0]!.signer!
    expect(jsQR.default(pixels, size, size)!.data).toBe(`https://example.com/${serialNumber}`)
  })

  test('puts a picture behind its text', async () => {
    const mark: MarkTemplate = {
      place: PLACE,
      background: 'none',
      border: 'none',
      text: 'none',
      image: { data: samplePng('rgb', 10, 10), side: 'behind', opacity: 1 },
    }
    expect((await renderPage(await signed(mark))).at(220, 345)).toEqual([200, 30, 30])
  })

  test('makes its text smaller until it fits, and is refused where the least does not', async () => {
    const lines = ['Maria Aparecida das Dores Albuquerque de Souza Cavalcanti '.repeat(3)]
    const pdf = await signed({ place: PLACE, text: { lines } })
    expect((await textOf(pdf)).match(/Cavalcanti/g)).toHaveLength(3)
    const long = lines.map((line) => line.repeat(20))
    for (const [text, least] of [
      [{ lines: [lines[0]!.repeat(2)], leastSize: 11 }, 11],
      [{ lines: long }, 5],
    ] as const)
      await expect(signed({ place: PLACE, text })).rejects.toMatchObject({
        code: 'pades.text-does-not-fit',
        details: { least },
      })
  })

  test('is as large as the field that is there', async () => {
    const field = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Diretor) /Rect [400 100 500 300] /P 4 0 R >>'
    const pdf = tablePdf({
      catalog: '/AcroForm << /Fields [100 0 R] >>',
      page: '/MediaBox [0 0 612 792] /Rotate 90 /Annots [100 0 R]',
      extra: { 100: field },
    })
    const filled = await signed({ text: { lines: ['um dois'], size: 30 } }, { fieldName: 'Diretor' }, pdf)
    const { text } = await runTool('pdftotext', ['-bbox', saved(filled), '-'])
    const [, top, bottom] = /yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">um</.exec(text)!
    // Letters as high as asked for: the picture is not stretched.
    expect(Number(bottom) - Number(top)).toBeCloseTo(35, -1)
    expect(filled.toString('latin1')).toMatch(/\/BBox ?\[ ?0 0 200 100 ?\]/)
  })

  test('whose place is beyond the page is moved onto it where it says so', async () => {
    const template = readMarkTemplate({ place: { x: 5000, y: 5000, width: 200, height: 60, beyond: 'moved' } })
    expect(await textOf(await signed(template))).toContain('MARIA')
    await expect(signed({ place: { x: 5000 } })).rejects.toMatchObject({ code: 'pades.mark-outside-page' })
  })

  test('and an appearance at once are refused', async () => {
    const appearance = { ...PLACE, lines: ['x'] }
    await expect(signed({}, { appearance })).rejects.toMatchObject({ code: 'pades.appearance' })
  })
})

describe('a template from JSON', () => {
  test('is what it says, its picture read from where the caller says', async () => {
    const json = { place: { page: 'last' }, image: { file: 'logo.png' }, text: { lines: { 'en-US': ['By {name}'] } } }
    const files: string[] = []
    const template = readMarkTemplate({ ...json, language: 'en-US' }, (file) => {
      files.push(file)
      return samplePng('rgb')
    })
    expect(files).toEqual(['logo.png'])
    expect(await textOf(await signed(template))).toContain('By MARIA DA SILVA')
    const data = samplePng('grey').toString('base64')
    expect(readMarkTemplate({ image: { data } }).image!.data).toEqual(samplePng('grey'))
  })

  test.each<[string, unknown]>([
    ['the data', []],
    ['colour', { colour: '#ffffff' }],
    ['background.colour', { background: { colour: '#ffffff' } }],
    ['background.color', { background: { color: 'white' } }],
    ['background.opacity', { background: { opacity: 1.5 } }],
    ['border', { border: true }],
    ['place.page', { place: { page: 0 } }],
    ['place.width', { place: { width: 0 } }],
    ['place.x', { place: { x: '36' } }],
    ['image', { image: { side: 'left' } }],
    ['image', { image: { file: 'a.png', data: 'AAAA' } }],
    ['image.file', { image: { file: 'a.png' } }],
    ['text.lines', { text: {} }],
    ['text.lines[1]', { text: { lines: ['a', 7] } }],
    ['text.lines[0].size', { text: { lines: [{ text: 'a', size: 3 }] } }],
    ['text.lines.fr-FR', { text: { lines: { 'fr-FR': [] } } }],
    ['text.lines[0]', { text: { lines: ['{nome}'] } }],
    ['qrCode.text', { qrCode: {} }],
    ['language', { language: 'fr' }],
    ['timeZone', { timeZone: 'Brazil/Nowhere' }],
    ['__proto__', JSON.parse('{"__proto__": 1}')],
  ])('is refused by the name of what is wrong: %s', (member, json) => {
    expect(() => readMarkTemplate(json)).toThrowError(
      expect.objectContaining({ code: 'pades.mark-template', details: expect.objectContaining({ member }) }),
    )
  })

  test('that the caller made without JSON is refused for a field that there is not', async () => {
    await expect(signed({ text: { lines: ['{nome}'] } })).rejects.toMatchObject({
      code: 'pades.mark-template',
      details: { member: '{nome}' },
    })
  })
})
