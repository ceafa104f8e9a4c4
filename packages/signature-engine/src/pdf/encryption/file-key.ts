import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { EncryptionTerms } from './encryption-dictionary.ts'
import { passwordBytes } from './password-bytes.ts'
import { rc4 } from './rc4.ts'

/** Who a password belongs to: the owner may do everything. */
export interface FileAccess {
  readonly key: Buffer
  readonly isOwner: boolean
}

/** The file's key, as a password gives it; undefined when it is neither the user's nor the owner's. */
export function accessWith(password: string, terms: EncryptionTerms, id: Uint8Array): FileAccess | undefined {
  const tryPassword = terms.revision >= 5 ? aes256Access : md5Access
  for (const bytes of passwordBytes(password, terms.revision)) {
    const access = tryPassword(bytes, terms, id)
    if (access) return access
  }
  return undefined
}

/** ISO 32000-2 §7.6.4.3.2: passwords are cut or filled to 32 bytes with these. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

const padded = (password: Uint8Array): Buffer => Buffer.concat([password, PADDING]).subarray(0, 32)

const md5 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** How often revisions from 3 on hash a key again. */
const ROUNDS = 50
/** How often they encrypt again, with the key changed each time. */
const PASSES = 19

function md5Access(password: Uint8Array, terms: EncryptionTerms, id: Uint8Array): FileAccess | undefined {
  const asOwner = userKeyOf(userPasswordOf(password, terms), terms, id)
  if (asOwner) return { key: asOwner, isOwner: true }
  const key = userKeyOf(password, terms, id)
  return key && { key, isOwner: false }
}

/** Algorithm 2, and 6 to see whether the password is right. */
function userKeyOf(password: Uint8Array, terms: EncryptionTerms, id: Uint8Array): Buffer | undefined {
  const { owner, permissions, revision, keyBytes, encryptsMetadata } = terms
  const flags = Buffer.alloc(4)
  flags.writeInt32LE(permissions)
  const clear = revision >= 4 && !encryptsMetadata ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let key = md5(padded(password), owner, flags, id, clear).subarray(0, keyBytes)
  if (revision >= 3) for (let round = 0; round < ROUNDS; round++) key = md5(key).subarray(0, keyBytes)
  return opens(key, terms, id) ? key : undefined
}

/** Algorithms 4 and 5: /U is what the right key makes of bytes that everybody knows. */
function opens(key: Buffer, { revision, user }: EncryptionTerms, id: Uint8Array): boolean {
  if (revision === 2) return rc4(key, PADDING).equals(user)
  let check = rc4(key, md5(PADDING, id))
  for (let pass = 1; pass <= PASSES; pass++) check = rc4(changed(key, pass), check)
  // The rest of /U is arbitrary.
  return check.equals(user.subarray(0, 16))
}

const changed = (key: Buffer, pass: number): Buffer => Buffer.from(key.map((byte) => byte ^ pass))

/** Algorithm 7: the user's password, as the owner's encrypts it in /O. */
function userPasswordOf(ownerPassword: Uint8Array, { revision, keyBytes, owner }: EncryptionTerms): Uint8Array {
  let digest = md5(padded(ownerPassword))
  if (revision >= 3) for (let round = 0; round < ROUNDS; round++) digest = md5(digest)
  const key = digest.subarray(0, keyBytes)
  if (revision === 2) return rc4(key, owner)
  let found: Uint8Array = owner
  for (let pass = PASSES; pass >= 0; pass--) found = rc4(changed(key, pass), found)
  return found
}

/** /O and /U of AES-256: a hash, the salt of it, and the salt of the key that encrypts the file's key. */
const parts = (entry: Uint8Array) => ({
  hash: entry.subarray(0, 32),
  validationSalt: entry.subarray(32, 40),
  keySalt: entry.subarray(40, 48),
})

const NOBODY = new Uint8Array()

/** Algorithm 2.A. */
function aes256Access(password: Uint8Array, terms: EncryptionTerms): FileAccess | undefined {
  const hash = terms.revision === 5 ? simpleHash : hardenedHash
  for (const { entry, sealed, user, isOwner } of [
    { entry: terms.owner, sealed: terms.ownerKey, user: terms.user, isOwner: true },
    { entry: terms.user, sealed: terms.userKey, user: NOBODY, isOwner: false },
  ]) {
    const { hash: expected, validationSalt, keySalt } = parts(entry)
    if (!hash(password, validationSalt, user).equals(expected)) continue
    const wrapping = createDecipheriv('aes-256-cbc', hash(password, keySalt, user), Buffer.alloc(16))
    return { key: wrapping.setAutoPadding(false).update(sealed), isOwner }
  }
  return undefined
}

/** Revision 5, of one maker's extension before ISO 32000-2. */
const simpleHash = (password: Uint8Array, salt: Uint8Array, user: Uint8Array): Buffer =>
  createHash('sha256').update(password).update(salt).update(user).digest()

const HASHES = ['sha256', 'sha384', 'sha512'] as const
const LEAST_ROUNDS = 64
const REPETITIONS = 64

/** Algorithm 2.B. It ends: a byte is never more than 255, so that round 287 is the last one possible. */
function hardenedHash(password: Uint8Array, salt: Uint8Array, user: Uint8Array): Buffer {
  let key = simpleHash(password, salt, user)
  for (let round = 0, last = 0; round < LEAST_ROUNDS || last > round - 32; round++) {
    const repeated = Buffer.concat(new Array<Uint8Array>(REPETITIONS).fill(Buffer.concat([password, key, user])))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const encrypted = cipher.update(repeated)
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0)
    key = createHash(HASHES[sum % 3]!)
      .update(encrypted)
      .digest()
    last = encrypted[encrypted.length - 1]!
  }
  return key.subarray(0, 32)
}
