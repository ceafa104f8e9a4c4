import { deflateSync, inflateSync } from 'node:zlib'
import type { Random } from '../random.ts'
import { algorithmDamage } from './algorithms.ts'
import { anyBytes } from './any-bytes.ts'
import { derDamage } from './der.ts'
import { type Mutator, type Mutators, replaced } from './mutator.ts'
import { editNumber, inOneMatch, insertText } from './text.ts'

const keywords = [
  'obj',
  'endobj',
  'stream',
  'endstream',
  'xref',
  'trailer',
  'startxref',
  '%%EOF',
  '/Root',
  '/Prev',
  '/Size',
  '/Type',
  '/Length',
  '/Contents',
  '/ByteRange',
  '/XRefStm',
  '/Kids',
  '/Parent',
  '/Fields',
  '/Encrypt',
  ' R',
]

/** Mutators for PDF: references, the cross-reference, compressed streams, the signature inside. */
export const pdfDamage: Mutators = {
  'edit a number': editNumber,
  'edit a reference': inOneMatch(/\d+ \d+ R/g, (_, random) => `${random.between(0, 30)} ${random.below(3)} R`),
  'edit an offset': inOneMatch(/\d{10} \d{5} [nf]/g, (entry, random) => {
    const offset = random.chance(0.5) ? random.below(20_000) : random.pick([0, 1, 9_999_999_999])
    return `${String(offset).padStart(10, '0')} ${entry.slice(11, 16)} ${random.pick(['n', 'f'])}`
  }),
  'edit startxref': inOneMatch(/startxref\s+\d+/g, (_, random) => `startxref\n${random.below(40_000)}`),
  'edit Prev': inOneMatch(/\/Prev \d+/g, (_, random) => `/Prev ${random.below(40_000)}`),
  'edit ByteRange': inOneMatch(/\/ByteRange\s*\[[^\]]*\]/g, (range, random) =>
    range.replace(/\d+/g, (part) => (random.chance(0.4) ? String(random.below(60_000)) : part)),
  ),
  'swap keywords': inOneMatch(new RegExp(keywords.map(quoted).join('|'), 'g'), (_, random) => random.pick(keywords)),
  'insert a token': insertText([...keywords, '<<', '>>', '[', ']', '(', ')', '<', '>', '{', '%', '/', '\\', '#00']),
  'deep arrays': nesting('['),
  'deep dictionaries': nesting('<</A '),
  'deep strings': nesting('('),
  'append a revision': (bytes, random) => {
    const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.toString('latin1'))?.[1] ?? '0'
    const num = random.between(1, 12)
    const body = `\n${num} 0 obj\n<< /Type ${random.pick(['/Catalog', '/Page', '/Pages', '/Sig'])} /Pages 2 0 R >>\nendobj\n`
    const table = `xref\n${num} 1\n${String(bytes.length + 1).padStart(10, '0')} 00000 n \n`
    const tail = `trailer\n<< /Size 60 /Root ${random.pick([1, num])} 0 R /Prev ${previous} >>\nstartxref\n${bytes.length + body.length}\n%%EOF\n`
    return Buffer.concat([bytes, Buffer.from(body + table + tail, 'latin1')])
  },
  'inside a packed stream': inPackedStream,
  'inside the signature': inContents,
}

function quoted(text: string): string {
  return text.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&')
}

/** Far deeper than a recursive reader could bear, inserted where a value begins. */
function nesting(opening: string): Mutator {
  return (bytes, random) => {
    const text = bytes.toString('latin1')
    const places = [...text.matchAll(/\d+ 0 obj\s|\/Kids |\/Fields |\/Annots |trailer\s/g)]
    const place = places.length > 0 ? random.pick(places) : undefined
    const at = place ? place.index + place[0].length : random.below(bytes.length + 1)
    return replaced(bytes, at, at, Buffer.from(opening.repeat(random.pick([10, 200, 50_000])), 'latin1'))
  }
}

/** Cross-reference and object streams are compressed: mutations from outside would only break the compression. */
function inPackedStream(bytes: Buffer, random: Random, other: Buffer): Buffer {
  const streams = [...bytes.toString('latin1').matchAll(/FlateDecode[\s\S]{0,300}?stream\r?\n/g)]
  if (streams.length === 0) return bytes
  const opening = random.pick(streams)
  const start = opening.index + opening[0].length
  const end = bytes.indexOf('endstream', start)
  const plain = end < 0 ? undefined : inflated(bytes.subarray(start, end))
  if (!plain) return bytes
  const damage = random.pick([...Object.values(anyBytes), editNumber])
  const broken = random.chance(0.1) ? Buffer.alloc(random.pick([1e5, 3e7]), 0x20) : damage(plain, random, other)
  return replaced(bytes, start, end, Buffer.concat([deflateSync(broken), Buffer.from('\n')]))
}

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes)
  } catch {
    return undefined // not every stream whose dictionary names the filter is one
  }
}

/** The CMS is in hexadecimal in a gap of fixed size, so that the bytes around it can keep their positions. */
function inContents(bytes: Buffer, random: Random, other: Buffer): Buffer {
  const holes = [...bytes.toString('latin1').matchAll(/\/Contents\s*<([0-9A-Fa-f]+)>/g)]
  if (holes.length === 0) return bytes
  const hole = random.pick(holes)
  const start = hole.index + hole[0].length - 1 - hole[1]!.length
  const cms = Buffer.from(hole[1]!.replace(/(00)+$/, ''), 'hex')
  const damage = random.pick([derDamage, anyBytes, algorithmDamage].flatMap((one) => Object.values(one)))
  const text = damage(cms, random, other).toString('hex').slice(0, hole[1]!.length).padEnd(hole[1]!.length, '0')
  return replaced(bytes, start, start + text.length, Buffer.from(text))
}
