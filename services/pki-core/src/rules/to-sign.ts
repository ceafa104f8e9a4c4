import { createHash, randomBytes } from 'node:crypto'
import type { Prepared } from '@chancela/signature-engine'

/** Bytes of a nonce (pki-core facts 2.6). */
const NONCE_BYTES = 16

export const SHA256_OID = '2.16.840.1.101.3.4.2.1'
const SHA256_WITH_RSA_OID = '1.2.840.113549.1.1.11'
const ECDSA_WITH_SHA256_OID = '1.2.840.10045.4.3.2'

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which raw RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

export const newNonce = (): Buffer => randomBytes(NONCE_BYTES)

/** The bytes to sign, in the forms of both generations: older clients read only the hash. */
export function toSign(nonce: Uint8Array) {
  const hash = createHash('sha256').update(nonce).digest()
  return {
    data: Buffer.from(nonce).toString('base64'),
    hash: hash.toString('base64'),
    hexHash: hash.toString('hex'),
    digestInfo: Buffer.concat([DIGEST_INFO, hash]).toString('base64'),
    digestAlgorithmOid: SHA256_OID,
    signatureAlgorithm: {
      algorithm: 'SHA256WithRSA',
      oid: SHA256_WITH_RSA_OID,
      digestAlgorithm: 'SHA256',
      digestAlgorithmOid: SHA256_OID,
    },
  } as const
}

/** The same of a signature that was prepared. A key of another kind than RSA has no name that clients know. */
export function signatureToSign({ toSign: bytes, algorithm }: Pick<Prepared<unknown>, 'toSign' | 'algorithm'>) {
  const { data, hash, hexHash, digestInfo, signatureAlgorithm } = toSign(bytes)
  const ecdsa = { ...signatureAlgorithm, algorithm: null, oid: ECDSA_WITH_SHA256_OID }
  return {
    toSign: {
      signatureAlgorithm: algorithm.key === 'rsa' ? signatureAlgorithm : ecdsa,
      data,
      hash,
      digestInfo,
    },
    toSignHash: { algorithm: 'SHA256' as const, value: hash, hexValue: hexHash },
  }
}
