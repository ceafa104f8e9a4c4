import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { sharedCore } from './test-support/core-world.ts'
import { picture } from './test-support/picture.ts'
import { inline, pdfsig, prepare, sign } from './test-support/signing.ts'

const ANA = 'ana-souza'
/** One page of 595 by 842 points. */
const contract = samplePdf('Contract')
const manual = { left: 100, bottom: 50, width: 200, height: 80 }
const points = { measurementUnits: 'PdfPoints' }

const shown = (representation: object, more: object = {}) => ({
  pdfSignatureOptions: { visualRepresentation: representation, ...more },
})

/** The words of a page with their places: x from the left, y from the bottom, of a page this high. */
async function wordsOn(bytes: Uint8Array, page: number): Promise<{ text: string; x: number; y: number }[]> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.pdf'), bytes)
  const { text } = await runTool('pdftotext', ['-bbox', '-f', `${page}`, '-l', `${page}`, 'a.pdf', '-'], { folder })
  const height = Number(/page width="[\d.]+" height="([\d.]+)"/.exec(text)?.[1])
  return [...text.matchAll(/xMin="([\d.]+)" yMin="[\d.]+" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</g)].map(
    ([, x, y, word]) => ({ text: word!, x: Number(x), y: height - Number(y) }),
  )
}

describe('a visual representation', () => {
  const open = sharedCore('SQLite')

  test('shows text with tags and the time, where the request says', async () => {
    const text = {
      text: 'Assinado por {{name}}\nCPF {{br_cpf_formatted}} {{ br_cpf_masked }} {{other}}',
      includeSigningTime: true,
      fontSize: 8,
    }
    const { bytes } = await sign(open(), ANA, {
      file: inline('a.pdf', contract),
      ...shown({ position: { pageNumber: 1, ...points, manual }, text }),
    })
    expect(await pdfsig(bytes)).toContain('Signature is Valid.')
    const words = await wordsOn(bytes, 1)
    const line = words.map((word) => word.text).join(' ')
    expect(line).toContain('Assinado por ANA BEATRIZ SOUZA')
    expect(line).toContain('CPF 529.982.247-25 ***.982.247-** {{other}}')
    expect(line).toContain('Date: 11/16/26, 9:00:00 AM GMT-3')
    const first = words.find((word) => word.text === 'Assinado')!
    expect(first.x).toBeGreaterThan(100)
    expect(first.x).toBeLessThan(110)
    expect(first.y).toBeGreaterThan(50)
    expect(first.y).toBeLessThan(130)
  })

  test('stands to the right in its container, with a picture behind it', async () => {
    const { bytes } = await sign(open(), ANA, {
      file: inline('a.pdf', contract),
      ...shown({
        position: { ...points, manual },
        text: {
          text: 'word',
          fontSize: 10,
          horizontalAlign: 'Right',
          container: { left: 0, right: 100, top: 0, height: 20 },
        },
        image: {
          resource: { content: picture().toString('base64'), mimeType: 'image/png' },
          opacity: 40,
          horizontalAlign: 'Right',
        },
      }),
    })
    const [word] = (await wordsOn(bytes, 1)).filter(({ text }) => text === 'word')
    expect(word!.x).toBeGreaterThan(150)
    expect(word!.x).toBeLessThan(200)
    expect(word!.y).toBeGreaterThan(108)
    expect(bytes.toString('latin1')).toMatch(/\/ca 0\.4/)
    expect(await pdfsig(bytes)).toContain('Signature is Valid.')
  })

  test('goes on a new page, the last one, or one that is not there', async () => {
    const world = open()
    const at = (pageNumber: number) => ({
      file: inline('a.pdf', contract),
      ...shown({
        position: { pageNumber, manual: { left: 2, bottom: 2, width: 6, height: 3 } },
        text: { text: 'here' },
      }),
    })
    const added = await sign(world, ANA, at(0))
    expect((await wordsOn(added.bytes, 2)).map(({ text }) => text)).toEqual(['here'])
    expect(await pdfsig(added.bytes)).toContain('Total document signed')
    expect((await wordsOn((await sign(world, ANA, at(-1))).bytes, 1)).map(({ text }) => text)).toContain('here')
    expect((await prepare(world, ANA, at(2))).body).toMatchObject({ code: 'InvalidPage' })
    expect((await prepare(world, ANA, at(-2))).body).toMatchObject({ code: 'InvalidPage' })
  })

  test('finds the next free place by itself, until the container is full', async () => {
    const world = open()
    const auto = {
      container: { left: 0, right: 0, bottom: 0, height: 100 },
      signatureRectangleSize: { width: 250, height: 40 },
      rowSpacing: 10,
    }
    const request = (bytes: Uint8Array, text: string) => ({
      file: inline('a.pdf', bytes),
      ...shown({ position: { ...points, auto }, text: { text, fontSize: 8 } }),
    })
    const labels = [ANA, 'bruno-lima', 'davi-moreira', 'helena-prado']
    let bytes: Buffer = contract
    for (const [index, label] of labels.entries())
      ({ bytes } = await sign(world, label, request(bytes, `place${index}`)))
    const places = (await wordsOn(bytes, 1)).filter(({ text }) => text.startsWith('place'))
    const cells = places.map(({ text, x, y }) => `${text} ${x < 250 ? 'left' : 'right'} ${y > 50 ? 'upper' : 'lower'}`)
    expect(cells.toSorted()).toEqual([
      'place0 left upper',
      'place1 right upper',
      'place2 left lower',
      'place3 right lower',
    ])
    const full = await prepare(world, ANA, request(bytes, 'more'))
    expect(full.body).toMatchObject({ code: 'InvalidVisualRepresentation' })
  })

  test('is scaled where the page is another than the one it was meant for', async () => {
    const position = { manual: { left: 21, bottom: 10, width: 8, height: 5 }, pageOptimization: { paperSize: 'A3' } }
    const { bytes } = await sign(open(), ANA, {
      file: inline('a.pdf', contract),
      ...shown({ position, text: { text: 'here', fontSize: 20 } }),
    })
    const [word] = (await wordsOn(bytes, 1)).filter(({ text }) => text === 'here')
    expect(word!.x).toBeGreaterThan(420)
    expect(word!.x).toBeLessThan(430)
  })

  test.each<[string, object, string]>([
    ['no position', { position: {}, text: { text: 'x' } }, 'PadesPositionNotFilled'],
    ['nothing to show', { position: { manual } }, 'InvalidVisualRepresentation'],
    ['no size', { position: { manual: { left: 1, bottom: 1 } }, text: { text: 'x' } }, 'InvalidVisualRepresentation'],
    ['a place off the page', { position: { manual }, text: { text: 'x' } }, 'InvalidVisualRepresentation'],
    ['a font of size 0', { position: { ...points, manual }, text: { text: 'x', fontSize: 0 } }, 'FontSizeZero'],
    [
      'a picture that is none',
      { position: { ...points, manual }, image: { resource: { content: 'AAAA' } } },
      'InvalidVisualRepresentation',
    ],
  ])('with %s is refused by name', async (_what, representation, code) => {
    const answer = await prepare(open(), ANA, { file: inline('a.pdf', contract), ...shown(representation) })
    expect(answer).toMatchObject({ status: 422, body: { code } })
  })
})
