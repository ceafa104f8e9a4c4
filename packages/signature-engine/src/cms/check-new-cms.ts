import type { DigestName } from '../crypto/algorithms.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { readDer } from '../der/der-value.ts'
import { type Finding, finding } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type CmsSigner, completeCms, contentDigestName, prepareCms } from './cms-template.ts'
import { readSignedData } from './signed-data.ts'
import { checkSigner } from './signer-checks.ts'

/** The expected signature in a CMS. */
interface ExpectedCms extends Omit<CmsSigner, 'counterSignature'> {
  /** Digest of the expected content. */
  readonly contentDigest: (name: DigestName) => Buffer
  /** The content inside the signature; default: detached. */
  readonly content?: Uint8Array
}

/**
 * The findings on a CMS that was just made; none when it is right: every byte of it is as expected of this signer's
 * signature over this content, including attributes, issuers and parameters that no signature covers, and the signature
 * value is of the certificate's key. Comparing costs a fifth of parsing; where something differs, it is parsed as by a
 * third party, to say what.
 */
export function checkNewCms(cms: Uint8Array, expected: ExpectedCms): readonly Finding[] {
  const contentDigest = expected.contentDigest(contentDigestName(expected))
  const prepared = prepareCms({ ...expected, contentDigest })
  const signature = signatureIn(cms)
  const isSame = completeCms(prepared, signature, expected.content).equals(cms)
  if (isSame && isSignedBy(expected.certificate.publicKey, prepared.algorithm, prepared.toSign, signature)) return []
  return differences(cms, expected.certificate, contentDigest)
}

/** The signature value: the end of a SignedData with one basic signature; empty where something else is there. */
function signatureIn(cms: Uint8Array): Buffer {
  const [, content] = readDer(cms).sequence().rest()
  const signers = content?.unwrap().sequence().rest().at(-1)
  return signers?.members()[0]?.sequence().rest().at(-1)?.octets() ?? Buffer.alloc(0)
}

function differences(cms: Uint8Array, wanted: Certificate, contentDigest: Buffer): readonly Finding[] {
  const { signers, contentType, certificates } = readSignedData(cms)
  if (!signers[0]) return [finding('no-signature')]
  const { certificate, findings } = checkSigner(signers[0], {
    contentType,
    contentDigest: () => contentDigest,
    certificates,
  })
  if (findings.length > 0) return findings
  if (!certificate?.der.equals(wanted.der)) return [finding('signing-certificate-mismatch')]
  return [finding('structure-malformed', { reason: 'it is not what was to be written' })]
}
