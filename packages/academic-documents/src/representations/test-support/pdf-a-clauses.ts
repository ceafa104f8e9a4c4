import { runTool } from '@chancela/testkit/tools'
import { soundFile } from './judges.ts'

type Value = unknown
type Dictionary = Readonly<Record<string, Value>>

/**
 * Clauses of ISO 19005-1 level B that our files could break, checked over the objects as qpdf reads them. The checks are
 * ours, not a validator's: `npm run prove:pdfa` asks one that others wrote.
 */
export async function brokenClauses(pdf: Uint8Array): Promise<string[]> {
  const { stdout } = await runTool('qpdf', [
    '--json=2',
    '--json-stream-data=inline',
    '--decode-level=generalized',
    await soundFile(pdf),
  ])
  const [, objects] = (JSON.parse(stdout.toString('utf8')) as { qpdf: [unknown, Record<string, QpdfObject>] }).qpdf
  const file = new QpdfFile(objects)
  const raw = Buffer.from(pdf).toString('latin1')
  return Object.entries(clauses).flatMap(([clause, holds]) => (holds(file, raw) ? [] : [clause]))
}

interface QpdfObject {
  readonly value?: Value
  readonly stream?: { readonly dict: Dictionary; readonly data: string }
}

class QpdfFile {
  readonly objects: readonly QpdfObject[]
  readonly trailer: Dictionary
  private readonly byName: Readonly<Record<string, QpdfObject>>

  constructor(objects: Readonly<Record<string, QpdfObject>>) {
    this.byName = objects
    this.objects = Object.values(objects)
    this.trailer = objects.trailer!.value as Dictionary
  }

  object(reference: Value): QpdfObject {
    return this.byName[`obj:${String(reference)}`] ?? {}
  }

  /** A dictionary, whether it stands here or elsewhere. */
  dictionary(value: Value): Dictionary {
    if (typeof value !== 'string') return (value ?? {}) as Dictionary
    const { value: found, stream } = this.object(value)
    return (stream?.dict ?? found ?? {}) as Dictionary
  }

  bytes(reference: Value): Buffer {
    return Buffer.from(this.object(reference).stream?.data ?? '', 'base64')
  }

  get catalog(): Dictionary {
    return this.dictionary(this.trailer['/Root'])
  }

  get dictionaries(): Dictionary[] {
    return this.objects.flatMap(({ value, stream }) => dictionariesIn(stream?.dict ?? value))
  }

  ofType(type: string): Dictionary[] {
    return this.dictionaries.filter((one) => one['/Type'] === type)
  }
}

const dictionariesIn = (value: Value): Dictionary[] => {
  if (Array.isArray(value)) return value.flatMap(dictionariesIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Dictionary, ...Object.values(value).flatMap(dictionariesIn)]
}

const clauses: Readonly<Record<string, (file: QpdfFile, raw: string) => boolean>> = {
  '6.1.2 header of version 1.4, then a comment of bytes above 127': (_, raw) => /^%PDF-1\.4\n%[\x80-\xff]{4}/.test(raw),
  '6.1.3 identifier, no encryption, nothing after the end': ({ trailer }, raw) =>
    Array.isArray(trailer['/ID']) && trailer['/Encrypt'] === undefined && /%%EOF\n?$/.test(raw),
  '6.1.4 one cross-reference table': (file, raw) => raw.includes('\nxref\n0 ') && file.ofType('/XRef').length === 0,
  '6.1.10 no LZW': (_, raw) => !raw.includes('/LZWDecode'),
  '6.1.11 no embedded files': (file) =>
    file.dictionaries.every((one) => one['/EF'] === undefined && one['/EmbeddedFiles'] === undefined),
  '6.1.13 no optional content': ({ catalog }) => catalog['/OCProperties'] === undefined,
  '6.2.2 an output intent with a profile of three channels': (file) => {
    const [intent] = (file.catalog['/OutputIntents'] as Value[]) ?? []
    const { '/S': kind, '/DestOutputProfile': profile } = file.dictionary(intent)
    const bytes = file.bytes(profile)
    return kind === '/GTS_PDFA1' && file.dictionary(profile)['/N'] === 3 && isIccProfile(bytes)
  },
  '6.2.3 no colours of four inks': (_, raw) => !raw.includes('/DeviceCMYK'),
  '6.2.4 pictures without alternates and interpolation': (file) =>
    file.dictionaries.every((one) => one['/Alternates'] === undefined && one['/Interpolate'] !== true),
  '6.2.7 no PostScript': (file) => file.dictionaries.every((one) => one['/Subtype'] !== '/PS'),
  '6.3.3 composite fonts map codes to glyphs by identity': (file) =>
    file.dictionaries
      .filter((one) => one['/Subtype'] === '/CIDFontType2')
      .every((one) => one['/CIDToGIDMap'] === '/Identity'),
  '6.3.4 every font is in the file': (file) =>
    file.ofType('/FontDescriptor').every((one) => file.bytes(one['/FontFile2']).length > 0),
  '6.3.5 the glyphs of each part are told': (file) =>
    file.ofType('/FontDescriptor').every((one) => {
      const present = [...file.bytes(one['/CIDSet'])].reduce(
        (sum, byte) => sum + byte.toString(2).replaceAll('0', '').length,
        0,
      )
      return present === glyphsIn(file.bytes(one['/FontFile2']))
    }),
  '6.3.6 widths are those of the font': (file) =>
    file.dictionaries
      .filter((one) => one['/Subtype'] === '/CIDFontType2')
      .every((one) =>
        sameWidths(one['/W'] as Value[], file.bytes(file.dictionary(one['/FontDescriptor'])['/FontFile2'])),
      ),
  '6.4 no transparency': (file) =>
    file.dictionaries.every((one) => !['/SMask', '/ca', '/CA', '/BM', '/Group'].some((key) => one[key] !== undefined)),
  '6.5 no annotations and no forms': (file) =>
    file.ofType('/Page').every((one) => one['/Annots'] === undefined) && file.catalog['/AcroForm'] === undefined,
  '6.6 no actions': (file) =>
    file.dictionaries.every((one) =>
      ['/AA', '/OpenAction', '/JS', '/JavaScript', '/Launch'].every((key) => one[key] === undefined),
    ),
  '6.7.2 metadata that is not compressed': (file) =>
    file.dictionary(file.catalog['/Metadata'])['/Filter'] === undefined,
  '6.7.3 the same in both places': (file) => isSameInformation(file),
  '6.7.11 claims part 1, level B': (file) => {
    const packet = file.bytes(file.catalog['/Metadata']).toString('utf8')
    return (
      packet.includes('<pdfaid:part>1</pdfaid:part>') && packet.includes('<pdfaid:conformance>B</pdfaid:conformance>')
    )
  },
}

const isIccProfile = (bytes: Buffer): boolean =>
  bytes.readUInt32BE(0) === bytes.length && bytes.toString('latin1', 36, 40) === 'acsp' && bytes[8] === 2

const tableOf = (font: Buffer, name: string): Buffer => {
  for (let at = 12; at < 12 + 16 * font.readUInt16BE(4); at += 16)
    if (font.toString('latin1', at, at + 4) === name) return font.subarray(font.readUInt32BE(at + 8))
  throw new Error(`the font has no table ${name}`)
}

const glyphsIn = (font: Buffer): number => tableOf(font, 'maxp').readUInt16BE(4)

function sameWidths([first, widths]: readonly Value[], font: Buffer): boolean {
  const [unitsPerEm, hmtx] = [tableOf(font, 'head').readUInt16BE(18), tableOf(font, 'hmtx')]
  return (widths as number[]).every((width, at) => {
    const stored = (hmtx.readUInt16BE(4 * (Number(first) + at)) * 1000) / unitsPerEm
    return Math.abs(stored - width) < 1
  })
}

function isSameInformation(file: QpdfFile): boolean {
  const packet = file.bytes(file.catalog['/Metadata']).toString('utf8')
  const info = file.dictionary(file.trailer['/Info'])
  const said = (key: string) =>
    String(info[key]).replace(/^u:/, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const texts = ['/Title', '/Author', '/Subject', '/Producer', '/Creator'].every((key) =>
    packet.includes(`>${said(key)}<`),
  )
  const [, year, month, day, hour] = /D:(\d{4})(\d\d)(\d\d)(\d\d)/.exec(String(info['/CreationDate'])) ?? []
  return texts && packet.includes(`<xmp:CreateDate>${year}-${month}-${day}T${hour}:`)
}
