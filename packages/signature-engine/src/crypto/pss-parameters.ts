import { createPublicKey, type KeyObject } from 'node:crypto'
import { type DerValue, readDer } from '../der/der-value.ts'
import { bitString, type Der, explicit, integer, nothing, oid, sequence } from '../der/der-writer.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type DigestName, digestAlgorithms, digestByOid, pssAlgorithm, type SignatureAlgorithm } from './algorithms.ts'

const MGF1 = '1.2.840.113549.1.1.8'
const RSA_PSS = '1.2.840.113549.1.1.10'

/** trailerFieldBC, the only one there is (RFC 4055 §3.1). */
const TRAILER = 1

/**
 * The algorithm that RSASSA-PSS-params describe (RFC 4055 §3.1): what is left out is SHA-1, MGF1 with SHA-1, and a salt
 * of 20 bytes. Undefined where they cannot be read or name something the engine does not know.
 */
export function readPssParameters(parameters: DerValue): SignatureAlgorithm | undefined {
  try {
    const fields = parameters.sequence()
    const hash = fields.optional(contextConstructed(0))?.unwrap()
    const mask = fields.optional(contextConstructed(1))?.unwrap()
    const saltLength = fields.optional(contextConstructed(2))?.unwrap().smallInteger() ?? 20
    const trailer = fields.optional(contextConstructed(3))?.unwrap().smallInteger() ?? TRAILER
    fields.end()
    const digest = hash ? digestIn(hash) : 'sha1'
    const mgf = mask ? mgf1Digest(mask) : 'sha1'
    if (!digest || !mgf || trailer !== TRAILER || saltLength < 0 || saltLength > MAX_SALT) return undefined
    return pssAlgorithm(digest, { mgf, saltLength })
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

/** No modulus leaves room for more. */
const MAX_SALT = 2_048

/** RFC 4055 §2.1: parameters of a hash are NULL or absent. */
function digestIn(identifier: DerValue): DigestName | undefined {
  const fields = identifier.sequence()
  const name = fields.next().oid()
  const parameters = fields.optional(tags.null)
  fields.end()
  return parameters && parameters.content.length > 0 ? undefined : digestByOid(name)
}

function mgf1Digest(identifier: DerValue): DigestName | undefined {
  const fields = identifier.sequence()
  if (fields.next().oid() !== MGF1) return undefined
  const hash = fields.next(tags.sequence)
  fields.end()
  return digestIn(hash)
}

/** AlgorithmIdentifier of an RSA-PSS signature or key. RFC 4055 §2.1: a hash identifier here has NULL parameters. */
export function pssIdentifier({ digest, pss }: SignatureAlgorithm): Der {
  const hash = (name: DigestName) => sequence(oid(digestAlgorithms[name].oid), nothing)
  const { mgf, saltLength } = pss!
  return sequence(
    oid(RSA_PSS),
    // Defaults are left out, as DER requires.
    sequence(
      digest === 'sha1' ? undefined : explicit(0, hash(digest)),
      mgf === 'sha1' ? undefined : explicit(1, sequence(oid(MGF1), hash(mgf))),
      saltLength === 20 ? undefined : explicit(2, integer(saltLength)),
    ),
  )
}

/**
 * The key that verifies RSA-PSS with these parameters; undefined where the key forbids them (RFC 4055 §3.3: its hash and
 * mask are the only ones, its salt length is the least). node:crypto has no option for the mask's digest, but obeys a
 * key's parameters: where the digests differ, the key is given the signature's.
 */
export function pssKey(key: KeyObject, algorithm: SignatureAlgorithm): KeyObject | undefined {
  const { hashAlgorithm, mgf1HashAlgorithm, saltLength = 0 } = key.asymmetricKeyDetails ?? {}
  const { mgf, saltLength: salt } = algorithm.pss!
  if (hashAlgorithm !== undefined) {
    const isAllowed = hashAlgorithm === algorithm.digest && mgf1HashAlgorithm === mgf && salt >= saltLength
    return isAllowed ? key : undefined
  }
  return mgf === algorithm.digest ? key : withParameters(key, algorithm)
}

/** The only signature of a key with parameters, with the shortest salt it allows; undefined for any other key. */
export function pssOfKey(key: KeyObject): SignatureAlgorithm | undefined {
  const { hashAlgorithm, mgf1HashAlgorithm, saltLength = 0 } = key.asymmetricKeyDetails ?? {}
  const digest = digestNamed(hashAlgorithm)
  const mgf = digestNamed(mgf1HashAlgorithm)
  return digest && mgf ? pssAlgorithm(digest, { mgf, saltLength }) : undefined
}

const digestNamed = (name: string | undefined): DigestName | undefined =>
  name !== undefined && Object.hasOwn(digestAlgorithms, name) ? (name as DigestName) : undefined

/** Whether node:crypto makes this signature with the key: it takes the mask's digest from the key's parameters. */
export const mayMakePss = (key: KeyObject, algorithm: SignatureAlgorithm): boolean => pssKey(key, algorithm) === key

const restricted = new WeakMap<KeyObject, Map<string, KeyObject>>()

function withParameters(key: KeyObject, algorithm: SignatureAlgorithm): KeyObject {
  const known = restricted.get(key) ?? new Map<string, KeyObject>()
  restricted.set(key, known)
  const parameters = pssIdentifier(algorithm)
  const name = parameters.toString('latin1')
  const made = known.get(name) ?? createPublicKey({ key: rewrapped(key, parameters), format: 'der', type: 'spki' })
  if (known.size >= MAX_RESTRICTED) known.clear()
  known.set(name, made)
  return made
}

/** A signer uses one set of parameters; a forger may invent many. */
const MAX_RESTRICTED = 8

function rewrapped(key: KeyObject, parameters: Der): Buffer {
  const fields = readDer(key.export({ format: 'der', type: 'spki' })).sequence()
  fields.next(tags.sequence)
  return sequence(parameters, bitString(fields.next().bits()))
}
