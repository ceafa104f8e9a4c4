import type { TrustAnchors } from '../trust/trust-anchors.ts'
import type { Certificate } from '../x509/certificate.ts'
import { InheritedParameters } from '../x509/inherited-parameters.ts'

/** Sources of a certificate's issuers. */
export interface Issuers {
  readonly anchors: TrustAnchors
  /** Certificates with this subject (`DistinguishedName.key`), in order of preference. */
  named(key: string): readonly Certificate[]
}

/** ICP-Brasil has four certificates in a path; cross-certified hierarchies a few more. */
const MAX_PATH = 10
/** Signatures tried for one path: a crafted bundle can contain thousands of issuers of the same name. */
const MAX_ATTEMPTS = 200
/** Paths to consider; more come from crafted bundles only. */
const MAX_PATHS = 8

export interface FoundPaths {
  /** Paths whose last certificate is an anchor. */
  readonly anchored: readonly (readonly Certificate[])[]
  /** The longest path that ended elsewhere, at a root if one is as long; at least the certificate itself. */
  readonly longest: readonly Certificate[]
  /** Certificates whose issuer was found by name and key, but had not signed them. */
  readonly forged: ReadonlySet<Certificate>
}

/** All paths from the certificate to an anchor, the likeliest first. */
export function findPaths(certificate: Certificate, issuers: Issuers): FoundPaths {
  const keys = keysAmong(issuers)
  const search = new PathSearch(issuers, keys)
  for (const start of keys.keysOf(certificate)) search.extend([start])
  return search
}

/** The keys of certificates that leave their parameters to these issuers'. */
export const keysAmong = ({ anchors, named }: Issuers): InheritedParameters =>
  new InheritedParameters((key) => [...anchors.named(key), ...named(key)])

class PathSearch implements FoundPaths {
  readonly anchored: (readonly Certificate[])[] = []
  longest: readonly Certificate[] = []
  readonly forged = new Set<Certificate>()
  readonly #issuers: Issuers
  readonly #keys: InheritedParameters
  #attempts = 0

  constructor(issuers: Issuers, keys: InheritedParameters) {
    this.#issuers = issuers
    this.#keys = keys
  }

  extend(path: readonly Certificate[]): void {
    const top = path.at(-1)!
    if (this.#issuers.anchors.has(top)) {
      this.anchored.push(path)
      // Above an anchor that is only trusted at times there may be one that always is.
      if (!this.#issuers.anchors.isTimed(top)) return
    }
    if (path.length > this.longest.length || (path.length === this.longest.length && top.selfIssued))
      this.longest = path
    if (path.length >= MAX_PATH) return
    for (const issuer of this.#issuersOf(top)) {
      if (this.#attempts++ >= MAX_ATTEMPTS || this.anchored.length >= MAX_PATHS) return
      if (repeats(path, issuer)) continue
      if (!issuer.issued(top)) {
        if (claimsKeyOf(top, issuer)) this.forged.add(top)
      } else if (top.hasKeyUnder(issuer)) this.extend([...path, issuer])
    }
  }

  /** Anchors first; among the rest, those whose key identifier matches. */
  #issuersOf(certificate: Certificate): readonly Certificate[] {
    const { anchors } = this.#issuers
    const key = certificate.issuer.key
    const trusted = anchors.named(key)
    const known = this.#issuers.named(key).filter((candidate) => !anchors.has(candidate))
    const others = known.flatMap((candidate) => this.#keys.keysOf(candidate))
    if (others.length < 2) return [...trusted, ...others]
    return [...trusted, ...others.toSorted((a, b) => keyDistance(certificate, a) - keyDistance(certificate, b))]
  }
}

/** The same name with the same key again is a loop, whatever else differs. */
const repeats = (path: readonly Certificate[], issuer: Certificate): boolean =>
  path.some((member) => member.publicKeyInfo.equals(issuer.publicKeyInfo) && member.subject.equals(issuer.subject))

/** 0: the authority key identifier matches this key; 1: one of them is missing; 2: it differs. */
function keyDistance(certificate: Certificate, issuer: Certificate): 0 | 1 | 2 {
  const named = certificate.extensions.authorityKeyIdentifier
  const own = issuer.extensions.subjectKeyIdentifier
  if (!named || !own) return 1
  return named.equals(own) ? 0 : 2
}

/** A failed signature is a forgery only if the certificate names this very key, and the key is supported. */
const claimsKeyOf = (certificate: Certificate, issuer: Certificate): boolean =>
  keyDistance(certificate, issuer) === 0 && issuer.hasKnownKey && certificate.signatureAlgorithm !== undefined
