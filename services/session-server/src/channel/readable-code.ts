// Characters of codes that people read from one screen and type at another.

/** Crockford's: without I, L, O and U, which are easily confused. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Five bits of each byte. */
export const readable = (bytes: Uint8Array): string => [...bytes].map((byte) => ALPHABET[byte & 31]).join('')

/** The same characters in groups, as they are shown. */
export const grouped = (text: string, size: number): string => text.match(new RegExp(`.{${size}}`, 'g'))!.join('-')

/** The characters of a typed code; undefined when their number is another, or one is in no code. */
export function typedCharacters(text: string, length: number): string | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const isCode = plain.length === length && [...plain].every((character) => ALPHABET.includes(character))
  return isCode ? plain : undefined
}
