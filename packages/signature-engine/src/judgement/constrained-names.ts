/** Where a name is, seen from a subtree. Unknown: it cannot be compared. */
export type Match = 'within' | 'outside' | 'unknown'

const matching = (isWithin: boolean): Match => (isWithin ? 'within' : 'outside')

/** RFC 5280 §4.2.1.10, URI: a host alone, or with a leading dot everything below it; also of mail addresses. */
const isHostWithin = (host: string, base: string): boolean =>
  base === '' || (base.startsWith('.') ? host.endsWith(base) : host === base)

const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/** In lower case without the dot of the root; undefined when it is no host name. */
function hostOf(text: string): string | undefined {
  const host = text.toLowerCase().replace(/\.$/, '')
  return HOST.test(host) ? host : undefined
}

/** A name is within itself and above all that ends with it on whole labels. */
export function matchDns(name: string, constraint: string): Match {
  const host = hostOf(name)
  const base = constraint.toLowerCase().replace(/\.$/, '')
  if (host === undefined) return 'unknown'
  const isWithin = base === '' || host === base || host.endsWith(base.startsWith('.') ? base : `.${base}`)
  // A wildcard stands for names on both sides of a subtree that is one label below it.
  if (!isWithin && host.startsWith('*.') && base.replace(/^\./, '').endsWith(host.slice(1))) return 'unknown'
  return matching(isWithin)
}

/** A constraint is one mailbox, all of one host, or with a leading dot all hosts of a domain. */
export function matchEmail(name: string, constraint: string): Match {
  const [local, host] = mailbox(name)
  const [baseLocal, baseHost] = mailbox(constraint)
  if (!local || !host) return 'unknown'
  if (baseLocal !== undefined) return matching(local === baseLocal && host === baseHost)
  return matching(isHostWithin(host, baseHost))
}

// The local part is compared as it stands, the host without regard to case (§7.5).
function mailbox(text: string): [local: string | undefined, host: string] {
  const at = text.lastIndexOf('@')
  return [at < 0 ? undefined : text.slice(0, at), text.slice(at + 1).toLowerCase()]
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:[\]@]+)(?::\d*)?(?:[/?#]|$)/i
const IP_ADDRESS = /^\d+(?:\.\d+){3}$/

/** Only the host counts; a URI without one, or with an address instead of a name, is refused (§4.2.1.10). */
export function matchUri(name: string, constraint: string): Match {
  const host = hostOf(AUTHORITY.exec(name)?.[1] ?? '')
  if (host === undefined || IP_ADDRESS.test(host)) return 'unknown'
  return matching(isHostWithin(host, constraint.toLowerCase().replace(/\.$/, '')))
}

/** A constraint is an address and a mask; version 4 and version 6 are different addresses of one form. */
export function matchIp(address: Uint8Array, constraint: Uint8Array): Match {
  const isAddress = address.length === 4 || address.length === 16
  if (!isAddress || (constraint.length !== 8 && constraint.length !== 32)) return 'unknown'
  if (constraint.length !== address.length * 2) return 'outside'
  return matching(
    address.every((byte, at) => {
      const mask = constraint[address.length + at]!
      return (byte & mask) === (constraint[at]! & mask)
    }),
  )
}
