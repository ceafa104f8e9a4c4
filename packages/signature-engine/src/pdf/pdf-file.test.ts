import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { IncrementalUpdate } from './incremental-update.ts'
import { allPages, findPage, pageCount } from './page-tree.ts'
import { openPdf } from './pdf-file.ts'
import { dict, isDict, isStream, name, nameOf, ref } from './pdf-object.ts'
import { containerKinds, hybridPdf, tablePdf, throughQpdf, withRevision } from './test-support/sample-pdfs.ts'

/** What qpdf says of a file: exit code 0 clean, 3 warnings, 2 errors. */
async function qpdfCheck(pdf: Uint8Array): Promise<number | null> {
  const path = join(temporaryFolder(), 'file.pdf')
  writeFileSync(path, pdf)
  return (await runTool('qpdf', ['--check', path])).exitCode
}

describe.each(Object.entries(containerKinds))('a file of the kind "%s"', (_kind, make) => {
  test('is read: catalog, pages and their contents', () => {
    const file = openPdf(make())
    expect(nameOf(file.catalog().get('Type'))).toBe('Catalog')
    const pages = [...allPages(file)]
    expect(pages).toHaveLength(pageCount(file))
    for (const page of pages) {
      const content = file.resolve(page.dict.get('Contents'))
      expect(isStream(content) && Buffer.from(file.decode(content)).toString('latin1')).toContain('Contrato, page')
    }
  })

  test('takes twenty updates, each with the bytes before as its prefix, and qpdf finds nothing wrong', async () => {
    let pdf = make()
    for (let i = 0; i < 20; i++) {
      const before = pdf
      const file = openPdf(before)
      const update = new IncrementalUpdate(file)
      const page = findPage(file, 0)
      update.set(page.ref, new Map([...page.dict, ['Rotate', i * 90]]))
      update.add(dict({ Kind: name('Added #1 (odd)/name'), At: [1, 2.5, -3] }))
      pdf = Buffer.concat([before, update.finish().appended])
      expect(pdf.subarray(0, before.length).equals(before)).toBe(true)
    }
    const file = openPdf(pdf)
    expect(findPage(file, 0).rotate).toBe((19 * 90) % 360)
    expect(file.section.style).toBe(openPdf(make()).section.style)
    expect(await qpdfCheck(pdf)).toBe(await qpdfCheck(make()))
  })
})

describe('revisions', () => {
  test('each shows the document as it was saved then', () => {
    const first = tablePdf()
    const second = withRevision(first, { 3: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>' })
    const third = withRevision(second, { 90: '(new)', 3: '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>' })
    const { revisions } = openPdf(third)
    const fonts = revisions.map((revision) => {
      const font = revision.object(ref(3))
      return isDict(font) ? nameOf(font.get('BaseFont')) : undefined
    })
    expect(fonts).toEqual(['Helvetica', 'Courier', 'Symbol'])
    expect(revisions.map(({ start, end, closed }) => [start, end, closed])).toEqual([
      [0, first.length, true],
      [first.length, second.length, true],
      [second.length, third.length, true],
    ])
    expect(revisions.map((revision) => [...revision.ownNumbers()])).toEqual([[0, 1, 2, 3, 4, 5], [3], [3, 90]])
    expect(revisions[1]!.object(ref(90))).toBeNull()
  })

  test('a linearised file is one revision although it has two sections', () => {
    const pdf = throughQpdf(tablePdf({ pages: 3 }), '--linearize')
    const { revisions } = openPdf(pdf)
    expect(revisions.map(({ sections, end, closed }) => [sections.length, end, closed])).toEqual([
      [2, pdf.length, true],
    ])
  })

  test('a hybrid section lists what its table and its stream list', () => {
    const [revision] = openPdf(hybridPdf()).revisions
    expect(revision!.ownNumbers().has(3)).toBe(true)
    expect(revision!.entry(3)?.kind).toBe('compressed')
  })

  test('a revision that does not end with startxref and the end marker is not closed', () => {
    const open = tablePdf().toString('latin1').replace('%%EOF', '%%EOX')
    const pdf = withRevision(Buffer.from(open, 'latin1'), { 90: '(new)' })
    expect(openPdf(pdf).revisions.map(({ closed }) => closed)).toEqual([false, true])
  })
})

describe('a refusal', () => {
  const edited = (pdf: Buffer, from: string | RegExp, to: string) =>
    Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1')
  const mystery = '<< /Filter /Mystery /Length 1 >>\nstream\nx\nendstream'
  const encrypted = () => throughQpdf(tablePdf(), '--encrypt', 'user', 'owner', '256', '--')
  const cases: readonly [string, string, () => Uint8Array][] = [
    ['an empty file', 'pdf.not-a-pdf', () => new Uint8Array()],
    ['another format', 'pdf.not-a-pdf', () => Buffer.from('PK\x03\x04 not a PDF')],
    ['bytes before the header', 'pdf.junk-before-header', () => Buffer.concat([Buffer.from('junk\n'), tablePdf()])],
    ['an encrypted file', 'pdf.encrypted', encrypted],
    ['a truncated file', 'pdf.damaged', () => tablePdf({ fillers: 30 }).subarray(0, 4000)],
    ['a startxref beyond the end', 'pdf.damaged', () => edited(tablePdf(), /startxref\n\d+/, 'startxref\n999999')],
    ['a startxref into the middle', 'pdf.damaged', () => edited(tablePdf(), /startxref\n\d+/, 'startxref\n40')],
    [
      'a catalog that is not where the table says',
      'pdf.damaged',
      () => edited(tablePdf(), '0000000015 ', '0000000020 '),
    ],
    ['a /Prev chain that goes round', 'pdf.damaged', () => chainThatGoesRound()],
    ['a stream without its length', 'pdf.damaged', () => edited(tablePdf(), /\/Length \d+/, '/Length (x)')],
    ['a dictionary with a key twice', 'pdf.damaged', () => edited(tablePdf(), '/Pages 2 0 R  ', '/Type /Xatalog')],
    ['a page tree that goes round', 'pdf.damaged', () => edited(tablePdf(), '/Kids [4 0 R]', '/Kids [2 0 R]')],
    ['objects nested without end', 'pdf.too-complex', () => tablePdf({ extra: { 4: '['.repeat(5000) } })],
    ['a reference to itself', 'pdf.too-complex', () => tablePdf({ extra: { 4: '4 0 R' } })],
    ['an unknown filter', 'pdf.unsupported', () => tablePdf({ extra: { 5: mystery } })],
    ['a stream that decodes to too much', 'pdf.too-complex', () => bomb()],
  ]

  test.each(cases)('names %s', (_what, code, make) => {
    expect(() => readEverything(make())).toThrowError(expect.objectContaining({ code }))
  })

  function readEverything(bytes: Uint8Array): void {
    const file = openPdf(bytes)
    for (const page of allPages(file)) {
      const content = file.resolve(page.dict.get('Contents'))
      if (isStream(content)) file.decode(content)
    }
  }

  function chainThatGoesRound(): Buffer {
    const pdf = tablePdf({ trailer: '/Prev 000000' }).toString('latin1')
    const offset = /startxref\n(\d+)/.exec(pdf)![1]!
    return Buffer.from(pdf.replace('000000', offset.padStart(6, '0')), 'latin1')
  }

  function bomb(): Buffer {
    const data = deflateSync(Buffer.alloc(80 * 1024 * 1024)).toString('latin1')
    return tablePdf({ extra: { 5: `<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream` } })
  }
})
