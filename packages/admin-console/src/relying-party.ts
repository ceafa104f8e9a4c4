import { isIP } from 'node:net'
import { readUrl } from '@chancela/service-kernel/addresses'
import type { Call } from '@chancela/service-kernel/http'

/** The site that passkeys are for (WebAuthn §4, relying party): what its browsers see, and what its passkeys sign. */
export interface RelyingParty {
  /** A host name: of all ports, which is why another service of the machine is offered the same passkeys. */
  readonly id: string
  readonly origin: string
}

type Request = Pick<Call['request'], 'protocol' | 'host'>

/**
 * The site of a request: the public address, or where none is set the host that the browser asked, as trusted proxies
 * tell it. A forged Host header gains nothing: a passkey keeps the name that it was made for, and so does its row.
 * Undefined where browsers know no passkeys: at an address without a name, and in clear on another machine.
 */
export function relyingPartyOf({ protocol, host }: Request, publicUrl: string | undefined): RelyingParty | undefined {
  const url = readUrl(publicUrl ?? `${protocol}://${host}`)
  if (!url || !isName(url.hostname) || (url.protocol !== 'https:' && !isOfThisMachine(url.hostname))) return undefined
  return { id: url.hostname, origin: url.origin }
}

const isName = (host: string): boolean => host !== '' && !host.startsWith('[') && isIP(host) === 0

const isOfThisMachine = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')
