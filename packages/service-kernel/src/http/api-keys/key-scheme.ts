import type { IncomingHttpHeaders } from 'node:http'
import type { AccessScheme } from '../access.ts'
import type { ApiKeyCaller, ApiKeyRing } from './ring.ts'

export interface KeyOptions {
  readonly ring: ApiKeyRing
  /** Headers that carry a key, the first one present counting. Default `X-API-Key`. */
  readonly headers?: readonly string[]
  /** Schemes of the Authorization header that carry a key, such as `Bearer` and `ApiKey`. Default none. */
  readonly authorization?: readonly string[]
}

/** Access by API key. Whatever is wrong with a key, the work and the response are the same. */
export function keyScheme({
  ring,
  headers = ['X-API-Key'],
  authorization = [],
}: KeyOptions): AccessScheme<ApiKeyCaller> {
  const names = headers.map((name) => name.toLowerCase())
  const prefixes = authorization.map((scheme) => `${scheme.toLowerCase()} `)
  return {
    authenticate: ({ raw }) => ring.find(headerKey(raw.headers, names) ?? authorizationKey(raw.headers, prefixes)),
    credentialOf: ({ keyId }) => keyId,
    security: {
      ...Object.fromEntries(headers.map((name) => [name, { type: 'apiKey', in: 'header', name }])),
      ...Object.fromEntries(authorization.map((scheme) => [scheme, { type: 'http', scheme: scheme.toLowerCase() }])),
    },
  }
}

function headerKey(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

function authorizationKey({ authorization }: IncomingHttpHeaders, prefixes: readonly string[]): string | undefined {
  if (authorization === undefined || prefixes.length === 0) return undefined
  const prefix = prefixes.find((start) => authorization.slice(0, start.length).toLowerCase() === start)
  return prefix && authorization.slice(prefix.length).trim()
}
