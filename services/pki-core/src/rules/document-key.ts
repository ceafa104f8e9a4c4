import { randomBytes } from 'node:crypto'

// 32 of the 36 characters that keys may have (pki-core facts 4.2), so that each takes 5 bits; ambiguous ones are left out.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 16

/** 80 random bits: a key cannot be guessed. */
export const newDocumentKey = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

const KEY = /^[A-Z0-9]{16}$/

/** A key as it was typed: in any case, with or without hyphens; undefined for what is none. */
export function readDocumentKey(text: string): string | undefined {
  const key = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return KEY.test(key) ? key : undefined
}

/** In groups of four. */
export const formattedKey = (key: string): string => key.replaceAll(/.{4}(?=.)/g, '$&-')
