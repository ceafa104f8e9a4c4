import * as crypto from 'node:crypto'
import { type DigestName, digestAlgorithms } from './algorithms.ts'

// `crypto.hash` saves the stream object of `createHash`, 1.3 µs per call; Node has it since 20.12. It knows no length,
// which SHAKE256 needs: 512 bits (RFC 8702 §3.1).
/** The digest of these bytes. */
export const digest = (name: DigestName, bytes: Uint8Array): Buffer =>
  name === 'shake256' ? startDigest(name).update(bytes).digest() : crypto.hash(name, bytes, 'buffer')

/** The same in base64; of a text, its UTF-8. */
export const base64Digest = (name: Exclude<DigestName, 'shake256'>, data: Uint8Array | string): string =>
  crypto.hash(name, data, 'base64')

/** A digest of bytes that come in parts. */
export const startDigest = (name: DigestName): crypto.Hash =>
  name === 'shake256'
    ? crypto.createHash(name, { outputLength: digestAlgorithms.shake256.bytes })
    : crypto.createHash(name)

/** The same state again; node:crypto forgets the length of SHAKE256. */
export const copyDigest = (hash: crypto.Hash, name: DigestName): crypto.Hash =>
  hash.copy({ outputLength: digestAlgorithms[name].bytes })

/** SHA-256 in hexadecimal: identifies certificates and documents. */
export const fingerprint = (bytes: Uint8Array): string => crypto.hash('sha256', bytes, 'hex')
