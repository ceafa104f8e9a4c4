import { type DigestName, digestAlgorithms, type SignatureAlgorithm } from '../crypto/algorithms.ts'
import { type Der, nothing, oid, sequence } from '../der/der-writer.ts'

const digestNames = Object.keys(digestAlgorithms) as DigestName[]

// RFC 5754 §2 and DOC-ICP-15.03 annex 1 note 3: hash identifiers are written without parameters.
/** AlgorithmIdentifier of each hash. */
export const digestIdentifiers = Object.fromEntries(
  digestNames.map((name) => [name, sequence(oid(digestAlgorithms[name].oid))]),
) as Readonly<Record<DigestName, Der>>

// RFC 3370 §3.2 names RSA signatures in CMS by rsaEncryption, with the digest in a separate field. OpenSSL, DSS and
// Bouncy Castle write it, so every verifier supports it; sha256WithRSAEncryption is read, too.
const rsaEncryption = sequence(oid('1.2.840.113549.1.1.1'), nothing)

/** AlgorithmIdentifier of a new signature: RFC 5754 §3.3 for ECDSA and RFC 8419 §2.2 for Ed25519 leave the parameters out. */
export const signatureIdentifier = (algorithm: SignatureAlgorithm): Der =>
  algorithm.key === 'rsa' ? rsaEncryption : sequence(oid(algorithm.oid))
