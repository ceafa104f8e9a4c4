import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { inspectPdf, readPdf } from './read-pdf.ts'
import { formPdf, shapedPdf, signedPdf } from './test-support/sample-documents.ts'

async function encrypted(pdf: Uint8Array): Promise<Buffer> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'in.pdf'), pdf)
  const { stdout } = await runTool('qpdf', ['--encrypt', 'user', 'owner', '256', '--', 'in.pdf', '-'], { folder })
  return stdout
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
    expect(inspectPdf(Buffer.from('%!PS-Adobe'))).toStrictEqual({ kind: 'not-a-pdf' })
    expect(inspectPdf(Buffer.alloc(0))).toStrictEqual({ kind: 'not-a-pdf' })
    expect(inspectPdf(await encrypted(pdf))).toStrictEqual({ kind: 'encrypted' })
    expect(inspectPdf(pdf.subarray(0, 400))).toMatchObject({ kind: 'unreadable', reason: expect.any(String) })
    for (const wrong of [Buffer.from('text'), await encrypted(pdf), pdf.subarray(0, 400)])
      expect(readPdf(wrong)).toEqual(expect.any(String))
  })
})
