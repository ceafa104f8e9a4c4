// Which addresses may be called. One policy for saving, testing and calling, so that none of them accepts what another
// refuses (document-platform facts 5.2, point 8).
import { BlockList, isIP } from 'node:net'
import { isUsualPort } from './known-ports.ts'

/**
 * Networks without public services: IANA's special-purpose registries for IPv4 and IPv6, every form of IPv6 that carries an
 * IPv4 address, and addresses by which clouds give machines their credentials. An IPv4-mapped address is judged by the IPv4
 * address in it.
 */
const specialNetworks: readonly (readonly [network: string, prefix: number, why: string])[] = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by carriers'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'a cloud gives machines their credentials here'],
  ['169.254.0.0', 16, 'link-local, where clouds keep their credentials'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'relays of 6to4'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarks'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved, broadcast included'],
  ['::', 96, 'unspecified, loopback, and IPv4 in its first form'],
  ['::ffff:0:0:0', 96, 'translated from IPv4'],
  ['64:ff9b::', 96, 'translated to IPv4'],
  ['64:ff9b:1::', 48, 'translated to IPv4, local'],
  ['100::', 64, 'discarded'],
  ['2001::', 23, 'protocol assignments, tunnels included'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4, which carries an IPv4 address'],
  ['3fff::', 20, 'documentation'],
  ['5f00::', 16, 'segment routing'],
  ['fc00::', 7, 'unique local'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
]

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** What the instance's operator allows besides public addresses. */
export interface AddressPolicyOptions {
  /** Host names, addresses and networks (`10.1.0.0/16`) that are allowed although they are not public. */
  readonly allowed?: readonly string[]
  /** Whether `http:` is accepted. Default: for allowed hosts only. */
  readonly allowHttp?: boolean
  /**
   * Ports that may be called besides the usual: 80, 443 and those above 1023 that are not known to be of another service.
   * Of allowed hosts every port may be.
   */
  readonly allowedPorts?: readonly number[]
}

/** Why an address is refused, in one sentence; undefined when it is accepted. */
type AddressRefusal = string | undefined

/** The rules for where calls go. */
export interface AddressPolicy {
  /** Checks a URL as written, before any name is resolved. */
  refusesUrl(url: string): AddressRefusal
  /** Checks the address a connection would be made to. */
  refusesAddress(host: string, address: string): AddressRefusal
}

export function addressPolicy({
  allowed = [],
  allowHttp,
  allowedPorts = [],
}: AddressPolicyOptions = {}): AddressPolicy {
  const special = new BlockList()
  for (const [network, prefix] of specialNetworks) special.addSubnet(network, prefix, familyOf(network))
  const trust = trusted(allowed)
  return {
    refusesUrl: (text) => {
      const url = parsed(text)
      if (!url) return 'It is not an absolute http or https URL.'
      if (url.username !== '' || url.password !== '') return 'A URL must not carry credentials.'
      const host = bareHost(url.hostname)
      const isTrusted = trust.host(host)
      if (url.protocol === 'http:' && !(allowHttp ?? isTrusted)) return 'Only https is taken here.'
      const port = portOf(url)
      if (!isTrusted && !isUsualPort(port) && !allowedPorts.includes(port)) return `Port ${port} is not taken here.`
      return isIP(host) === 0 ? undefined : refusesAddress(host, host)
    },
    refusesAddress,
  }

  function refusesAddress(host: string, address: string): AddressRefusal {
    if (trust.host(host) || trust.address(address)) return undefined
    return special.check(address, familyOf(address)) ? `${address} is not a public address.` : undefined
  }
}

function parsed(text: string): URL | undefined {
  try {
    const url = new URL(text)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
  } catch {
    return undefined
  }
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** A URL writes IPv6 addresses in brackets, and a name may end in the root's dot. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

function trusted(entries: readonly string[]) {
  const hosts = new Set<string>()
  const networks = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    if (isIP(network) === 0) hosts.add(entry.toLowerCase())
    else if (prefix === undefined) networks.addAddress(network, familyOf(network))
    else networks.addSubnet(network, Number(prefix), familyOf(network))
  }
  const address = (text: string): boolean => isIP(text) !== 0 && networks.check(text, familyOf(text))
  return { host: (host: string) => hosts.has(host.toLowerCase()) || address(host), address }
}
