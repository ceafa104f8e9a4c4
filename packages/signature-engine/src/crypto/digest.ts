import * as crypto from 'node:crypto'
import type { DigestName } from './algorithms.ts'

// `crypto.hash` saves the stream object of `createHash`, 1.3 µs per call; Node has it since 20.12.
/** The digest of these bytes. */
export const digest = (name: DigestName, bytes: Uint8Array): Buffer => crypto.hash(name, bytes, 'buffer')

/** SHA-256 in hexadecimal: identifies certificates and documents. */
export const fingerprint = (bytes: Uint8Array): string => crypto.hash('sha256', bytes, 'hex')
