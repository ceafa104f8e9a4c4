import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readingLimits } from '@chancela/signature-engine/pdf'
import { manyPagesPdf, samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { inspectPdf, readPdf } from './read-pdf.ts'
import { formPdf, shapedPdf, signedPdf } from './test-support/sample-documents.ts'

async function encrypted(pdf: Uint8Array, user = 'user', ...restrictions: string[]): Promise<Buffer> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'in.pdf'), pdf)
  const options = ['--encrypt', user, 'owner', '256', ...restrictions, '--', 'in.pdf', '-']
  return (await runTool('qpdf', options, { folder })).stdout
}

describe('looking at a file', () => {
  test('tells the pages as they are shown: cropped, and turned', async () => {
    const pdf = await shapedPdf(
      {},
      { rotate: 90 },
      { rotate: 270, mediaBox: [10, 20, 500, 700], cropBox: [60, 70, 300, 400] },
    )
    expect(inspectPdf(pdf)).toStrictEqual({
      kind: 'pdf',
      pages: [
        { width: 595, height: 842, rotate: 0 },
        { width: 842, height: 595, rotate: 90 },
        { width: 400, height: 300, rotate: 270 },
      ],
      fields: [],
      signatures: 0,
    })
    expect(readPdf(pdf)).toBeUndefined()
  })

  test('tells the fields of a form by their full names', async () => {
    expect(inspectPdf(await formPdf())).toMatchObject({
      fields: [
        { name: 'cliente.nome', type: 'Tx', isFilled: false },
        { name: 'cliente.uf', type: 'Tx' },
        { name: 'aceite', type: 'Btn' },
        { name: 'plano', type: 'Btn' },
        { name: 'cidade', type: 'Ch' },
      ],
    })
  })

  test('tells how many signatures it has, and does not count them as fields', async () => {
    const signed = await signedPdf(samplePdf('Contrato'), { x: 50, y: 50, width: 100, height: 40, lines: ['Maria'] })
    expect(inspectPdf(signed)).toMatchObject({ kind: 'pdf', fields: [], signatures: 1 })
  })

  test('tells what is no PDF, what is encrypted and what is damaged', async () => {
    const pdf = samplePdf('Contrato')
    const cases = [
      ['not-a-pdf', Buffer.from('%!PS-Adobe')],
      ['not-a-pdf', Buffer.alloc(0)],
      ['encrypted', await encrypted(pdf)],
      ['damaged', pdf.subarray(0, 400)],
    ] as const
    for (const [kind, wrong] of cases)
      for (const look of [inspectPdf, readPdf]) expect(look(wrong)).toStrictEqual({ kind, reason: expect.any(String) })
  })

  test('takes an encrypted file that needs no password, unless its author lets only its owner sign it', async () => {
    const pdf = samplePdf('Contrato')
    expect(readPdf(await encrypted(pdf, ''))).toBeUndefined()
    expect(readPdf(await encrypted(pdf, '', '--modify=form'))).toMatchObject({ kind: 'encrypted' })
  })

  test('reads every object that the document leads to, and finds what only shows there', () => {
    const broken = samplePdf('Contrato').toString('latin1').replace('/BaseFont /Helvetica ', '/Subtype /Type1      ')
    expect(inspectPdf(Buffer.from(broken, 'latin1'))).toMatchObject({ kind: 'pdf' })
    expect(readPdf(Buffer.from(broken, 'latin1'))).toMatchObject({ kind: 'damaged' })
    expect(readPdf(manyPagesPdf(3), { ...readingLimits, pages: 2 })).toMatchObject({ kind: 'too-complex' })
  })
})
