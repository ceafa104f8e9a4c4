import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPdf } from '../pdf/pdf-file.ts'
import { isArray, isDict, isStream, nameOf, type PdfDict, type PdfObject } from '../pdf/pdf-object.ts'
import { type SampleOptions, tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { type Drawing, drawElements, stampPages } from './index.ts'
import { renderPage } from './test-support/rendered-page.ts'
import { samplePng } from './test-support/sample-image.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

const stream = (text: string, entries = '') => `<< /Length ${text.length} ${entries} >>\nstream\n${text}\nendstream`
const profile = (space: string) => stream(`${'.'.repeat(16)}${space}${'.'.repeat(108)}`)

/** An empty page in a file that says to be of a part of PDF/A, with the profile of its colours. */
function archival(part: number, space?: string, over: SampleOptions = {}): Buffer {
  const packet = `<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="${part}" pdfaid:conformance="B"/>`
  const intents = space ? '/OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile 102 0 R >>]' : ''
  const extra = { 5: stream(''), 101: stream(packet, '/Type /Metadata /Subtype /XML'), ...over.extra }
  return tablePdf({
    version: part === 1 ? '1.4' : '1.7',
    catalog: `/Metadata 101 0 R ${intents}`,
    extra: { ...extra, ...(space && { 102: profile(space) }) },
  })
}
const plain = tablePdf({ extra: { 5: stream('') } })

/** Everything that is seen through, and a picture of each kind. */
const drawing: Drawing = {
  x: 100,
  y: 300,
  width: 300,
  height: 200,
  background: { red: 1, green: 0.9, blue: 0.5, alpha: 0.5 },
  border: { width: 4, color: { red: 0, green: 0, blue: 1, alpha: 0.5 } },
  elements: [
    { kind: 'image', image: samplePng('rgb-alpha', 10, 10), box: { x: 10, y: 110, width: 80, height: 80 } },
    { kind: 'image', image: samplePng('rgb', 10, 10), box: { x: 110, y: 110, width: 80, height: 80 }, opacity: 0.3 },
    { kind: 'image', image: samplePng('grey', 10, 10), box: { x: 210, y: 110, width: 80, height: 80 }, opacity: 0.5 },
    { kind: 'qr-code', text: 'ABCD', box: { x: 10, y: 10, width: 80, height: 80 }, opacity: 0.5, quietZone: true },
    {
      kind: 'text',
      box: { x: 110, y: 10, width: 180, height: 80 },
      runs: [{ text: 'João 日', size: 40, color: { red: 1, green: 0, blue: 0, alpha: 0.5 } }],
    },
  ],
}

const marked = async (pdf: Uint8Array) => {
  const [picture] = await drawElements([drawing])
  return stampPages(pdf, { stamps: [{ picture: picture!, pages: [1] }] })
}

/** Every dictionary of a file, those of streams and within others included. */
function dictionariesOf(pdf: Uint8Array): PdfDict[] {
  const file = openPdf(pdf)
  const objects = Array.from({ length: file.nextNumber }, (_, num) => file.resolve({ kind: 'ref', num, gen: 0 }))
  return objects.flatMap(within)
}

function within(value: PdfObject): PdfDict[] {
  if (isStream(value)) return within(value.dict)
  if (isArray(value)) return value.flatMap(within)
  return isDict(value) ? [value, ...[...value.values()].flatMap(within)] : []
}

const isTransparent = (pdf: Uint8Array) =>
  dictionariesOf(pdf).some((one) => ['SMask', 'ca', 'CA', 'Group'].some((key) => one.has(key)))
const defaultSpaces = (pdf: Uint8Array) =>
  dictionariesOf(pdf).flatMap((one) => (one.has('DefaultRGB') ? [[...one.keys()]] : []))

async function isSound(pdf: Uint8Array): Promise<boolean> {
  const path = join(temporaryFolder(), 'archival.pdf')
  writeFileSync(path, pdf)
  return (await runTool('qpdf', ['--check', path])).exitCode === 0
}

describe('a document that says to be PDF/A', () => {
  test.each([
    ['part 1', archival(1, 'RGB '), { transparent: false, calibrated: false }],
    ['part 1 without an output intent', archival(1), { transparent: false, calibrated: true }],
    ['part 1 in inks', archival(1, 'CMYK'), { transparent: false, calibrated: true }],
    ['part 2', archival(2, 'RGB '), { transparent: true, calibrated: false }],
    ['part 2 in grey', archival(2, 'GRAY'), { transparent: true, calibrated: true }],
    ['part 3', archival(3, 'RGB '), { transparent: true, calibrated: false }],
    ['part 3 without an output intent', archival(3), { transparent: false, calibrated: true }],
    ['none', plain, { transparent: true, calibrated: false }],
  ])('gets marks with what it allows: %s', async (_part, pdf, { transparent, calibrated }) => {
    const appearance = { x: 50, y: 40, width: 200, height: 60, lines: ['João'], image: samplePng('rgb-alpha') }
    for (const made of [await marked(pdf), await room.sign(pdf, { appearance, permits: 'annotations' })]) {
      expect(isTransparent(made)).toBe(transparent)
      const spaces = defaultSpaces(made)
      expect(spaces.length > 0).toBe(calibrated)
      for (const names of spaces) expect(names).toEqual(['DefaultRGB', 'DefaultGray'])
      expect(await isSound(made)).toBe(true)
      const [before, after] = [pdf, made].map((bytes) => openPdf(bytes).catalog().get('Metadata'))
      expect(after).toEqual(before)
    }
  })

  test.each([
    ['of part 1', archival(1, 'RGB ')],
    ['without an output intent', archival(2)],
  ])('shows the same as any other, although nothing is seen through: %s', async (_part, pdf) => {
    const [expected, found] = [await renderPage(await marked(plain)), await renderPage(await marked(pdf))]
    // Places in the middle of what is even: background, border and each picture.
    for (const [x, y] of [
      [200, 395],
      [101.5, 400],
      [150, 450],
      [250, 450],
      [350, 450],
      [103, 303],
      [150, 350],
    ] as const)
      for (const [channel, value] of expected.at(x, y).entries())
        expect([x, y, channel, Math.abs(found.at(x, y)[channel]! - value) <= 12]).toEqual([x, y, channel, true])
  })

  test('has fonts that tell each of their glyphs, and none for a letter they lack', async () => {
    const made = await marked(archival(1, 'RGB '))
    const [descriptor] = dictionariesOf(made).filter((one) => nameOf(one.get('Type')) === 'FontDescriptor')
    const file = openPdf(made)
    const bytes = (key: string) => {
      const found = file.resolve(descriptor!.get(key))
      return isStream(found) ? Buffer.from(file.decode(found)) : Buffer.alloc(0)
    }
    const bits = [...bytes('CIDSet')].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    // A letter with an accent brings its parts.
    expect(bits).toMatch(/^1{6,}0*$/)
    expect(bits.replaceAll('0', '')).toHaveLength(glyphsOf(bytes('FontFile2')))
    const path = join(temporaryFolder(), 'letters.pdf')
    writeFileSync(path, made)
    expect((await runTool('pdftotext', [path, '-'])).text).toContain('João �')
  })

  test('has an appearance of every field in part 1, of invisible ones and timestamps, too', async () => {
    const appearances = (pdf: Uint8Array) =>
      dictionariesOf(pdf).flatMap((one) => (nameOf(one.get('Subtype')) === 'Widget' ? [one.has('AP')] : []))
    expect(appearances(await room.sign(archival(1, 'RGB '), { level: 'B-LTA' }))).toEqual([true, true])
    expect(appearances(await room.sign(archival(2, 'RGB ')))).toEqual([false])
    const signed = await room.sign(await room.sign(archival(1)))
    expect((await room.validate(signed)).signatures.map(({ indication }) => indication)).toEqual(['valid', 'valid'])
  })

  test('is refused a picture in inks, unless its own colours are inks', async () => {
    const jpeg = Buffer.from('ffd8ffc0001408000800080401110002110003110004110000ffd9', 'hex')
    const appearance = { x: 50, y: 40, width: 100, height: 100, image: jpeg }
    await expect(room.sign(archival(1, 'RGB '), { appearance })).rejects.toMatchObject({ code: 'pades.appearance' })
    expect(isTransparent(await room.sign(archival(1, 'CMYK'), { appearance }))).toBe(false)
    expect(isTransparent(await room.sign(plain, { appearance }))).toBe(false)
  })

  test('is signed as any other where its metadata cannot be read', async () => {
    const broken = { 101: stream('no deflated data', '/Filter /FlateDecode') }
    const { signatures } = await room.validate(await room.sign(archival(1, undefined, { extra: broken })))
    expect(signatures.map(({ indication }) => indication)).toEqual(['valid'])
  })
})

function glyphsOf(font: Buffer): number {
  const at = font.indexOf('maxp', 0, 'latin1')
  return font.readUInt16BE(font.readUInt32BE(at + 8) + 4)
}
