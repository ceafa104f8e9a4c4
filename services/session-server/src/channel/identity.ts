import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto'

/** Who one side of the channel is: an Ed25519 key. */
export interface Identity {
  /** 32 bytes, base64url. */
  readonly publicKey: string
  readonly privateKey: KeyObject
  sign(content: Uint8Array): Buffer
}

const KEY_BYTES = 32

/** RFC 8410 §7: the PKCS#8 prefix of a 32-byte private key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The secret of a new identity, base64url. */
export const newIdentitySecret = (): string => randomBytes(KEY_BYTES).toString('base64url')

/** The identity of a secret; the same secret is always the same identity. */
export function identityOf(secret: string): Identity {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8, keyBytes(secret)!]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }).x!
  return { publicKey, privateKey, sign: (content) => sign(null, content, privateKey) }
}

/** Whether an identity signed the content; false for malformed keys and signatures. */
export function isSignedBy(publicKey: string, content: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(null, content, publicKeyOf(publicKey), signature)
  } catch {
    return false // an unreadable key or signature is invalid, not an error of ours
  }
}

/** The 32 bytes of a key in base64url; undefined for anything else. Each key has exactly one text. */
export function keyBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === KEY_BYTES && bytes.toString('base64url') === text ? bytes : undefined
}

const publicKeyOf = (x: string): KeyObject => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
