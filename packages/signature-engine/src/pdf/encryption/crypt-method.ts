import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { PdfRef } from '../pdf-object.ts'
import { rc4 } from './rc4.ts'

/** How the strings or the streams of a file are encrypted; `identity` leaves them in clear. */
export type CryptMethod = 'identity' | 'rc4' | 'aes-128' | 'aes-256'

interface Cipher {
  /** The key of one object. */
  readonly keyFor: (fileKey: Buffer, ref: PdfRef) => Buffer
  readonly decrypt: (key: Buffer, data: Uint8Array) => Buffer
  readonly encrypt: (key: Buffer, data: Uint8Array, iv: Uint8Array) => Buffer
}

/** ISO 32000-2 table 25. */
export const ciphers: Readonly<Record<CryptMethod, Cipher>> = {
  identity: { keyFor: (key) => key, decrypt: (_, data) => Buffer.from(data), encrypt: (_, data) => Buffer.from(data) },
  rc4: { keyFor: (key, ref) => objectKey(key, ref, NO_SALT), decrypt: rc4, encrypt: rc4 },
  'aes-128': { keyFor: (key, ref) => objectKey(key, ref, SALT), ...aes('aes-128-cbc') },
  'aes-256': { keyFor: (key) => key, ...aes('aes-256-cbc') },
}

const SALT = Buffer.from('sAlT', 'latin1')
const NO_SALT = Buffer.alloc(0)

/** ISO 32000-2 §7.6.3.2, algorithm 1: the file's key with the number and generation of the object. */
function objectKey(fileKey: Buffer, { num, gen }: PdfRef, salt: Uint8Array): Buffer {
  const place = Buffer.from([num & 255, (num >> 8) & 255, (num >> 16) & 255, gen & 255, (gen >> 8) & 255])
  const digest = createHash('md5').update(fileKey).update(place).update(salt).digest()
  return digest.subarray(0, Math.min(fileKey.length + 5, 16))
}

const BLOCK = 16

function aes(name: 'aes-128-cbc' | 'aes-256-cbc'): Pick<Cipher, 'decrypt' | 'encrypt'> {
  return {
    decrypt: (key, data) => {
      // Whole blocks after the initialization vector; what a careless writer left behind them is no data.
      const end = data.length - (data.length % BLOCK)
      if (end <= BLOCK) return Buffer.alloc(0)
      const decipher = createDecipheriv(name, key, data.subarray(0, BLOCK)).setAutoPadding(false)
      return unpadded(Buffer.concat([decipher.update(data.subarray(BLOCK, end)), decipher.final()]))
    },
    encrypt: (key, data, iv) => {
      const cipher = createCipheriv(name, key, iv)
      return Buffer.concat([iv, cipher.update(data), cipher.final()])
    },
  }
}

/** Readers take data with wrong padding as it is, and so does this one: nothing depends on who made the padding. */
function unpadded(data: Buffer): Buffer {
  const length = data[data.length - 1]!
  return length >= 1 && length <= BLOCK ? data.subarray(0, data.length - length) : data
}
