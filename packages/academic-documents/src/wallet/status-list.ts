import { gunzipSync, gzipSync } from 'node:zlib'
import { WalletProblem } from './errors.ts'

// Bitstring Status List v1.0: one bit for each credential, in lists so long that whoever asks for one shows nobody for
// which credential.

/** Why a bit is set: for good, or until it is cleared. */
export type StatusPurpose = 'revocation' | 'suspension'

/** The shortest list that the specification allows, which hides one credential among as many others. */
export const SHORTEST_LIST = 131_072

/** The bits of these indexes set, compressed: the first index is the highest bit of the first byte. */
export function encodeStatusList(indexes: Iterable<number>, length = SHORTEST_LIST): string {
  if (length < SHORTEST_LIST || length % 8 !== 0) throw new WalletProblem('status.length')
  const bits = Buffer.alloc(length / 8)
  for (const index of indexes) {
    if (!Number.isInteger(index) || index < 0 || index >= length)
      throw new WalletProblem('status.index', { index: String(index) })
    bits[index >> 3]! |= 0x80 >> (index & 7)
  }
  return `u${stable(gzipSync(bits, { level: 9 })).toString('base64url')}`
}

/** RFC 1952 §2.3.1: the tenth byte names the system it was compressed on, which is nobody's business. */
function stable(zipped: Buffer): Buffer {
  zipped[9] = 0xff
  return zipped
}

/** Some 500 million credentials: a list that unpacks to more is none. */
const MOST_BYTES = 64 * 1024 * 1024

/** Whether a bit is set; undefined when the list cannot be read or has no such entry. */
export function statusAt(encodedList: string, index: number): boolean | undefined {
  const bits = decoded(encodedList)
  if (!bits || bits.length * 8 < SHORTEST_LIST || !Number.isInteger(index) || index < 0 || index >= bits.length * 8)
    return undefined
  return (bits[index >> 3]! & (0x80 >> (index & 7))) !== 0
}

function decoded(encodedList: string): Buffer | undefined {
  if (!/^u[\w-]+$/.test(encodedList)) return undefined
  try {
    return gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'), { maxOutputLength: MOST_BYTES })
  } catch {
    return undefined // damaged or too long: no list
  }
}

export interface StatusListInput {
  /** Where the list is published. */
  readonly id: string
  /** Identifier of the institution, as in the credentials. */
  readonly issuer: string
  readonly purpose: StatusPurpose
  /** Entries that are revoked, or suspended. */
  readonly indexes: Iterable<number>
  /** Entries in all; default 131,072. */
  readonly length?: number
  readonly validFrom: Date
  /** When whoever keeps a copy must have asked again; default never. */
  readonly validUntil?: Date
}

/** The list as a credential of its own, to be signed like any other. */
export function statusListCredential({ id, issuer, purpose, indexes, length, validFrom, validUntil }: StatusListInput) {
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer,
    validFrom: seconds(validFrom),
    ...(validUntil && { validUntil: seconds(validUntil) }),
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: purpose,
      encodedList: encodeStatusList(indexes, length),
    },
  }
}

/** An instant as credentials write it. */
export const seconds = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** Where the credential's own entry is. */
export const statusEntry = (list: string, purpose: StatusPurpose, index: number) => ({
  id: `${list}#${index}`,
  type: 'BitstringStatusListEntry',
  statusPurpose: purpose,
  statusListIndex: String(index),
  statusListCredential: list,
})
