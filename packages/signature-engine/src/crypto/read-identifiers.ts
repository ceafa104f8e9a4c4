import type { DerValue } from '../der/der-value.ts'
import { tags } from '../der/tags.ts'
import {
  type DigestName,
  digestAlgorithms,
  digestByOid,
  isRsaPss,
  type SignatureAlgorithm,
  signatureAlgorithmByOid,
} from './algorithms.ts'
import { readPssParameters } from './pss-parameters.ts'

/** SHAKE256 whose length is a parameter (RFC 8419 §2.3). */
export const SHAKE256_LENGTH = '2.16.840.1.101.3.4.2.18'

/** The digest of an AlgorithmIdentifier; undefined for an unknown one. */
export function readDigestIdentifier(identifier: DerValue): DigestName | undefined {
  const fields = identifier.sequence()
  const oid = fields.next().oid()
  if (oid !== SHAKE256_LENGTH) return digestByOid(oid)
  const bits = fields.optional(tags.integer)?.smallInteger()
  return bits === digestAlgorithms.shake256.bytes * 8 ? 'shake256' : undefined
}

/**
 * The algorithm of an AlgorithmIdentifier; `digest` decides where it names the key alone. RSA-PSS is what its parameters
 * say, and nothing without them (RFC 4055 §3.1: a signature has them).
 */
export function readSignatureIdentifier(identifier: DerValue, digest?: DigestName): SignatureAlgorithm | undefined {
  const fields = identifier.sequence()
  const oid = fields.next().oid()
  if (!isRsaPss(oid)) return signatureAlgorithmByOid(oid, digest)
  const [parameters, ...others] = fields.rest()
  return parameters?.tag === tags.sequence && others.length === 0 ? readPssParameters(parameters) : undefined
}
