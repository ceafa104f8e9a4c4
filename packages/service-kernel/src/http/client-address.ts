import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** The address of a client: the peer, or the one from trusted proxies. A value that is no address is ignored. */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.raw.socket.remoteAddress ?? ''
  if (request.ip === peer) return withoutMapping(peer)
  const named = plainAddress(request.ip)
  return isIP(named) ? named : withoutMapping(peer)
}

/** The client of a request as limits and lines see it. */
export const clientOf = (request: FastifyRequest): string => clientNetwork(clientAddress(request))

/** An address as limits and lines see it: one IPv4 address, or the /64 that a single IPv6 subscriber is given. */
export const clientNetwork = (address: string): string => (isIPv6(address) ? network64(address) : address)

// IPv4 clients of a dual-stack socket appear as ::ffff:a.b.c.d.
const withoutMapping = (address: string): string => (/^::ffff:.*\./.test(address) ? address.slice(7) : address)

// Some proxies append the port.
function plainAddress(text: string): string {
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(text)
  if (bracketed) return bracketed[1]!
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : withoutMapping(text)
}

function network64(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]!.split('::') as [string, string?]
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
