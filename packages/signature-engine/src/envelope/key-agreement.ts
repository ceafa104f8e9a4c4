import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { type Der, explicit, octetString, sequence } from '../der/der-writer.ts'

/** RFC 3394 §2.2.3.1: the wrap's own integrity check. */
const WRAP_IV = Buffer.alloc(8, 0xa6)

export type AgreementHash = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512'

/** The wrapping key, from the shared secret: X9.63 over ECC-CMS-SharedInfo (RFC 5753 §7.2). */
export function wrappingKey(
  secret: Uint8Array,
  algorithm: AgreementHash,
  wrapAlgorithm: Der,
  keyBytes: number,
  userKeyingMaterial?: Uint8Array,
): Buffer {
  const bits = Buffer.alloc(4)
  bits.writeUInt32BE(keyBytes * 8)
  const info = sequence(
    wrapAlgorithm,
    userKeyingMaterial && explicit(0, octetString(userKeyingMaterial)),
    explicit(2, octetString(bits)),
  )
  const blocks: Buffer[] = []
  for (let counter = 1; Buffer.concat(blocks).length < keyBytes; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    blocks.push(hash(algorithm, Buffer.concat([secret, number, info]), 'buffer'))
  }
  return Buffer.concat(blocks).subarray(0, keyBytes)
}

export function wrapKey(wrapping: Buffer, key: Uint8Array): Buffer {
  const cipher = createCipheriv(`id-aes${wrapping.length * 8}-wrap`, wrapping, WRAP_IV)
  return Buffer.concat([cipher.update(key), cipher.final()])
}

/** The wrapped key; undefined when the check fails: another key, or tampered. */
export function unwrapKey(wrapping: Buffer, wrapped: Uint8Array): Buffer | undefined {
  try {
    const decipher = createDecipheriv(`id-aes${wrapping.length * 8}-wrap`, wrapping, WRAP_IV)
    return Buffer.concat([decipher.update(wrapped), decipher.final()])
  } catch {
    return undefined // the integrity check of RFC 3394 did not hold
  }
}
