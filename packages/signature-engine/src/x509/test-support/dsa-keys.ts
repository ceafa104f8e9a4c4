// DSA keys over parameters made once: to make them takes seconds.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { digest } from '../../crypto/digest.ts'
import { readDer } from '../../der/der-value.ts'
import { bitString, type Der, integer, nothing, octetString, oid, sequence } from '../../der/der-writer.ts'
import type { Certificate } from '../certificate.ts'

const whole = (base64: string): bigint => BigInt(`0x${Buffer.from(base64, 'base64').toString('hex')}`)

const P = whole(
  'qm5euPoSHJCwauIHt0PhGIl3wmcZJb/fhoJrIU5f32Km+s5gK8hFbcnAk1VZhBHQn0rHjcufo+gR5wRbgpipV/USakBH3KJcUvuE' +
    '3IlcS1VNKu9R0mTDz44Fr7OIZ7tpfpySIyCC+5jYEww3BtxNP9HnOYjRTWqqkvChQokpBwNOe1TyreA2cYno7kKqVFlK+QKcf0CI' +
    'p/g/ahtP813HsGiNYuvrViVVXDJyJX/As1RA4xYyEhWzwoU4xZ5wNXN9CEQh+l33QBLObY+8lo+9xZhRExo9seRRS7sYojO98xRa' +
    'Sks6OgbDOrqcZNY8TOsIdgU0TC0ErE1mO0B+xVIMJQ==',
)
const Q = whole('ytty1UNmZS/pMFXbDgn3TCdvIz0YFgH8IlNSUHRCOV0=')
const G = whole(
  'aRNMRfPwEKj9e1Yi7V8Yz9Tog9hxwXW1EmElgjwGnPg+CulPQDL5payJ3xBr0MlkFXEEonPzrU0AxfjbDEjfJiB1N46sfS412JYP' +
    'lX7ZWOk3ct4HkOvXgYiLKkBWohN1/7QqF7lf3J1C8/ZAFG94cfykNIC7U/MCzc4M3SAzoEiGTtVS1Rpc6OHrRNDHq3eGUkO6dLEj' +
    'DQND8rHBqDftIq5uBL919L25XSUSBaTiVsmnEqDa9D6011R8SaqdUl+BRlfY+7tU3uga0+X1zBO5hMbln6cgvPjXF4tdH6fVSImY' +
    'uapfngZtVwYDzYRQr5s58jSE7F8BQa4daBSa9GWirQ==',
)

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** Modulo a prime. */
const inverse = (value: bigint, prime: bigint): bigint => power(value, prime - 2n, prime)

const bytesOf = (value: bigint): Buffer => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}
const written = (value: bigint): Der => integer(bytesOf(value))
const numberIn = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** Parameters: one group, whose generators differ. */
const generators = { first: G, second: power(G, 2n, P) }
export type DsaParameters = keyof typeof generators

const parametersWith = (generator: bigint): Der => sequence(written(P), written(Q), written(generator))
const ID_DSA = oid('1.2.840.10040.4.1')

export interface DsaKeys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  /** SubjectPublicKeyInfo without parameters. */
  readonly bare: Der
  /** The same with NULL in their place. */
  readonly withNull: Der
}

export function dsaKeys(parameters: DsaParameters = 'first'): DsaKeys {
  const secret = (numberIn(randomBytes(40)) % (Q - 1n)) + 1n
  const { privateKey, identifier, open } = pairOf(generators[parameters], secret)
  return {
    privateKey,
    publicKey: createPublicKey({ key: sequence(identifier, open), format: 'der', type: 'spki' }),
    bare: sequence(sequence(ID_DSA), open),
    withNull: sequence(sequence(ID_DSA, nothing), open),
  }
}

function pairOf(generator: bigint, secret: bigint) {
  const identifier = sequence(ID_DSA, parametersWith(generator))
  const der = sequence(integer(0), identifier, octetString(written(secret)))
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { privateKey, identifier, open: bitString(written(power(generator, secret, P))) }
}

const openPart = ({ publicKey }: DsaKeys): bigint => {
  const [, key] = readDer(publicKey.export({ format: 'der', type: 'spki' })).members()
  return numberIn(readDer(key!.bits()).integer())
}

/** A generator under which anybody has the private key to this public one, and that private key. */
export function forgingKey(victim: DsaKeys): { readonly generator: bigint; readonly privateKey: KeyObject } {
  const generator = power(openPart(victim), inverse(7n, Q), P)
  return { generator, privateKey: pairOf(generator, 7n).privateKey }
}

/**
 * A public key with another generator under which this certificate's signature is good, too; nobody has its private key.
 * DSA does not bind a signature to one key, so that anybody can make such an issuer.
 */
export function impostorKey(
  { tbs, signature }: Certificate,
  issuer: DsaKeys,
  generator = generators.second,
): KeyObject {
  const [r, s] = readDer(signature)
    .members()
    .map((value) => numberIn(value.integer())) as [bigint, bigint]
  const w = inverse(s, Q)
  const u1 = (numberIn(digest('sha256', tbs)) * w) % Q
  const u2 = (r * w) % Q
  // g^u1 y^u2 is to be the same with the other generator: y' = (g^u1 y^u2 / g'^u1)^(1/u2).
  const wanted = (power(G, u1, P) * power(openPart(issuer), u2, P)) % P
  const own = (wanted * inverse(power(generator, u1, P), P)) % P
  const other = bitString(written(power(own, inverse(u2, Q), P)))
  return createPublicKey({
    key: sequence(sequence(ID_DSA, parametersWith(generator)), other),
    format: 'der',
    type: 'spki',
  })
}
