import { type Der, explicit, integer, nothing, octetString, oid, sequence } from '../der/der-writer.ts'

export const contentTypes = {
  data: '1.2.840.113549.1.7.1',
  envelopedData: '1.2.840.113549.1.7.3',
  authEnvelopedData: '1.2.840.113549.1.9.16.1.23',
} as const

/** SP 800-38D §5.2.1.1: 2^39 − 256 bits under one key and nonce. */
export const MAX_CONTENT_BYTES = 2 ** 36 - 32

/** Content ciphers of authenticated envelopes (RFC 5084 §3.2): bytes of the key. */
export const gcmKeyBytes: Readonly<Record<string, 16 | 24 | 32>> = {
  '2.16.840.1.101.3.4.1.6': 16,
  '2.16.840.1.101.3.4.1.26': 24,
  '2.16.840.1.101.3.4.1.46': 32,
}

interface CbcCipher {
  readonly name: string
  readonly keyBytes: number
  readonly ivBytes: number
}

/** Content ciphers of envelopes without authentication, read only on demand. */
export const cbcCiphers: Readonly<Record<string, CbcCipher>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16, ivBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24, ivBytes: 16 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32, ivBytes: 16 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24, ivBytes: 8 },
}

/** AES-256-GCM with GCMParameters of RFC 5084 §3.2; the 16-byte tag is not the default of 12, so it is written. */
export const aes256Gcm = (nonce: Uint8Array, tagBytes: number): Der =>
  sequence(oid('2.16.840.1.101.3.4.1.46'), sequence(octetString(nonce), integer(tagBytes)))

export const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
export const RSAES_OAEP = '1.2.840.113549.1.1.7'
export const MGF1 = '1.2.840.113549.1.1.8'
export const EC_PUBLIC_KEY = '1.2.840.10045.2.1'

const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), nothing)

/** RFC 4055 §4.1: SHA-256 for both the hash and its mask. */
export const oaepWithSha256: Der = sequence(
  oid(RSAES_OAEP),
  sequence(explicit(0, sha256), explicit(1, sequence(oid(MGF1), sha256))),
)

export const rsaPkcs1: Der = sequence(oid(RSA_ENCRYPTION), nothing)

/** AES key wrap (RFC 3565 §2.3.2): bytes of the key that wraps. The identifiers have no parameters. */
export const wrapKeyBytes: Readonly<Record<string, 16 | 24 | 32>> = {
  '2.16.840.1.101.3.4.1.5': 16,
  '2.16.840.1.101.3.4.1.25': 24,
  '2.16.840.1.101.3.4.1.45': 32,
}

export const aes256Wrap: Der = sequence(oid('2.16.840.1.101.3.4.1.45'))

/**
 * Ephemeral-static ECDH (RFC 5753 §7.1.4), by the hash of its derivation. The cofactor forms are the same thing on the
 * curves we take, whose cofactor is 1.
 */
export const agreementHashes: Readonly<Record<string, 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512'>> = {
  '1.3.133.16.840.63.0.2': 'sha1',
  '1.3.132.1.11.0': 'sha224',
  '1.3.132.1.11.1': 'sha256',
  '1.3.132.1.11.2': 'sha384',
  '1.3.132.1.11.3': 'sha512',
  '1.3.133.16.840.63.0.3': 'sha1',
  '1.3.132.1.14.0': 'sha224',
  '1.3.132.1.14.1': 'sha256',
  '1.3.132.1.14.2': 'sha384',
  '1.3.132.1.14.3': 'sha512',
}

/** What is written, by the recipient's curve: a hash as strong as the curve. */
export const agreementByCurve: Readonly<Record<string, { scheme: string; hash: 'sha256' | 'sha384' }>> = {
  prime256v1: { scheme: '1.3.132.1.11.1', hash: 'sha256' },
  secp384r1: { scheme: '1.3.132.1.11.2', hash: 'sha384' },
}
