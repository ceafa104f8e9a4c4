import type { FastifyRequest } from 'fastify'
import { readUrl } from '../../addresses/index.ts'

type Request = Pick<FastifyRequest, 'method' | 'headers' | 'host' | 'protocol'>

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a call that changes something comes from a page of this service. Browsers send the session's cookie also with
 * cross-site requests; their headers about the sender cannot be forged by the other site. A call without such headers
 * comes from a program, which is not subject to this attack.
 */
export function isSameOrigin({ method, headers, host, protocol }: Request, publicUrl: string | undefined): boolean {
  if (SAFE_METHODS.has(method)) return true
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  const url = readUrl(origin)
  if (!url) return false
  const home = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (origin === home?.origin) return true
  // A page of the same name over plain HTTP may be anybody's. Where nothing says that the browser came over TLS, a
  // proxy that is not listed may have ended it.
  const isOverTls = protocol === 'https' || (home?.protocol === 'https:' && home.host === host)
  return (url.protocol === 'https:' || !isOverTls) && url.host === readUrl(`${url.protocol}//${host}`)?.host
}
