import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether two secrets are equal, in constant time. Hashes are compared, because the constant-time comparison requires
 * equal lengths and would otherwise reveal the length.
 */
export const sameSecret = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  timingSafeEqual(digestOf(a), digestOf(b))

const digestOf = (secret: string | Uint8Array): Buffer => createHash('sha256').update(secret).digest()
