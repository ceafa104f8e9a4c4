// Object identifiers of signature algorithms, by key type and digest.

import { type KeyObject, X509Certificate } from 'node:crypto'
import type { CscKnobs } from '../../contract/provider-knobs.ts'
import type { DigestName } from '../../rules/digests.ts'
import type { HeldCertificate } from '../provider.ts'

/** PKCS#1 v1.5 with any digest, which the request names separately. */
const PLAIN_RSA = '1.2.840.113549.1.1.1'

const withDigest: Readonly<Record<string, Readonly<Record<DigestName, string>>>> = {
  rsa: {
    'SHA-1': '1.2.840.113549.1.1.5',
    'SHA-256': '1.2.840.113549.1.1.11',
    'SHA-384': '1.2.840.113549.1.1.12',
    'SHA-512': '1.2.840.113549.1.1.13',
  },
  ec: {
    'SHA-1': '1.2.840.10045.4.1',
    'SHA-256': '1.2.840.10045.4.3.2',
    'SHA-384': '1.2.840.10045.4.3.3',
    'SHA-512': '1.2.840.10045.4.3.4',
  },
}

/** The preferred algorithm among those the credential allows; undefined when none fits. */
export function signAlgoFor(
  certificate: HeldCertificate,
  digest: DigestName,
  allowed: readonly string[],
  preference: CscKnobs['signAlgo'],
): string | undefined {
  const type = keyOf(certificate)?.asymmetricKeyType ?? ''
  const own = withDigest[type]?.[digest]
  if (own === undefined) return undefined
  const fitting = type === 'rsa' ? [own, PLAIN_RSA] : [own]
  if (preference === 'plain') fitting.reverse()
  // A server that lists none leaves the choice to the client.
  return allowed.length === 0 ? fitting[0] : fitting.find((each) => allowed.includes(each))
}

function keyOf({ der }: HeldCertificate): KeyObject | undefined {
  try {
    return new X509Certificate(der).publicKey
  } catch {
    return undefined
  }
}
