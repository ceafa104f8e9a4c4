import { digestAlgorithms } from '../crypto/algorithms.ts'
import { readDer } from '../der/der-value.ts'
import { boolean, type Der, integer, octetString, oid, sequence } from '../der/der-writer.ts'
import { fromBer } from '../der/from-ber.ts'
import { tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { refuseTimestamp } from './errors.ts'

export type TimestampDigest = 'sha256' | 'sha512'

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
