import { randomBytes } from 'node:crypto'
import { digest } from '../crypto/digest.ts'
import { integer } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { exchangeOverHttp, type HttpExchange } from '../http/exchange.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { isIntact } from '../report/check.ts'
import type { Certificate } from '../x509/certificate.ts'
import { refuseTimestamp } from './errors.ts'
import {
  type TimestampDigest,
  type TimestampQuestion,
  timestampRequest,
  tokenInResponse,
} from './timestamp-protocol.ts'
import { checkTokenSignature, isForTimestamping, readTimestampToken, type TimestampToken } from './timestamp-token.ts'

/** A time-stamping authority and its access data. */
export interface TimestampAuthority {
  readonly url: string
  /** Policy to request; default: the authority's own. */
  readonly policy?: string
  /** Further headers, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>
  /** For HTTP basic authentication. */
  readonly username?: string
  readonly password?: string
}

export interface TimestampClientOptions {
  /** Tried in this order; the next one only when the one before fails. */
  readonly authorities: readonly TimestampAuthority[]
  readonly exchange?: HttpExchange
  /** With a judge, the authority's certificate must be trusted; default: only the token is checked. */
  readonly judge?: Judge
  /** Per authority; default 10,000 ms. */
  readonly timeoutMs?: number
}

/** A verified timestamp. */
export interface Timestamp {
  /** ContentInfo, as it goes into signatures. */
  readonly token: Buffer
  readonly time: Date
  readonly policy: string
  readonly certificate: Certificate
  /** Those inside the token. */
  readonly certificates: readonly Certificate[]
}

export interface StampOptions {
  /** Default SHA-256. */
  readonly digest?: TimestampDigest
  readonly signal?: AbortSignal
}

/** Fetches timestamps. */
export interface TimestampClient {
  /** A timestamp over these bytes. */
  stamp(bytes: Uint8Array, options?: StampOptions): Promise<Timestamp>
  /** A timestamp over bytes of which only the digest is available. */
  stampDigest(name: TimestampDigest, value: Uint8Array, options?: Pick<StampOptions, 'signal'>): Promise<Timestamp>
}

/** Tokens with a chain take 5 to 10 KB. */
export const MAX_RESPONSE_BYTES = 1_000_000
export const DEFAULT_TIMEOUT_MS = 10_000
const NONCE_BYTES = 8

/** A client of these authorities. Its results are verified: imprint, nonce, policy, purpose, signature. */
export function createTimestampClient(options: TimestampClientOptions): TimestampClient {
  requireArguments('createTimestampClient', {}, options, ['authorities'])
  const stampDigest: TimestampClient['stampDigest'] = async (name, value, { signal } = {}) => {
    if (options.authorities.length === 0) throw refuseTimestamp('timestamp.no-authority')
    const failures: { url: string; error: EngineError }[] = []
    for (const authority of options.authorities) {
      try {
        return await stampedBy(authority, { digest: name, value }, options, signal)
      } catch (error) {
        if (!(error instanceof EngineError) || error.code === 'http.canceled') throw error
        failures.push({ url: authority.url, error })
      }
    }
    throw unavailable(failures)
  }
  return {
    stampDigest,
    stamp: (bytes, { digest: name = 'sha256', signal } = {}) =>
      stampDigest(name, digest(name, bytes), signal ? { signal } : {}),
  }
}

function unavailable(failures: readonly { url: string; error: EngineError }[]): EngineError {
  return refuseTimestamp(
    'timestamp.unavailable',
    {
      reasons: failures.map(({ url, error }) => `${url}: ${error.message}`).join(' '),
      attempts: failures.map(({ url, error }) => ({ url, code: error.code, message: error.message })),
    },
    failures.at(-1)?.error,
  )
}

async function stampedBy(
  authority: TimestampAuthority,
  imprint: Pick<TimestampQuestion, 'digest' | 'value'>,
  { exchange = exchangeOverHttp, judge, timeoutMs = DEFAULT_TIMEOUT_MS }: TimestampClientOptions,
  signal: AbortSignal | undefined,
): Promise<Timestamp> {
  const question = { ...imprint, policy: authority.policy, nonce: integer(randomBytes(NONCE_BYTES)) }
  const { status, body } = await exchange({
    url: authority.url,
    method: 'POST',
    headers: headersFor(authority),
    body: timestampRequest(question),
    maxBytes: MAX_RESPONSE_BYTES,
    timeoutMs,
    ...(signal && { signal }),
  })
  if (status !== 200) throw refuseTimestamp('timestamp.http-status', { status })
  const token = tokenInResponse(body)
  const read = readTimestampToken(token)
  const certificate = requireAnswer(read, question)
  await requireTrust(read, certificate, judge)
  const { time, policy, certificates } = read
  return { token, time, policy, certificate, certificates }
}

export function headersFor({ headers, username, password = '' }: TimestampAuthority): Record<string, string> {
  return {
    'content-type': 'application/timestamp-query',
    accept: 'application/timestamp-reply',
    ...(username !== undefined && {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    }),
    ...headers,
  }
}

/** RFC 3161 §2.2: what the requester must check. Returns the authority's certificate. */
function requireAnswer(token: TimestampToken, asked: TimestampQuestion): Certificate {
  const { imprint, nonce, policy } = token
  if (imprint.digest !== asked.digest || !imprint.value.equals(asked.value)) {
    throw refuseTimestamp('timestamp.wrong-imprint')
  }
  if (!nonce?.equals(asked.nonce)) throw refuseTimestamp('timestamp.wrong-nonce')
  if (asked.policy !== undefined && policy !== asked.policy) {
    throw refuseTimestamp('timestamp.wrong-policy', { found: policy, expected: asked.policy })
  }
  const { certificate, findings, integrity } = checkTokenSignature(token)
  if (!certificate || !isIntact(integrity) || findings.length > 0) {
    const reason = findings.map(({ code }) => code).join(', ')
    throw refuseTimestamp('timestamp.wrong-signature', { reason })
  }
  if (!isForTimestamping(certificate)) throw refuseTimestamp('timestamp.wrong-purpose')
  return certificate
}

async function requireTrust(
  { time, certificates }: TimestampToken,
  certificate: Certificate,
  judge: Judge | undefined,
): Promise<void> {
  const verdict = await judge?.certificate(certificate, { at: time, now: time, purpose: 'timestamping', certificates })
  if (verdict && verdict.indication !== 'valid') {
    throw refuseTimestamp('timestamp.untrusted', { reason: verdict.reasons.map(({ code }) => code).join(', ') })
  }
}
