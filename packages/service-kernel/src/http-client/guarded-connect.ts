import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './address-policy.ts'
import { openTunnel } from './proxy-tunnel.ts'

/** A name resolves to an address that must not be called. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  /** Network errors have a code, too. */
  readonly code = 'AddressRefused'
}

interface GuardedConnectOptions {
  /** Without a policy every address is accepted. */
  readonly policy?: AddressPolicy | undefined
  /** Milliseconds to connect. */
  readonly timeout: number
  /** The proxy every connection goes through: `http://user:password@host:port`, or https. */
  readonly proxyUrl?: string | undefined
  /** Judges the addresses of the proxy; default: accepts every one. */
  readonly proxyPolicy?: AddressPolicy | undefined
  /** Whether the proxy gets names instead of addresses: the policy judges them only as they are written. */
  readonly proxyResolves?: boolean | undefined
  /** The client certificate, and the authorities trusted instead of Node's. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined
}

/** Connects only to addresses the policy accepts, checked at connection time. */
export function guardedConnect({
  policy,
  timeout,
  proxyUrl,
  proxyPolicy,
  proxyResolves = false,
  tls,
}: GuardedConnectOptions): buildConnector.connector {
  const guarded = guardedLookup(policy)
  const connect = buildConnector({ timeout, ...tls, lookup: guarded } as buildConnector.BuildOptions)
  if (proxyUrl === undefined) return connect
  const url = new URL(proxyUrl)
  const refusal = proxyPolicy?.refusesUrl(`${url.protocol}//${url.host}`)
  const proxy = { url, refusal, lookup: guardedLookup(proxyPolicy), timeout, ca: tls?.ca }
  return (options, callback) => {
    // The proxy gets the checked address, not the name: it would resolve it again, perhaps to an internal address.
    const target = proxyResolves ? Promise.resolve(bareHost(options.hostname)) : resolved(guarded, options.hostname)
    target
      .then((host) => openTunnel(proxy, hostAndPort(host, options)))
      // undici sends over a plain socket; for TLS the connector creates one inside the tunnel.
      .then((socket) =>
        options.protocol === 'https:' ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      )
      .catch((error: Error) => callback(error, null))
  }
}

/**
 * Resolves a name and returns the addresses only if the policy accepts every one of them: the connection uses these, so
 * that a DNS answer that changes between the check and the connection has no effect.
 */
function guardedLookup(policy: AddressPolicy | undefined): LookupFunction {
  if (!policy) return lookup as LookupFunction
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...options, all: true }
    lookup(hostname, all, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const refusal = refusalOf(policy, hostname, addresses)
      if (refusal !== undefined) return callback(new AddressRefused(refusal), '', 0)
      if (options.all) return callback(null, addresses)
      return callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}

const refusalOf = (policy: AddressPolicy, host: string, addresses: readonly LookupAddress[]): string | undefined =>
  addresses.map(({ address }) => policy.refusesAddress(host, address)).find((refusal) => refusal !== undefined)

function resolved(guarded: LookupFunction, hostname: string): Promise<string> {
  const bare = bareHost(hostname)
  if (isIP(bare) !== 0) return Promise.resolve(bare)
  return new Promise((resolve, reject) =>
    guarded(bare, { all: false }, (error, address) => (error ? reject(error) : resolve(address as string))),
  )
}

const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const hostAndPort = (host: string, { port, protocol }: buildConnector.Options): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port || (protocol === 'https:' ? '443' : '80')}`
