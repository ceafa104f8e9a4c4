import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib'
import { claimedLevel } from '@chancela/signature-engine/pdf'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { representDegree } from './degree.ts'
import { looksLikePdfA } from './pdf-a-check.ts'
import { sampleDegree } from './samples/sample-degree.ts'
import { soundFile } from './test-support/judges.ts'
import { sampleInput } from './test-support/sample-input.ts'

const pdfA = representDegree({ ...sampleInput, data: sampleDegree })

const codesOf = (bytes: Uint8Array): string[] => looksLikePdfA(bytes).findings.map(({ code }) => code)

/** The same file after others have written into it. */
async function changed(change: (document: PDFDocument) => void | Promise<void>): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdfA, { updateMetadata: false })
  await change(document)
  return document.save({ useObjectStreams: false })
}

test('what we draw is found to be PDF/A-1b', () => {
  expect(looksLikePdfA(pdfA)).toEqual({ isPdfA: true, claim: { part: '1', conformance: 'B' }, findings: [] })
})

test('a plain PDF with a font of the viewer is not', async () => {
  const document = await PDFDocument.create()
  document.addPage().drawText('Certidão', { font: await document.embedFont(StandardFonts.Helvetica) })
  const verdict = looksLikePdfA(await document.save())
  expect(verdict).toMatchObject({ isPdfA: false, claim: undefined })
  expect(verdict.findings.map(({ code, detail }) => [code, detail])).toEqual([
    ['no-metadata', undefined],
    ['font-not-embedded', 'Helvetica'],
  ])
})

test('a claim does not help where a font is missing', async () => {
  const bytes = await changed(async (document) =>
    document.getPage(0).drawText('x', { font: await document.embedFont(StandardFonts.TimesRoman) }),
  )
  expect(codesOf(bytes)).toEqual(['font-not-embedded'])
})

test('transparency, actions and attachments are each told', async () => {
  expect(codesOf(await changed((document) => document.getPage(0).drawRectangle({ opacity: 0.5 })))).toContain(
    'transparency',
  )
  expect(codesOf(await changed((document) => document.addJavaScript('x', 'app.alert(1)')))).toContain('action')
  expect(codesOf(await changed((document) => document.attach(Buffer.from('x'), 'x.txt')))).toContain('attachment')
  const launching = await changed((document) => {
    const action = document.context.obj({ S: PDFName.of('Launch'), F: PDFString.of('x') })
    document.catalog.set(PDFName.of('OpenAction'), action)
  })
  expect(codesOf(launching)).toContain('action')
})

test('an encrypted PDF, and what is none, are told apart', async () => {
  const path = join(temporaryFolder(), 'locked.pdf')
  await runTool('qpdf', ['--encrypt', '', 'owner', '256', '--', await soundFile(pdfA), path])
  expect(codesOf(readFileSync(path))).toEqual(['encrypted'])
  expect(codesOf(Buffer.from('GIF89a'))).toEqual(['unreadable'])
  expect(codesOf(new Uint8Array())).toEqual(['unreadable'])
})

const packet = (body: string) => Buffer.from(`<x xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" ${body}</x>`)

test('the claim is read as elements or attributes, under any prefix and in any encoding', () => {
  const level = { part: '2', conformance: 'U' }
  expect(claimedLevel(packet('><pdfaid:part>2</pdfaid:part><pdfaid:conformance>u</pdfaid:conformance>'))).toEqual(level)
  expect(claimedLevel(packet('pdfaid:part="2" pdfaid:conformance="U">'))).toEqual(level)
  expect(
    claimedLevel(Buffer.from(packet('pdfaid:part="2" pdfaid:conformance="U">').toString().replaceAll('pdfaid', 'a'))),
  ).toEqual(level)
  const utf16 = Buffer.from(`\uFEFF${packet('pdfaid:part="2" pdfaid:conformance="U">')}`, 'utf16le')
  expect(claimedLevel(utf16)).toEqual(level)
  expect(claimedLevel(Buffer.from(utf16).swap16())).toEqual(level)
  expect(claimedLevel(Buffer.from('<x pdfaid:part="1"/>'))).toBeUndefined()
})

test('a level that does not exist is no claim', async () => {
  const bytes = Buffer.from(
    pdfA.toString('latin1').replace('<pdfaid:conformance>B<', '<pdfaid:conformance>Z<'),
    'latin1',
  )
  expect(codesOf(bytes)).toEqual(['unknown-level'])
})

test('a damaged file is a verdict, never an exception', () => {
  fc.assert(
    fc.property(fc.nat(pdfA.length - 1), fc.nat(255), fc.nat(40), (at, byte, cut) => {
      const damaged = Buffer.from(pdfA.subarray(0, pdfA.length - cut))
      damaged[at % damaged.length] = byte
      expect(typeof looksLikePdfA(damaged).isPdfA).toBe('boolean')
    }),
    { numRuns: 300 },
  )
})
