import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { request } from 'node:http'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { AddressPolicy } from './address-policy.ts'

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
  /** The proxy every connection goes through: `http://host:port`. */
  readonly proxyUrl?: string | undefined
  /** The client certificate, and the authorities trusted instead of Node's. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined
}

/** Connects only to addresses the policy accepts, checked at connection time. */
export function guardedConnect({ policy, timeout, proxyUrl, tls }: GuardedConnectOptions): buildConnector.connector {
  const guarded = policy ? guardedLookup(policy) : (lookup as LookupFunction)
  const connect = buildConnector({ timeout, ...tls, lookup: guarded } as buildConnector.BuildOptions)
  if (proxyUrl === undefined) return connect
  return (options, callback) => {
    tunnel({ proxyUrl, guarded, timeout }, options)
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
function guardedLookup(policy: AddressPolicy): LookupFunction {
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

interface Tunnel {
  readonly proxyUrl: string
  readonly guarded: LookupFunction
  readonly timeout: number
}

// The proxy gets the checked address, not the name: it would resolve it again, perhaps to an internal address.
async function tunnel({ proxyUrl, guarded, timeout }: Tunnel, to: buildConnector.Options): Promise<Socket> {
  const address = await resolved(guarded, to.hostname)
  const port = to.port || (to.protocol === 'https:' ? '443' : '80')
  const path = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  return new Promise((resolve, reject) => {
    const asked = request(proxyUrl, { method: 'CONNECT', path, headers: { host: path }, agent: false, timeout })
    asked.once('connect', (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket as Socket)
      socket.destroy()
      reject(new Error(`the proxy answered ${answer.statusCode}`))
    })
    asked.once('timeout', () => asked.destroy(new Error('the proxy did not answer in time')))
    asked.once('error', reject)
    asked.end()
  })
}

function resolved(guarded: LookupFunction, hostname: string): Promise<string> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return Promise.resolve(bare)
  return new Promise((resolve, reject) =>
    guarded(bare, { all: false }, (error, address) => (error ? reject(error) : resolve(address as string))),
  )
}
