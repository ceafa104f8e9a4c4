import type { Certificate } from './certificate.ts'

/** Certificates of one subject (`DistinguishedName.key`). */
export type NamedCertificates = (key: string) => readonly Certificate[]

/** Hierarchies deeper than this do not exist. */
const MAX_DEPTH = 10
/** Signatures verified in search of parameters: a crafted bundle may hold many authorities of one name without any. */
const MAX_TRIED = 200

/**
 * Finds the keys of certificates that leave their DSA parameters to their issuer's (RFC 3279 §2.3.2). There is one for
 * each issuer with other parameters. For one bundle of certificates, because what it may cost is limited.
 */
export class InheritedParameters {
  readonly #named: NamedCertificates
  #tried = 0

  constructor(named: NamedCertificates) {
    this.#named = named
  }

  /** The certificate with each key it can have; as it is where its key is its own, or none is found. */
  keysOf(certificate: Certificate): readonly Certificate[] {
    if (!certificate.needsParameters) return [certificate]
    const found = this.#under(certificate, [])
    return found.length > 0 ? found : [certificate]
  }

  #under(certificate: Certificate, below: readonly Certificate[]): readonly Certificate[] {
    if (!certificate.needsParameters) return [certificate]
    if (below.length >= MAX_DEPTH || below.includes(certificate)) return []
    const issuers = this.#named(certificate.issuer.key).flatMap((issuer) =>
      this.#under(issuer, [...below, certificate]),
    )
    const keyed = issuers.flatMap((issuer) => (this.#issued(issuer, certificate) ? [certificate.under(issuer)] : []))
    return [...new Set(keyed)].filter((one) => !one.needsParameters)
  }

  #issued(issuer: Certificate, certificate: Certificate): boolean {
    return this.#tried++ < MAX_TRIED && issuer.issued(certificate)
  }
}

/**
 * The certificate with the key that these others give it; as it is if they give none or several. A signature is verified
 * with it before there is a path; a path through an issuer with other parameters is then none (`hasKeyUnder`).
 */
export function keyedAmong(certificate: Certificate, others: readonly Certificate[]): Certificate {
  const named: NamedCertificates = (key) => others.filter(({ subject }) => subject.key === key)
  const keys = new InheritedParameters(named).keysOf(certificate)
  return keys.length === 1 ? keys[0]! : certificate
}
