import { digestAlgorithms } from '../crypto/algorithms.ts'
import type { Der } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { exchangeOverHttp } from '../http/exchange.ts'
import { isIntact } from '../report/check.ts'
import { refuseTimestamp } from './errors.ts'
import {
  DEFAULT_TIMEOUT_MS,
  headersFor,
  MAX_RESPONSE_BYTES,
  type TimestampAuthority,
  type TimestampClientOptions,
} from './timestamp-client.ts'
import { readTimestampQuery, rejection, type TimestampQuery, tokenInResponse } from './timestamp-protocol.ts'
import { checkTokenSignature, readTimestampToken } from './timestamp-token.ts'

/** Passes a request of RFC 3161 on; what comes back is always an answer of RFC 3161, a rejection where nothing else. */
export type TimestampRelay = (query: Uint8Array, signal?: AbortSignal) => Promise<Buffer>

/** Bits of PKIFailureInfo (RFC 3161 §2.4.2). */
const failures = { badAlg: 0, badRequest: 2, badDataFormat: 5, systemFailure: 25 } as const

/**
 * A relay to these authorities, tried in their order. Bytes go through unchanged in both directions: nonce and policy
 * are the caller's. What an authority answers must belong to the request, or the next one is asked.
 */
export function createTimestampRelay(options: Omit<TimestampClientOptions, 'judge'>): TimestampRelay {
  requireArguments('createTimestampRelay', {}, options, ['authorities'])
  return async (query, signal) => {
    const objection = objectionTo(query)
    if (objection) return objection
    for (const authority of options.authorities) {
      try {
        return await answeredBy(authority, query, options, signal)
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === 'http.canceled') throw error
      }
    }
    return rejection(failures.systemFailure, 'No timestamp authority gave an answer.')
  }
}

/** What would come to nothing anywhere is not sent; nor is a digest that proves nothing any more. */
function objectionTo(query: Uint8Array): Der | undefined {
  const asked = readOrUndefined(query)
  if (!asked) return rejection(failures.badDataFormat, 'The request cannot be read.')
  if (asked.version !== 1) return rejection(failures.badRequest, 'The request is of another version.')
  const algorithm = asked.digest && digestAlgorithms[asked.digest]
  if (!algorithm?.sound) return rejection(failures.badAlg, 'Nothing is stamped with this digest.')
  return asked.value.length === algorithm.bytes
    ? undefined
    : rejection(failures.badDataFormat, 'The digest has another length.')
}

function readOrUndefined(query: Uint8Array): TimestampQuery | undefined {
  try {
    return readTimestampQuery(query)
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

async function answeredBy(
  authority: TimestampAuthority,
  query: Uint8Array,
  { exchange = exchangeOverHttp, timeoutMs = DEFAULT_TIMEOUT_MS }: TimestampClientOptions,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const { status, body } = await exchange({
    url: authority.url,
    method: 'POST',
    headers: headersFor(authority),
    body: query,
    maxBytes: MAX_RESPONSE_BYTES,
    timeoutMs,
    ...(signal && { signal }),
  })
  if (status !== 200) throw refuseTimestamp('timestamp.http-status', { status })
  requireAnswer(body, readTimestampQuery(query))
  return Buffer.from(body)
}

/** A rejection is an answer, too; a timestamp must be the one that was asked for, as far as it can be seen. */
function requireAnswer(response: Uint8Array, asked: TimestampQuery): void {
  const token = grantedToken(response)
  if (!token) return
  const read = readTimestampToken(token)
  if (read.imprint.digest !== asked.digest || !read.imprint.value.equals(asked.value))
    throw refuseTimestamp('timestamp.wrong-imprint')
  if (asked.nonce && !read.nonce?.equals(asked.nonce)) throw refuseTimestamp('timestamp.wrong-nonce')
  if (!asked.wantsCertificates) return
  const { findings, integrity } = checkTokenSignature(read)
  const reason = findings.map(({ code }) => code).join(', ')
  if (!isIntact(integrity) || reason !== '') throw refuseTimestamp('timestamp.wrong-signature', { reason })
}

function grantedToken(response: Uint8Array): Buffer | undefined {
  try {
    return tokenInResponse(response)
  } catch (error) {
    if (error instanceof EngineError && error.code === 'timestamp.refused') return undefined
    throw error
  }
}
