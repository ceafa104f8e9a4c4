// Marks on the pages of a PDF: texts, pictures and QR codes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import type { Answer } from '@chancela/testkit/service-world'
import { runTool, type Tool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { type CoreWorld, clientAt, databases, sharedCore, testOnce } from './test-support/core-world.ts'
import { base64, policies, signEarlier } from './test-support/earlier-signing.ts'
import { picture } from './test-support/picture.ts'
import { download, pdfsig, protectedPdf } from './test-support/signing.ts'

const ANA = 'ana-souza'
const BRUNO = 'bruno-lima'
const PATH = '/Api/Pdf/AddMarks'
const CONTEXT = builtInContexts.pkiBrazil
const contract = samplePdf('Contract')
const refused = (code: string) => ({ status: 422, body: { code } })

const words = (text: string, over: object = {}) => ({ elementType: 'Text', textSections: [{ text, ...over }] })
const footer = { container: { left: 1.5, right: 3.5, bottom: 0, height: 2 }, elements: [words('Cópia de João')] }
const image = {
  elementType: 'Image',
  opacity: 75,
  image: { resource: { content: base64(picture()), mimeType: 'image/png' } },
}
const code = { elementType: 'QRCode', qrCodeData: 'https://example.com/v/1', qrCodeDrawQuietZones: true }

/** What clients make of a signed PDF for printing: notes on every page, and a page that explains the signatures. */
const printable = [
  footer,
  { container: { width: 1, right: 1, height: 1, bottom: 1 }, elements: [image] },
  { container: { width: 2, right: 0, top: 1.5, bottom: 3.5 }, elements: [{ ...words('Ao lado'), rotation: 90 }] },
  {
    pageOption: 'NewPage',
    container: { top: 1.5, bottom: 1.5, left: 1.5, right: 1.5 },
    borderWidth: 1,
    borderColor: { red: 0, green: 0, blue: 128, alpha: 100 },
    backgroundColor: { red: 250, green: 250, blue: 210, alpha: 50 },
    elements: [
      { ...image, relativeContainer: { height: 3, top: 0, width: 3, left: 0 } },
      { ...code, relativeContainer: { height: 3, top: 0, width: 3, right: 0 } },
      {
        ...words('VERIFICAÇÃO DAS\nASSINATURAS', { fontSize: 14, style: 'Bold' }),
        align: 'Center',
        verticalAlign: 'Center',
        relativeContainer: { height: 3, top: 0, left: 3, right: 3 },
      },
    ],
  },
]

function saved(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'marked.pdf')
  writeFileSync(path, bytes)
  return path
}

const said = async (tool: Tool, bytes: Uint8Array, ...options: string[]) =>
  (await runTool(tool, [...options, saved(bytes), ...(tool === 'pdftotext' ? ['-'] : [])])).text

const bytesOf = ({ status, body, text }: Answer): Buffer => {
  expect([status, text]).toEqual([200, expect.any(String)])
  return Buffer.from(body.file.content, 'base64')
}

type Client = Pick<CoreWorld, 'json'>
type Opened = { readonly validationResults: { readonly errors: readonly object[] } }

const mark = ({ json }: Client, marks: unknown, over: object = {}) =>
  json('POST', PATH, { file: { content: base64(contract) }, marks, ...over })

const signed = async (client: Client, over: object = {}, label = ANA) => {
  const request = { pdfToSign: base64(contract), signaturePolicyId: policies.padesRb, ...over }
  const { body, text } = await signEarlier(client, '/Api/PadesSignatures', label, request)
  if (!body.signedPdf) throw new Error(text)
  return Buffer.from(body.signedPdf, 'base64')
}

for (const database of databases) {
  describe(`marks on a PDF, on ${database}`, () => {
    const open = sharedCore(database)
    const once = testOnce(database)

    test('a PDF comes back with its marks, also as an upload that is of the subscription alone', async () => {
      const world = open()
      const bytes = bytesOf(await mark(world, printable))
      expect(bytes.subarray(0, contract.length).equals(contract)).toBe(true)
      expect(await said('qpdf', bytes, '--check')).toContain('No syntax or stream encoding errors')
      const pages = await Promise.all([1, 2].map((page) => said('pdftotext', bytes, '-f', `${page}`, '-l', `${page}`)))
      expect(pages[0]).toMatch(/Contract[\s\S]*Cópia de João/)
      expect(pages[1]).toMatch(/VERIFICAÇÃO DAS\s+ASSINATURAS/)
      expect(pages[1]).not.toContain('Cópia')
      expect((await said('pdfimages', bytes, '-list')).match(/^ +\d+ +\d+ image /gm)).toHaveLength(2)
      const upload = await mark(world, [footer], { forceBlobResult: true })
      expect(upload.body.file).toMatchObject({ content: null, blobToken: expect.any(String), name: 'marked.pdf' })
      expect(await said('pdftotext', await download(upload.body.file.url))).toContain('Cópia de João')
      const file = { blobToken: upload.body.file.blobToken }
      expect(bytesOf(await mark(world, [footer], { file })).length).toBeGreaterThan(contract.length)
      const other = await clientAt(world)
      expect(await mark(other, [footer], { file })).toMatchObject(refused('InvalidToken'))
    })

    test('marks are put on before the signature, which is good', async () => {
      const world = open()
      const bytes = await signed(world, { pdfMarks: printable })
      expect(await pdfsig(bytes)).toMatch(
        /Signature is Valid\.[\s\S]*Total document signed|Total document signed[\s\S]*Signature is Valid\./,
      )
      expect(await said('pdftotext', bytes)).toMatch(/Cópia de João[\s\S]*VERIFICAÇÃO/)
      const again = { pdfToSign: base64(bytes), pdfMarks: [footer] }
      const both = await signed(world, again, BRUNO)
      expect((await pdfsig(both)).match(/Signature is Valid\./g)).toHaveLength(2)
      expect((await said('pdftotext', both)).match(/Cópia de João/g)).toHaveLength(1)
    })

    once('over a signed PDF marks are laid behind its bytes, unless that is to be refused', async () => {
      const world = open()
      const before = await signed(world)
      const file = { content: base64(before) }
      expect(await mark(world, printable, { file, abortIfSigned: true })).toMatchObject(refused('CannotApplyPdfMarks'))
      const after = bytesOf(await mark(world, printable, { file, preserveSignaturesVisualRepresentation: true }))
      expect(after.subarray(0, before.length).equals(before)).toBe(true)
      expect(await pdfsig(after)).toContain('Signature is Valid.')
      expect(await said('qpdf', after, '--check')).toContain('No syntax or stream encoding errors')
      expect(await said('pdftotext', after)).toMatch(/Cópia de João[\s\S]*VERIFICAÇÃO/)
    })

    once('a signature that allows annotations stays good under marks; any other forbids them', async () => {
      const world = open()
      const certificationLevel = 'CertifiedFormFillingAndAnnotations'
      const over = { signaturePolicyId: policies.padesBasic, securityContextId: CONTEXT }
      const before = await signed(world, { certificationLevel, ...over })
      const further = { pdfToSign: base64(before), pdfMarks: [footer], bypassMarksIfSigned: false, ...over }
      const both = await signed(world, further, BRUNO)
      expect((await pdfsig(both)).match(/Signature is Valid\./g)).toHaveLength(2)
      expect(await said('pdftotext', both)).toContain('Cópia de João')
      const opened = await world.json('POST', '/Api/PadesSignatures/Open', {
        file: { content: base64(both) },
        validate: true,
        securityContextId: CONTEXT,
      })
      expect(opened.body.signers.map((one: Opened) => one.validationResults.errors)).toEqual([[], []])
      const plain = await signed(world)
      const start = { ...further, pdfToSign: base64(plain) }
      expect(await world.json('POST', '/Api/PadesSignatures', start)).toMatchObject(refused('CannotApplyPdfMarks'))
    })

    once('a page is chosen by its number, from either end, and its paper may be another than meant', async () => {
      const world = open()
      const three = bytesOf(
        await mark(world, [
          { ...footer, pageOption: 'NewPage' },
          { ...footer, pageOption: 'NewPage' },
        ]),
      )
      const file = { content: base64(three) }
      const where = async (pageOption: string, pageOptionNumber: number) => {
        const bytes = bytesOf(
          await mark(world, [{ elements: [words('AQUI')], pageOption, pageOptionNumber }], { file }),
        )
        const texts = await Promise.all(
          [1, 2, 3].map((page) => said('pdftotext', bytes, '-f', `${page}`, '-l', `${page}`)),
        )
        return texts.findIndex((text) => text.includes('AQUI')) + 1
      }
      expect(await where('SinglePage', 2)).toBe(2)
      expect(await where('SinglePageFromEnd', 1)).toBe(3)
      expect(await where('SinglePageFromEnd', 3)).toBe(1)
      for (const [pageOption, pageOptionNumber] of [
        ['SinglePage', 4],
        ['SinglePage', 0],
        ['SinglePageFromEnd', 4],
      ])
        expect(await mark(world, [{ ...footer, pageOption, pageOptionNumber }], { file })).toMatchObject(
          refused('InvalidPage'),
        )
      const wide = { container: { left: 20, bottom: 1, width: 5, height: 1 }, elements: [words('Larga')] }
      const pageOptimization = { paperSize: 'A3', pageOrientation: 'Landscape' }
      expect(await said('pdftotext', bytesOf(await mark(world, [wide], { pageOptimization })))).toContain('Larga')
      expect(await mark(world, [wide])).toMatchObject(refused('CannotApplyPdfMarks'))
      const inPoints = { container: { left: 500, bottom: 1, width: 50, height: 20 }, elements: [words('x')] }
      expect((await mark(world, [inPoints], { measurementUnits: 'PdfPoints' })).status).toBe(200)
    })

    once('on pages of several sizes a mark keeps its distance from their edges', async () => {
      const world = open()
      const page = { ...footer, elements: [words('Folha')], container: { left: 1, bottom: 1, width: 3, height: 1 } }
      const added = { pageOptimization: { paperSize: 'A5', pageOrientation: 'Portrait' } }
      const mixed = bytesOf(await mark(world, [{ ...page, pageOption: 'NewPage' }], added))
      expect(await said('pdfinfo', mixed, '-l', '2')).toMatch(/Page +2 size: +419\.\d+ x 595\.\d+ pts/)
      const corner = {
        container: { right: 1, top: 1, width: 3, height: 1 },
        elements: [{ ...words('CANTO', { fontSize: 10 }), align: 'Right' }],
      }
      const bytes = bytesOf(await mark(world, [corner], { file: { content: base64(mixed) } }))
      for (const [number, width] of [
        [1, 595],
        [2, 419.53],
      ] as const) {
        const text = await said('pdftotext', bytes, '-bbox', '-f', `${number}`, '-l', `${number}`)
        const right = Number(/xMax="([\d.]+)" yMax="[\d.]+">CANTO</.exec(text)![1])
        expect(Math.abs(right - (width - 72 / 2.54))).toBeLessThan(1)
      }
    })

    once('what cannot be drawn, or is no PDF, is refused by name', async () => {
      const world = open()
      const one = (element: object) => [{ elements: [element] }]
      const garbage = base64(Buffer.alloc(5 * 1024 * 1024, 'no pdf '))
      const locked = base64(await protectedPdf(contract))
      const cases: readonly [string, unknown, object?][] = [
        ['InvalidElementType', one({ elementType: 'Circle' })],
        ['InvalidElementType', one({ elementType: null })],
        ['FontSizeZero', one(words('x', { fontSize: 0 }))],
        ['CannotApplyPdfMarks', one({ elementType: 'Text' })],
        ['CannotApplyPdfMarks', one({ elementType: 'QRCode', qrCodeData: null })],
        ['CannotApplyPdfMarks', one({ elementType: 'Image' })],
        ['CannotApplyPdfMarks', one({ ...image, image: { resource: { content: base64('no picture') } } })],
        ['CannotApplyPdfMarks', [{ ...footer, container: { left: 1, right: 1, width: 1, height: 1 } }]],
        ['CannotApplyPdfMarks', [{ ...footer, borderWidth: 500 }]],
        ['CannotApplyPdfMarks', Array.from({ length: 100 }, () => ({ elements: [words('x'.repeat(5000))] }))],
        ['InvalidPdf', [footer], { file: { content: garbage } }],
        ['InvalidPdf', [footer], { file: { content: base64(contract.subarray(0, 300)) } }],
        ['ProtectedPdfError', [footer], { file: { content: locked } }],
        ['InvalidToken', [footer], { file: { blobToken: 'x' } }],
      ]
      for (const [code, marks, over] of cases) {
        const answer = await mark(world, marks, over)
        expect([code, answer.status, answer.body.code]).toEqual([code, 422, code])
      }
    })

    once('fields of the wrong kind are 400, and fields nobody knows are taken', async () => {
      const world = open()
      const bad: readonly [unknown, object?][] = [
        [null],
        ['x'],
        [[null]],
        [[{}]],
        [[{ ...footer, elements: 'x' }]],
        [[{ ...footer, pageOption: 'EveryPage' }]],
        [[{ ...footer, pageOptionNumber: 1.5 }]],
        [[{ ...footer, backgroundColor: { red: 256, green: 0, blue: 0 } }]],
        [[{ elements: [{ ...words('x'), opacity: 101 }] }]],
        [[{ elements: [{ elementType: 'Text', textSections: [{}] }] }]],
        [Array.from({ length: 101 }, () => footer)],
        [[footer], { file: null }],
        [[footer], { file: { content: '!' } }],
        [[footer], { file: {} }],
        [[footer], { measurementUnits: 'Inches' }],
        [[footer], { abortIfSigned: 'maybe' }],
      ]
      for (const [marks, over] of bad)
        expect([JSON.stringify([marks, over]).slice(0, 200), (await mark(world, marks, over)).status]).toEqual([
          expect.any(String),
          400,
        ])
      expect((await mark(world, [{ ...footer, colour: 'x' }], { other: 1 })).status).toBe(200)
      expect(bytesOf(await mark(world, [])).equals(contract)).toBe(true)
      expect((await mark(world, [{ elements: [words(''), words('  \n ')] }])).status).toBe(200)
    })
  })
}
