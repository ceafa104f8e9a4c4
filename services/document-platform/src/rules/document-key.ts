import { randomBytes } from 'node:crypto'

// 32 characters, so that each encodes 5 bits; ambiguous ones are left out.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A verification code: 100 random bits, so that it cannot be guessed. */
export const newDocumentKey = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

const KEY = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** Parses a typed code: any case, with hyphens or spaces; undefined when it is not one. */
export function readDocumentKey(text: string): string | undefined {
  const key = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return KEY.test(key) ? key : undefined
}
