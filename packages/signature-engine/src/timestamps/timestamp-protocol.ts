import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { readDer } from '../der/der-value.ts'
import { boolean, type Der, integer, namedBits, octetString, oid, sequence, utf8String } from '../der/der-writer.ts'
import { fromBer } from '../der/from-ber.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { refuseTimestamp } from './errors.ts'

export type TimestampDigest = SigningDigest

/** The request to an authority. */
export interface TimestampQuestion {
  readonly digest: TimestampDigest
  readonly value: Uint8Array
  readonly policy: string | undefined
  /** INTEGER, whole value with tag and length. */
  readonly nonce: Der
}

/** TimeStampReq of RFC 3161 §2.4.1. Certificates are always requested: without them the token cannot be validated. */
export const timestampRequest = ({ digest, value, policy, nonce }: TimestampQuestion): Der =>
  sequence(
    integer(1),
    sequence(sequence(oid(digestAlgorithms[digest].oid)), octetString(value)),
    policy === undefined ? undefined : oid(policy),
    nonce,
    boolean(true),
  )

/** A request that somebody else wrote. */
export interface TimestampQuery {
  readonly version: number
  /** Undefined when the engine does not know the algorithm. */
  readonly digest: DigestName | undefined
  readonly value: Buffer
  /** INTEGER in its original bytes. */
  readonly nonce: Buffer | undefined
  readonly wantsCertificates: boolean
}

/** Reads a TimeStampReq. */
export function readTimestampQuery(query: Uint8Array): TimestampQuery {
  try {
    return queryIn(query)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw refuseTimestamp('timestamp.bad-query', { reason: error.message }, error)
  }
}

function queryIn(query: Uint8Array): TimestampQuery {
  const fields = readDer(query).sequence()
  const version = fields.next(tags.integer).smallInteger()
  const imprint = fields.next().sequence()
  const digest = readDigestIdentifier(imprint.next())
  const value = imprint.next().octets()
  imprint.end()
  fields.optional(tags.oid)
  const nonce = fields.optional(tags.integer)?.raw
  const wantsCertificates = fields.optional(tags.boolean)?.boolean() ?? false
  fields.optional(contextConstructed(0))
  fields.end()
  return { version, digest, value, nonce, wantsCertificates }
}

/** A TimeStampResp without a timestamp; `failure` is a bit of PKIFailureInfo. */
export const rejection = (failure: number, text: string): Der =>
  sequence(sequence(integer(REJECTED), sequence(utf8String(text)), namedBits(failure)))

const REJECTED = 2

/** PKIStatus of RFC 3161 §2.4.2, by number. */
const statuses = ['granted', 'grantedWithMods', 'rejection', 'waiting', 'revocationWarning', 'revocationNotification']

/** PKIFailureInfo of RFC 3161 §2.4.2, by bit. */
const failures: Readonly<Record<number, string>> = {
  0: 'badAlg',
  2: 'badRequest',
  5: 'badDataFormat',
  14: 'timeNotAvailable',
  15: 'unacceptedPolicy',
  16: 'unacceptedExtension',
  17: 'addInfoNotAvailable',
  25: 'systemFailure',
}

/** The token in a TimeStampResp; a refusal is thrown with the authority's own text. */
export function tokenInResponse(response: Uint8Array): Buffer {
  try {
    return granted(response)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('timestamp.')) throw error
    throw refuseTimestamp('timestamp.malformed', { reason: error.message }, error)
  }
}

function granted(response: Uint8Array): Buffer {
  const fields = readDer(fromBer(response)).sequence()
  const statusInfo = fields.next().sequence()
  const status = statusInfo.next().smallInteger()
  const words = (statusInfo.optional(tags.sequence)?.members() ?? []).map((text) => text.text())
  const bits = statusInfo.optional(tags.bitString)?.namedBits() ?? []
  if (status > 1) {
    const reasons = [...[...bits].map((bit) => failures[bit] ?? `failure ${bit}`), ...words]
    throw refuseTimestamp('timestamp.refused', {
      status: statuses[status] ?? `status ${status}`,
      because: reasons.length > 0 ? `: ${reasons.join('; ')}` : '',
      failures: [...bits].map((bit) => failures[bit] ?? `failure ${bit}`),
    })
  }
  const token = fields.next(tags.sequence).raw
  fields.end()
  return token
}
