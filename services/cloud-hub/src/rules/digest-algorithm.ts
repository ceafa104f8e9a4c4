import { invalidField } from '@chancela/service-kernel/errors'
import type { CloudHubSettings } from '../settings.ts'
import { type DigestName, digestAlgorithms } from './digests.ts'
import { refuse } from './refuse.ts'

const names = Object.keys(digestAlgorithms) as readonly DigestName[]
const byOid = new Map(names.map((name) => [digestAlgorithms[name].oid, name]))
const bySpelling = new Map(names.map((name) => [spelling(name), name]))

/** Normalizes the spelling: `sha-256`, `SHA256` and `SHA-256` are one name. */
function spelling(name: string): string {
  return name.toUpperCase().replace(/^SHA-/, 'SHA')
}

/** How a request names its algorithm. */
export interface NamedDigest {
  readonly digestAlgorithmOid?: string | undefined
  readonly digestAlgorithm?: string | undefined
}

/** The algorithm a request names; the OID wins, even over a name that is wrong. */
export function readDigestAlgorithm(
  { digestAlgorithmOid: oid, digestAlgorithm: name }: NamedDigest,
  { AllowSha1 }: Pick<CloudHubSettings['Signing'], 'AllowSha1'>,
): DigestName {
  if (oid === undefined && name === undefined) throw refuse('DigestAlgorithmNameOrOidIsRequired')
  const found = oid === undefined ? bySpelling.get(spelling(name!.trim())) : byOid.get(oid.trim())
  if (!found || (found === 'SHA-1' && !AllowSha1)) throw refuse('InvalidDigestAlgorithm')
  return found
}

/** Standard base64, with or without its padding. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The bytes of a hash; refuses, under the name of its field, what has the wrong length for the algorithm. */
export function readHash(text: string, digest: DigestName, field = 'hash'): Buffer {
  if (!BASE64.test(text)) throw invalidField(field, 'must be base64.')
  const hash = Buffer.from(text, 'base64')
  const { bytes } = digestAlgorithms[digest]
  if (hash.length !== bytes) throw invalidField(field, `must have ${bytes} bytes, as ${digest} has.`)
  return hash
}
