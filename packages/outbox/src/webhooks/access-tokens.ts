import { type Clock, plus, SECOND } from '@chancela/service-kernel/clock'
import { type HttpClient, HttpProblem } from '@chancela/service-kernel/http-client'
import type { ClientCredentials } from './endpoints.ts'
import { reason } from './reason-texts.ts'

/** Why there is no access token for a receiver. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}

export interface AccessTokensOptions {
  readonly clock: Clock
  /** Checks addresses as it does for receivers: an endpoint's owner also configures its token endpoint. */
  readonly client: HttpClient
  readonly totalMs: number
}

/** Access tokens of endpoints, by client credentials (RFC 6749 §4.4), each cached until it expires. */
export interface AccessTokens {
  of(endpointId: string, credentials: ClientCredentials): Promise<string>
  forget(endpointId: string): void
}

interface Kept {
  readonly credentials: ClientCredentials
  readonly until: Date
  readonly granted: Promise<Granted>
}

interface Granted {
  readonly token: string
  readonly seconds: number
}

/** A token is not used in its last seconds: it could expire before it arrives. */
const MARGIN = 10
/** Seconds a token without an expiry is cached. */
const UNSAID = 60

export function openAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { clock, totalMs } = options
  const kept = new Map<string, Kept>()
  return {
    of: async (endpointId, credentials) => {
      const known = kept.get(endpointId)
      if (known && isSame(known.credentials, credentials) && clock() < known.until) return (await known.granted).token
      // Concurrent callers share the request; a refusal is not cached.
      const asked: Kept = { credentials, until: plus(clock(), totalMs), granted: ask(options, credentials) }
      kept.set(endpointId, asked)
      try {
        const { token, seconds } = await asked.granted
        kept.set(endpointId, { ...asked, until: plus(clock(), (seconds - MARGIN) * SECOND) })
        return token
      } catch (error) {
        kept.delete(endpointId)
        throw error
      }
    },
    forget: (endpointId) => void kept.delete(endpointId),
  }
}

/** By what they say: every reading of the endpoint's row makes an object of its own. */
const isSame = (a: ClientCredentials, b: ClientCredentials): boolean =>
  a.tokenUrl === b.tokenUrl && a.clientId === b.clientId && a.clientSecret === b.clientSecret && a.scope === b.scope

async function ask({ client, totalMs }: AccessTokensOptions, credentials: ClientCredentials): Promise<Granted> {
  const { tokenUrl, clientId, clientSecret, scope } = credentials
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) })
  const { status, body } = await client
    .exchange({
      method: 'POST',
      url: tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(clientId, clientSecret) },
      body: form.toString(),
      deadlineMs: totalMs,
      maxAnswerBytes: MOST_BYTES,
    })
    .catch(unanswered)
  if (status !== 200) throw new TokenRefused(reason('token-answered', { status }))
  return granted(body.toString('utf8'))
}

function unanswered(error: unknown): never {
  throw error instanceof HttpProblem ? new TokenRefused(reasonOf(error)) : error
}

function reasonOf({ kind, code, message }: HttpProblem): string {
  if (kind === 'address-refused') return `No access token: ${message}`
  if (kind === 'too-large') return reason('token-too-long')
  return kind === 'deadline' ? reason('token-late') : reason('token-no-answer', { code: code ?? message })
}

// RFC 6749 §2.3.1: both are form-encoded before they are joined.
const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

const MOST_BYTES = 64 * 1024

function granted(text: string): Granted {
  const said = parsed(text)
  const { access_token: token, expires_in: seconds } = said
  if (typeof token !== 'string' || token === '') throw new TokenRefused(reason('token-none'))
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : UNSAID }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {} // handled as an answer without a token
  }
}
