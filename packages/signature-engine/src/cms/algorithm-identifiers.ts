import { type DigestName, digestAlgorithms, type SignatureAlgorithm } from '../crypto/algorithms.ts'
import { pssIdentifier } from '../crypto/pss-parameters.ts'
import { SHAKE256_LENGTH } from '../crypto/read-identifiers.ts'
import { type Der, integer, nothing, oid, sequence } from '../der/der-writer.ts'

const digestNames = Object.keys(digestAlgorithms) as DigestName[]

// RFC 5754 §2 and DOC-ICP-15.03 annex 1 note 3: hash identifiers are written without parameters. RFC 8419 §3.1: the one
// that goes with Ed448 says how long it is.
const digestIdentifier = (name: DigestName): Der =>
  name === 'shake256'
    ? sequence(oid(SHAKE256_LENGTH), integer(digestAlgorithms.shake256.bytes * 8))
    : sequence(oid(digestAlgorithms[name].oid))

/** AlgorithmIdentifier of each hash. */
export const digestIdentifiers = Object.fromEntries(
  digestNames.map((name) => [name, digestIdentifier(name)]),
) as Readonly<Record<DigestName, Der>>

// RFC 3370 §3.2 names RSA signatures in CMS by rsaEncryption, with the digest in a separate field. OpenSSL, DSS and
// Bouncy Castle write it, so every verifier supports it; sha256WithRSAEncryption is read, too.
const rsaEncryption = sequence(oid('1.2.840.113549.1.1.1'), nothing)

/** AlgorithmIdentifier of a new signature: RFC 5754 §3.3 for ECDSA and RFC 8419 §2.2 for EdDSA leave the parameters out. */
export function signatureIdentifier(algorithm: SignatureAlgorithm): Der {
  if (algorithm.pss) return pssIdentifier(algorithm)
  return algorithm.key === 'rsa' ? rsaEncryption : sequence(oid(algorithm.oid))
}
