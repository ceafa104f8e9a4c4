// Cookies over TLS. Everything above this file writes and reads cookies by their plain names: here they get `Secure` and
// the prefix `__Host-` on the way out and lose it on the way in, whichever cookie it is and whoever sets it.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Kernel } from '../kernel.ts'

/** RFC 6265bis §4.1.3.2: browsers take such a cookie only over TLS from this very host, so that no other can plant one. */
const PREFIX = '__Host-'

type CookieKernel = Pick<Kernel, 'settings' | 'exactCookies'>

/** Whether the browser reached the service over TLS: directly, by what a trusted proxy says, or by the public address. */
const isSecure = ({ settings }: CookieKernel, { protocol }: FastifyRequest): boolean =>
  settings.securePublicUrl === true || protocol === 'https'

/** Whether a request can be secure at all; where none can, nothing is spent on it. */
export const canBeSecure = ({ settings: { tls, securePublicUrl, trustedProxies = [] } }: CookieKernel): boolean =>
  tls !== undefined || securePublicUrl === true || trustedProxies.length > 0

/**
 * Leaves of a secure request's cookies those that a secure response has set, by their plain names: a cookie without the
 * prefix may have been set by somebody else, over plain HTTP or from a sibling host.
 */
export function readSecureCookies(kernel: CookieKernel, request: FastifyRequest): void {
  const { headers } = request.raw
  if (headers.cookie === undefined || !isSecure(kernel, request)) return
  const pairs = headers.cookie.split(';').map((pair) => pair.trim())
  headers.cookie = pairs.flatMap((pair) => plainPair(kernel, pair)).join('; ')
}

function plainPair(kernel: CookieKernel, pair: string): string[] {
  if (isExact(kernel, pair)) return [pair]
  return pair.startsWith(PREFIX) ? [pair.slice(PREFIX.length)] : []
}

/** The hook that writes the cookies of secure responses. */
export const secureCookies = (kernel: CookieKernel) =>
  function writeCookies(
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: HookHandlerDoneFunction,
  ): void {
    const given = reply.getHeader('set-cookie') as string | string[] | undefined
    if (given !== undefined && isSecure(kernel, request)) {
      reply.removeHeader('set-cookie')
      reply.header(
        'set-cookie',
        [given].flat().map((cookie) => secured(kernel, cookie)),
      )
    }
    done()
  }

/** A Set-Cookie header for a secure response; one that is for it already stays as it is. */
const secured = (kernel: CookieKernel, cookie: string): string => {
  if (cookie.endsWith(SECURE)) return cookie
  return `${isExact(kernel, cookie) ? '' : PREFIX}${cookie}${SECURE}`
}

const SECURE = '; Secure'

/** Whether a cookie's name is one that the service must keep to the letter. */
const isExact = ({ exactCookies }: CookieKernel, pair: string): boolean =>
  exactCookies.includes(pair.slice(0, pair.indexOf('=')))
