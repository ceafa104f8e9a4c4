import { deflateSync } from 'node:zlib'
import { runTool } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { defaultDegreeTemplate } from './templates/default-degree.ts'
import type { DegreeTemplate } from './templates/degree-template.ts'
import { checkTemplate, previewTemplate, type TemplateKind, templateGuide } from './templates.ts'
import { pageTexts, soundFile } from './test-support/judges.ts'
import { brokenClauses } from './test-support/pdf-a-clauses.ts'

const kinds: readonly TemplateKind[] = ['degree', 'transcript', 'curriculum']

const degreeWith = (change: (template: DegreeTemplate) => void): DegreeTemplate => {
  const template = structuredClone(defaultDegreeTemplate)
  change(template)
  return template
}

const withText = (text: string) =>
  degreeWith(({ front }) =>
    front.push({ kind: 'flow', x: 30, y: 150, width: 100, height: 20, items: [{ kind: 'text', text }] }),
  )

for (const kind of kinds)
  test(`the default template of a ${kind} may be stored, and is previewed with data that nobody has`, async () => {
    const { template, tags } = templateGuide(kind)
    expect(checkTemplate(JSON.parse(JSON.stringify(template)))).toEqual(template)
    expect(tags.map(({ tag }) => tag)).toContain('codigo')
    for (const page of await pageTexts(previewTemplate(template)))
      expect(page.replaceAll(' ', '')).toContain('PRÉ-VISUALIZAÇÃO')
  })

test('a tag that nobody knows is refused by its name, with those that are known', () => {
  expect(() => checkTemplate(withText('Olá {{diplomado.apelido}}'))).toThrowError(
    expect.objectContaining({
      code: 'template.unknown-tag',
      details: expect.objectContaining({ tag: 'diplomado.apelido', known: expect.stringContaining('diplomado.nome') }),
    }),
  )
})

test('an unknown tag is found inside of a part that no document may ever show', () => {
  expect(() => checkTemplate(withText('{{?judicial.processo}}{{foo}}{{/}}'))).toThrowError(
    expect.objectContaining({ code: 'template.unknown-tag' }),
  )
})

for (const text of ['{{?codigo}}aberto', 'fechado{{/}}', '**negrito', '*itálico'])
  test(`the text ${text} cannot be read and is refused`, () => {
    expect(() => checkTemplate(withText(text))).toThrowError(expect.objectContaining({ code: 'template.broken-text' }))
  })

const wrong: Readonly<Record<string, unknown>> = {
  'nothing at all': null,
  'another kind': { kind: 'poster' },
  'an unknown field': { ...defaultDegreeTemplate, script: 'alert(1)' },
  'a colour the palette lacks': degreeWith(({ front }) =>
    front.push({ kind: 'rosette', x: 1, y: 1, radius: 5, color: 'purple' }),
  ),
  'no code on the front': degreeWith((template) => template.front.splice(0)),
  'no QR code on the back': degreeWith((template) => template.back.splice(0)),
  'a table that no transcript has': {
    ...templateGuide('transcript').template,
    sections: [{ title: 'X', table: 'faltas', columns: [{ column: 'nome', share: 1 }] }],
  },
  'a column that the table lacks': {
    ...templateGuide('transcript').template,
    sections: [{ title: 'X', table: 'enade', columns: [{ column: 'cor', share: 1 }] }],
  },
  'a group that the table lacks': {
    ...templateGuide('transcript').template,
    sections: [{ title: 'X', table: 'enade', group: 'cor', columns: [{ column: 'motivo', share: 1 }] }],
  },
}

for (const [what, template] of Object.entries(wrong))
  test(`a template with ${what} is refused`, () => {
    expect(() => checkTemplate(template)).toThrowError(expect.objectContaining({ code: 'template.invalid' }))
  })

const misspelt: Readonly<Record<string, (template: DegreeTemplate) => void>> = {
  '/front/0/colour': ({ front }) => Object.assign(front[0]!, { colour: 'red' }),
  '/back/0/inset': ({ back }) => Object.assign(back[0]!, { inset: 'wide' }),
  '/front/0/kind': ({ front }) => Object.assign(front[0]!, { kind: 'banner' }),
  '/front/4/items/0/sizee': ({ front }) => Object.assign((front[4] as { items: object[] }).items[0]!, { sizee: 3 }),
  '/front/4/items/0/font': ({ front }) => Object.assign((front[4] as { items: object[] }).items[0]!, { font: 'comic' }),
  '/palette/text': ({ palette }) => Object.assign(palette, { text: 'red' }),
  '/page/width': ({ page }) => Object.assign(page, { width: undefined }),
}

for (const [place, change] of Object.entries(misspelt))
  test(`what is wrong at ${place} is told by its name`, () => {
    expect(() => checkTemplate(degreeWith(change))).toThrowError(
      expect.objectContaining({ code: 'template.invalid', details: { reason: expect.stringContaining(`${place} `) } }),
    )
  })

test('a picture that the template names and does not have is refused by its name', () => {
  const template = degreeWith(({ front }) =>
    front.push({ kind: 'picture', picture: 'brasao', x: 1, y: 1, width: 9, height: 9 }),
  )
  expect(() => checkTemplate(template)).toThrowError(
    expect.objectContaining({ code: 'template.unknown-picture', details: { picture: 'brasao' } }),
  )
})

/** A PNG of 4 by 2 pixels of one kind: its colour type, bits, row bytes and further chunks. */
function png(
  type: number,
  depth: number,
  row: readonly number[],
  chunks: readonly (readonly [string, Buffer])[] = [],
): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(4, 0)
  header.writeUInt32BE(2, 4)
  header.set([depth, type], 8)
  const data = deflateSync(Buffer.from([0, ...row, 2, ...row.map(() => 0)]))
  const parts = ([['IHDR', header], ...chunks, ['IDAT', data], ['IEND', Buffer.alloc(0)]] as const).map(
    ([name, body]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(body.length)
      return Buffer.concat([length, Buffer.from(name), body, Buffer.alloc(4)])
    },
  )
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...parts]).toString('base64')
}

const pictures: Readonly<Record<string, string>> = {
  grey: png(0, 8, [0, 85, 170, 255]),
  'grey of two bits': png(0, 2, [0b00011011]),
  coloured: png(2, 8, [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]),
  'of sixteen bits': png(0, 16, [0, 0, 85, 0, 170, 0, 255, 0]),
  'of a palette': png(
    3,
    4,
    [0x01, 0x01],
    [
      ['PLTE', Buffer.from([255, 0, 0, 0, 0, 255])],
      ['tRNS', Buffer.from([0])],
    ],
  ),
  'grey and transparent': png(4, 8, [0, 255, 0, 128, 0, 0, 9, 9]),
  transparent: png(6, 8, [255, 0, 0, 255, 255, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
}

for (const [kind, logo] of Object.entries(pictures))
  test(`a logo that is ${kind} is drawn on white, without transparency`, async () => {
    const pdf = previewTemplate({ ...defaultDegreeTemplate, pictures: { logo } })
    expect(await brokenClauses(pdf)).toEqual([])
    const { text } = await runTool('pdfimages', ['-list', await soundFile(pdf)])
    expect(text).toMatch(/image\s+4\s+2\s+rgb\s+3\s+8/)
    expect(text).not.toMatch(/smask/)
  })

test('a JPEG is kept as it is', async () => {
  const page = await soundFile(previewTemplate(defaultDegreeTemplate))
  const { stdout } = await runTool('pdftoppm', ['-jpeg', '-r', '20', '-singlefile', page])
  const pdf = previewTemplate({ ...defaultDegreeTemplate, pictures: { logo: stdout.toString('base64') } })
  expect(await brokenClauses(pdf)).toEqual([])
  expect(pdf.includes(stdout)).toBe(true)
  const { text } = await runTool('pdfimages', ['-list', await soundFile(pdf)])
  expect(text).toMatch(/image\s+234\s+166\s+rgb\s+3\s+8\s+jpeg/)
})

for (const [what, logo] of Object.entries({
  'no picture': Buffer.from('GIF89a').toString('base64'),
  'a damaged PNG': pictures.coloured!.slice(0, 80),
  'a PNG of bits that do not exist': png(2, 3, [1, 2, 3]),
  'a damaged JPEG': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]).toString('base64'),
}))
  test(`a logo that is ${what} is refused`, () => {
    expect(() => previewTemplate({ ...defaultDegreeTemplate, pictures: { logo } })).toThrowError(
      expect.objectContaining({ code: 'picture.unsupported' }),
    )
  })
