// Users' passwords, stored as scrypt hashes with their own parameters.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** The cost of hashes made from now on. */
const costOf = (powerOfTwo: number): Cost => ({ N: 2 ** powerOfTwo, r: 8, p: 3 })

const SALT_BYTES = 16
const HASH_BYTES = 32

/** The hash of a password: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string, powerOfTwo: number): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const cost = costOf(powerOfTwo)
  return written(cost, salt, await derived(password, salt, cost))
}

const written = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')

/** Hashed where there is no password, so that the time does not reveal whether there is one. */
const nobody = (powerOfTwo: number): string =>
  written(costOf(powerOfTwo), Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))

/** Whether a password matches a hash; without a hash false, after the same work. */
export async function isPassword(
  password: string,
  hash: string | null | undefined,
  powerOfTwo: number,
): Promise<boolean> {
  const [, N, r, p, salt, expected] = (hash ?? nobody(powerOfTwo)).split('$') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const found = await derived(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(found, Buffer.from(expected, 'base64url')) && typeof hash === 'string'
}

const derived = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Half as much again as the algorithm takes.
    const maxmem = 192 * N * r
    // The same letters can be typed in several Unicode forms.
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, { N, r, p, maxmem }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
