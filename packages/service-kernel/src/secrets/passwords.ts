// Users' passwords, stored as scrypt hashes with their own parameters.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { startThread } from '../concurrency/index.ts'
import { HashLine } from './hashing/hash-line.ts'

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** The cost of hashes made from now on. */
const costOf = (powerOfTwo: number): Cost => ({ N: 2 ** powerOfTwo, r: 8, p: 3 })

const SALT_BYTES = 16
const HASH_BYTES = 32

// One line for all services of the process, which share its processors and its memory. A hash at the default cost takes a
// quarter of a second: a full line is over in seconds.
const line = new HashLine({ threads: 2, mostWaiting: 32 }, () =>
  startThread(import.meta.url, './hashing/hash-thread', { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }),
)

/** Turns away whoever waits for a hash, when the process stops. */
export const turnAwayPasswords = (): void => line.turnAway()

/**
 * The hash of a password: `scrypt$N$r$p$salt$hash`. `client` is the network it came from, or who else wants it: clients
 * take turns, and are turned away when too many wait.
 */
export async function hashPassword(password: string, powerOfTwo: number, client: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const cost = costOf(powerOfTwo)
  return written(cost, salt, await derived(password, salt, cost, client))
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
  client: string,
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
  const found = await derived(password, Buffer.from(salt, 'base64url'), cost, client)
  return timingSafeEqual(found, Buffer.from(expected, 'base64url')) && typeof hash === 'string'
}

// The same letters can be typed in several Unicode forms.
const derived = (password: string, salt: Buffer, cost: Cost, client: string): Promise<Buffer> =>
  line.hash({ password: password.normalize('NFC'), salt, bytes: HASH_BYTES, cost }, client)
