import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether two secrets are the same, in a time that tells nothing of where or by how much they differ. Hashes are
 * compared, because the constant-time comparison wants equal lengths and would otherwise give the length away.
 */
export const sameSecret = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  timingSafeEqual(digestOf(a), digestOf(b))

const digestOf = (secret: string | Uint8Array): Buffer => createHash('sha256').update(secret).digest()
