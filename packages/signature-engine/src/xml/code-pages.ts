/** How the bytes from 0x80 of an encoding are known: the platform's decoder, or written out where it has none or errs. */
interface Source {
  readonly platform?: string
  readonly written?: string
  /** The first byte that is described; those before, from 0x80, are the control characters U+0080 to U+009F. */
  readonly from: 0x80 | 0xa0
}

const iso = (part: number): Source => ({ platform: `iso-8859-${part}`, from: 0xa0 })
const windows = (page: number): Source => ({ platform: `windows-${page}`, from: 0x80 })

/** What windows-1252 has at 0x80 to 0x9F; U+FFFD where it has nothing. Node 20's decoder reads these as ISO-8859-1. */
const WINDOWS_1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'
/** ISO-8859-16 from 0xA0, which the platform lacks. */
const ISO_8859_16 =
  '\xa0ĄąŁ€„Š§š©Ș«Ź\xadźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ'

const sources = {
  'ISO-8859-2': iso(2),
  'ISO-8859-3': iso(3),
  'ISO-8859-4': iso(4),
  'ISO-8859-5': iso(5),
  'ISO-8859-6': iso(6),
  'ISO-8859-7': iso(7),
  'ISO-8859-8': iso(8),
  // Browsers have only its superset, which is the same from 0xA0.
  'ISO-8859-9': { platform: 'windows-1254', from: 0xa0 },
  'ISO-8859-10': iso(10),
  'ISO-8859-13': iso(13),
  'ISO-8859-14': iso(14),
  'ISO-8859-15': iso(15),
  'ISO-8859-16': { written: ISO_8859_16, from: 0xa0 },
  'windows-1250': windows(1250),
  'windows-1251': windows(1251),
  'windows-1252': { written: WINDOWS_1252 + latin1(0xa0, 0xff), from: 0x80 },
  'windows-1254': windows(1254),
  'windows-1256': windows(1256),
  'windows-1257': windows(1257),
} as const satisfies Record<string, Source>

/**
 * Encodings of one byte per character whose first half is ASCII. Left out are those that decoders disagree about:
 * windows-1253, ISO-8859-11 (places that are empty for some), windows-1255, windows-1258 (composed by some).
 */
export type CodePage = keyof typeof sources

export const codePageNames = Object.keys(sources) as readonly CodePage[]

export interface CodePageTable {
  /** Of the byte 0x80 + index: its character, U+FFFD for none. */
  readonly characters: string
  /** Of a character beyond ASCII: its byte, as a character of latin1. */
  readonly bytes: ReadonlyMap<string, string>
}

const tables = new Map<CodePage, CodePageTable>()

/** The table of an encoding, made when it is first needed. */
export function codePage(name: CodePage): CodePageTable {
  let table = tables.get(name)
  if (table === undefined) {
    const characters = charactersOf(sources[name])
    table = { characters, bytes: bytesOf(characters) }
    tables.set(name, table)
  }
  return table
}

function charactersOf({ platform, written, from }: Source): string {
  const described = written ?? decoded(platform!, from)
  return from === 0x80 ? described : latin1(0x80, from - 1) + described
}

/** The platform reads empty places as control characters, which other parsers refuse: here they have no character. */
function decoded(platform: string, from: number): string {
  const bytes = Buffer.from(latin1(from, 0xff), 'latin1')
  return new TextDecoder(platform).decode(bytes).replace(/[\x80-\x9f]/g, '\ufffd')
}

function bytesOf(characters: string): ReadonlyMap<string, string> {
  const pairs = [...characters].map((character, at): [string, string] => [character, String.fromCharCode(0x80 + at)])
  return new Map(pairs.filter(([character]) => character !== '\ufffd'))
}

/** The characters that ISO-8859-1 has at these bytes. */
function latin1(first: number, last: number): string {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, at) => first + at))
}
