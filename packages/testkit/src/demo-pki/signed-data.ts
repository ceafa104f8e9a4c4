// CMS SignedData of RFC 5652, in the two forms the demo PKI needs.
import { createHash } from 'node:crypto'
import {
  type Der,
  explicit,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
} from '@chancela/signature-engine/der'
import { type IssuedCertificate, issuerOf, serialOf } from './certificate.ts'
import { hashOf, signatureAlgorithm, signatureOver } from './keys.ts'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
export const DATA = '1.2.840.113549.1.7.1'

// RFC 5754 §2: the identifiers of the SHA-2 family are written without parameters.
const digestAlgorithms = {
  sha256: sequence(oid('2.16.840.1.101.3.4.2.1')),
  sha384: sequence(oid('2.16.840.1.101.3.4.2.2')),
  sha512: sequence(oid('2.16.840.1.101.3.4.2.3')),
} as const

/** Only certificates: the `.p7b` that authorities publish. */
export const certificateBundle = (certificates: readonly Der[]): Der =>
  signedData(1, setOf(), sequence(oid(DATA)), certificates, setOf())

export interface SignedContent {
  /** OID of the content. */
  readonly type: string
  readonly content: Der
  readonly signer: IssuedCertificate
  /** Certificates to include; none if the client has them. */
  readonly certificates: readonly IssuedCertificate[]
  readonly wrongSignature: boolean
}

/** Content with one signature over the attributes that RFC 5652 and RFC 5035 require. */
export async function signContent({
  type,
  content,
  signer,
  certificates,
  wrongSignature,
}: SignedContent): Promise<Der> {
  const hash = hashOf(signer.key)
  const attributes = setOf(
    attribute('1.2.840.113549.1.9.3', oid(type)),
    attribute('1.2.840.113549.1.9.4', octetString(createHash(hash).update(content).digest())),
    attribute('1.2.840.113549.1.9.16.2.47', signingCertificateV2(signer)),
  )
  const signerInfo = sequence(
    integer(1),
    sequence(issuerOf(signer), integer(serialOf(signer))),
    digestAlgorithms[hash],
    // RFC 5652 §5.4: the signature covers the attributes as SET OF; the message stores them under [0].
    implicit(0, attributes),
    signatureAlgorithm(signer.key),
    octetString(await signatureOver(attributes, signer.key, wrongSignature)),
  )
  return signedData(
    3,
    setOf(digestAlgorithms[hash]),
    sequence(oid(type), explicit(0, octetString(content))),
    certificates.map(({ der }) => der),
    setOf(signerInfo),
  )
}

/** SignedData in its ContentInfo; each part is encoded already. */
export const signedData = (
  version: number,
  digests: Der,
  content: Der,
  certificates: readonly Der[],
  signers: Der,
): Der =>
  sequence(
    oid(SIGNED_DATA),
    explicit(
      0,
      sequence(
        integer(version),
        digests,
        content,
        certificates.length > 0 ? implicit(0, setOf(...certificates)) : undefined,
        signers,
      ),
    ),
  )

export const attribute = (type: string, value: Der): Der => sequence(oid(type), setOf(value))

/** RFC 5035 §3: binds the signature to this very certificate. SHA-256 is the default, so it is omitted. */
export const signingCertificateV2 = (signer: IssuedCertificate): Der => {
  const certHash = octetString(createHash('sha256').update(signer.der).digest())
  const issuerSerial = sequence(sequence(explicit(4, issuerOf(signer))), integer(serialOf(signer)))
  return sequence(sequence(sequence(certHash, issuerSerial)))
}
