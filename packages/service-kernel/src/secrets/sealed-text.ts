import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type KeyRing, type MasterKey, newestOf } from './key-ring.ts'
import { SecretProblem } from './secret-problem.ts'

// v1.<key id>.<nonce>.<ciphertext and tag>, the last two in base64url: AES-256-GCM, 96-bit random nonce, 128-bit tag.
const SEALED = /^v(\d+)\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * What is authenticated besides the value: its format, its key, and its place. A sealed value that is moved to another
 * row or column does not open there.
 */
const associated = (keyId: string, context: string): Buffer => Buffer.from(`v1.${keyId}.${context}`)

/** Seals under the newest key. The context names the only place the value belongs to: `profile/42/pkcs12-password`. */
export function sealText(ring: KeyRing, plain: Uint8Array, context: string): string {
  const { id, bytes } = newestOf(ring)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(associated(id, context))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return `v1.${id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
}

/** Opens with the key that sealed it, or throws a `SecretProblem`. */
export function openText(ring: KeyRing, text: string, context: string): Buffer {
  const { keyId, nonce, sealed } = parseSealed(text)
  const key = ring.find(({ id }) => id === keyId)
  if (!key) throw new SecretProblem('secrets.unknown-key', { keyId })
  return decrypt(key, nonce, sealed, context)
}

/** The id of the key a value was sealed under. */
export const keyIdOf = (text: string): string => parseSealed(text).keyId

function parseSealed(text: string) {
  const [, version, keyId, nonce, sealed] = SEALED.exec(text) ?? []
  if (version !== undefined && version !== '1') throw new SecretProblem('secrets.unknown-version')
  if (!keyId || !nonce || !sealed) throw new SecretProblem('secrets.malformed')
  return { keyId, nonce: bytesOf(nonce), sealed: bytesOf(sealed) }
}

// The last character of base64 may have unused bits; each value has one text here, so that any change is detected.
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new SecretProblem('secrets.malformed')
  return bytes
}

function decrypt({ id, bytes }: MasterKey, nonce: Buffer, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(associated(id, context))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw new SecretProblem('secrets.not-authentic', { keyId: id, cause: error })
  }
}
