/** How a test writes a document in an encoding, by means that are not the engine's; `letters` are some that it has. */
export const testEncodings = {
  'US-ASCII': { declared: 'US-ASCII', letters: 'xyz~', write: (text: string) => ascii(text) },
  'ISO-8859-1': {
    declared: 'ISO-8859-1',
    letters: 'ãçéÀÿ\x85\xa0',
    write: (text: string) => Buffer.from(text, 'latin1'),
  },
  'windows-1252': { declared: 'windows-1252', letters: 'ãç€“”™žŸ\xa0', write: (text: string) => windows1252(text) },
  'UTF-16 little-endian': {
    declared: 'UTF-16',
    letters: 'ãç€😀漢\u2028',
    write: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  },
  'UTF-16 big-endian': {
    declared: 'utf-16',
    letters: 'ãç€😀漢\u2028',
    write: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  },
} as const

export type TestEncoding = keyof typeof testEncodings

/** The text in an encoding that has all of its characters. */
export const encoded = (text: string, encoding: TestEncoding): Buffer => testEncodings[encoding].write(text)

const ascii = (text: string): Buffer =>
  Buffer.from(text.replace(/[^\0-\x7f]/gu, (letter) => `&#${letter.codePointAt(0)};`))

const BYTES: Readonly<Record<string, number>> = {
  '€': 0x80,
  '“': 0x93,
  '”': 0x94,
  '™': 0x99,
  ž: 0x9e,
  Ÿ: 0x9f,
}

const windows1252 = (text: string): Buffer =>
  Buffer.from([...text].map((letter) => BYTES[letter] ?? letter.charCodeAt(0)))
