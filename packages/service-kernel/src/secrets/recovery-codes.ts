import { createHash, randomBytes } from 'node:crypto'

const RECOVERY_CODES = 10

/** Letters and digits that are not taken for one another, 32 of them: five bits each. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** New recovery codes of 80 random bits, as people write them down: `k3mp-…`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomBytes(16), (byte) => LETTERS[byte % LETTERS.length]!).join('')
    return letters.match(/.{4}/g)!.join('-')
  })

/** What is kept of a recovery code. It is random, so that a fast hash suffices. */
export const recoveryHash = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest('base64url')
