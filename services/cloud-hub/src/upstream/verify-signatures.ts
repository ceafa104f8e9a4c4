// The hub returns no signature that does not match its hash and its certificate: RAW is interpreted in more than one
// way (cloud-hub facts 1.6), and a wrong one would only show when the document is validated.
import { ecdsaToDer, isDigestSignedBy } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import { digestAlgorithms } from '../rules/digests.ts'
import { diagnoseSignature } from './diagnose-signature.ts'
import type { HeldCertificate, SigningOrder } from './provider.ts'
import { ProviderProblem } from './provider-problem.ts'

/** The signatures in the given order, if each matches its hash. */
export function verifiedSignatures(order: SigningOrder, signatures: readonly Uint8Array[]): readonly Uint8Array[] {
  const certificate = read(order.certificate)
  const { digest, values } = order.hashes
  const { engineName } = digestAlgorithms[digest]
  return values.map((hash, at) => {
    const signature = signatures[at]
    if (signature && isDigestSignedBy(certificate, engineName, hash, signature)) return inDer(certificate, signature)
    throw new ProviderProblem('signature-wrong', {
      found: signature ? diagnoseSignature(certificate, digest, hash, signature) : 'signature-missing',
    })
  })
}

/** The signatures in the order of the hashes, whatever order they came in: verification finds the match. */
export function matchedSignatures(order: SigningOrder, signatures: readonly Uint8Array[]): readonly Uint8Array[] {
  const certificate = read(order.certificate)
  const { digest, values } = order.hashes
  const { engineName } = digestAlgorithms[digest]
  const left = [...signatures]
  const matched = values.map((hash, at) => {
    // Usually in order: then each is verified once.
    const own = at < signatures.length ? left.indexOf(signatures[at]!) : -1
    const candidates = own < 0 ? left : [left[own]!, ...left.filter((_, index) => index !== own)]
    const found = candidates.find((signature) => isDigestSignedBy(certificate, engineName, hash, signature))
    if (found) left.splice(left.indexOf(found), 1)
    return found
  })
  return matched.map((signature, at) => {
    if (signature) return inDer(certificate, signature)
    const found = left[0] ? diagnoseSignature(certificate, digest, values[at]!, left[0]) : 'signature-missing'
    throw new ProviderProblem('signature-wrong', { found })
  })
}

/** CMS and clients want ECDSA in DER, while some providers answer r‖s. */
const inDer = (certificate: Certificate, signature: Uint8Array): Uint8Array =>
  certificate.publicKey.asymmetricKeyType === 'ec' ? ecdsaToDer(certificate.publicKey, signature) : signature

/** Those that are remembered with their sessions are read once. */
const certificates = new WeakMap<HeldCertificate, Certificate>()

function read(held: HeldCertificate): Certificate {
  const known = certificates.get(held)
  if (known) return known
  try {
    const certificate = Certificate.read(held.der)
    certificates.set(held, certificate)
    return certificate
  } catch (cause) {
    throw new ProviderProblem('garbage', { found: 'certificate-unreadable', cause })
  }
}
