import { createHash, randomBytes } from 'node:crypto'

/** One master key: 256 bits that never enter the database. */
export interface MasterKey {
  /** First 8 hex digits of the SHA-256 of the key; part of every sealed value. */
  readonly id: string
  readonly bytes: Buffer
}

/** Master keys, oldest first: the last one seals, all of them open. Never empty. */
export type KeyRing = readonly [MasterKey, ...MasterKey[]]

/** The key that seals. */
export const newestOf = (ring: KeyRing): MasterKey => ring.at(-1)!

const KEY_TEXT = /^[A-Za-z0-9+/]{43}=$/

/** Reads keys written in base64, separated by line ends, blanks or commas; undefined when one is not a 32-byte key. */
export function parseKeyRing(text: string): KeyRing | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (!words.every((word) => KEY_TEXT.test(word))) return undefined
  const [first, ...others] = words.map((word) => masterKey(Buffer.from(word, 'base64')))
  return first && [first, ...others]
}

export const formatKeyRing = (ring: KeyRing): string =>
  ring.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('')

/** A fresh key whose id none of the given ones has. */
export function newMasterKey(others: readonly MasterKey[] = []): MasterKey {
  const key = masterKey(randomBytes(32))
  return others.some(({ id }) => id === key.id) ? newMasterKey(others) : key
}

const masterKey = (bytes: Buffer): MasterKey => ({
  id: createHash('sha256').update(bytes).digest('hex').slice(0, 8),
  bytes,
})
