import { randomBytes } from 'node:crypto'

// 32 characters, so that each is 5 bits; those people mistake for one another are left out.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A verification code: 100 random bits, so that nobody guesses one. */
export const newDocumentKey = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

const KEY = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** A code as somebody typed it from paper: in any case, with hyphens or spaces; nothing when it is none. */
export function readDocumentKey(text: string): string | undefined {
  const key = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return KEY.test(key) ? key : undefined
}
