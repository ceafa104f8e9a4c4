import { type DerValue, readDer } from '../der/der-value.ts'
import { type Der, sequence } from '../der/der-writer.ts'
import { tags } from '../der/tags.ts'

// The parameters p, q and g of a DSA key, which a certificate may leave to its issuer's key (RFC 3279 §2.3.2).

const ID_DSA = '1.2.840.10040.4.1'

type Parameters = Der | 'left-out' | undefined

/** Undefined for another kind of key. RFC 5280 §6.1.4 e: NULL means the same as leaving them out. */
function parametersOf(publicKeyInfo: DerValue): Parameters {
  const algorithm = publicKeyInfo.sequence().next(tags.sequence).sequence()
  if (algorithm.next().oid() !== ID_DSA) return undefined
  return algorithm.optional(tags.sequence)?.raw ?? 'left-out'
}

/** Whether this SubjectPublicKeyInfo is a DSA key without parameters. */
export const leavesDsaParametersOut = (publicKeyInfo: DerValue): boolean => parametersOf(publicKeyInfo) === 'left-out'

/** The parameters in this SubjectPublicKeyInfo; undefined where it has none, or is no DSA key. */
export function dsaParameters(publicKeyInfo: Uint8Array): Der | undefined {
  const parameters = parametersOf(readDer(publicKeyInfo))
  return parameters === 'left-out' ? undefined : parameters
}

/** The same key with these parameters. */
export function withDsaParameters(publicKeyInfo: DerValue, parameters: Der): DerValue {
  const fields = publicKeyInfo.sequence()
  const [identifier] = fields.next(tags.sequence).members()
  return readDer(sequence(sequence(identifier!.raw, parameters), fields.next().raw))
}
