import { type Clock, plus, SECOND } from '@chancela/service-kernel/clock'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import { AddressRefused } from '@chancela/service-kernel/http-client'
import { type Dispatcher, request } from 'undici'
import type { ClientCredentials } from './endpoints.ts'

/** There is no access token for a receiver, and why. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}

export interface AccessTokensOptions {
  readonly policy: AddressPolicy
  readonly clock: Clock
  /** Judges addresses as it does for receivers: whoever registers an endpoint names its token endpoint too. */
  readonly dispatcher: Dispatcher
  readonly totalMs: number
}

/** Access tokens of endpoints, by client credentials (RFC 6749 §4.4), each kept until it expires. */
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

/** A token is not used in its last seconds: it would expire on its way. */
const MARGIN = 10
/** Seconds a token is kept that does not say how long it holds. */
const UNSAID = 60

export function openAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { clock, totalMs } = options
  const kept = new Map<string, Kept>()
  return {
    of: async (endpointId, credentials) => {
      const known = kept.get(endpointId)
      if (known?.credentials === credentials && clock() < known.until) return (await known.granted).token
      // Everyone who needs it meanwhile waits for the same answer; a refusal is asked again the next time.
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

async function ask(options: AccessTokensOptions, credentials: ClientCredentials): Promise<Granted> {
  const { policy, dispatcher, totalMs } = options
  const { tokenUrl, clientId, clientSecret, scope } = credentials
  const refusal = policy.refusesUrl(tokenUrl)
  if (refusal !== undefined) throw new TokenRefused(`No access token: ${refusal}`)
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) })
  try {
    const { statusCode, body } = await request(tokenUrl, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basic(clientId, clientSecret) },
      body: form.toString(),
      signal: AbortSignal.timeout(totalMs),
    })
    const text = await limited(body)
    if (statusCode !== 200) throw new TokenRefused(`No access token: its endpoint answered ${statusCode}.`)
    return granted(text)
  } catch (error) {
    if (error instanceof TokenRefused) throw error
    if (error instanceof AddressRefused) throw new TokenRefused(`No access token: ${error.message}`)
    const { code, message } = error as Error & { code?: string }
    throw new TokenRefused(`No access token: ${code ?? message}.`)
  }
}

// RFC 6749 §2.3.1: both are form-encoded before they are joined.
const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

const MOST_BYTES = 64 * 1024

async function limited(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = []
  let read = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    read += piece.length
    if (read > MOST_BYTES) throw new TokenRefused('No access token: the answer is too long.')
  }
  return Buffer.concat(pieces).toString('utf8')
}

function granted(text: string): Granted {
  const said = parsed(text)
  const { access_token: token, expires_in: seconds } = said
  if (typeof token !== 'string' || token === '') throw new TokenRefused('No access token: the answer has none.')
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : UNSAID }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {} // told as an answer without a token
  }
}
