import { digestIdentifiers, signatureIdentifier } from '../../cms/algorithm-identifiers.ts'
import { attributeOids, contentTypes } from '../../cms/oids.ts'
import {
  contentTypeAttribute,
  messageDigestAttribute,
  policyAttribute,
  serialNumber,
  signingCertificateAttribute,
} from '../../cms/signed-attributes.ts'
import { signatureAlgorithmByName } from '../../crypto/algorithms.ts'
import { digest } from '../../crypto/digest.ts'
import { type Der, explicit, implicit, integer, octetString, oid, sequence, setOf } from '../../der/der-writer.ts'
import type { DigestSigner } from '../../keys/digest-signer.ts'
import { selectPolicy } from '../../policies/policies.ts'
import type { SignatureFormat } from '../../report/report.ts'

/** Signed attributes by what they are; undefined leaves one out, and the other way round any may be added. */
type Attributes = Readonly<Record<string, Der | undefined>>

/** What a crafted CMS has otherwise than a good one. */
export interface CmsDefect {
  readonly attributes?: (good: Attributes, signer: DigestSigner) => Attributes
  readonly unsigned?: readonly Der[]
  readonly digestIdentifier?: Der
  readonly digest?: 'sha256' | 'sha384'
  readonly signers?: number
  readonly content?: Uint8Array
  readonly withoutCertificates?: boolean
}

/** A CMS signature of AD-RB as another product could have made it: good but for its defect. */
export async function craftedCms(
  contentDigest: Buffer,
  signer: DigestSigner,
  format: Extract<SignatureFormat, 'CAdES' | 'PAdES'>,
  defect: CmsDefect = {},
): Promise<Buffer> {
  const info = await signerInfo(contentDigest, signer, format, defect)
  const certificates = [signer.certificate, ...signer.chain].map(({ der }) => der)
  return sequence(
    oid(contentTypes.signedData),
    explicit(
      0,
      sequence(
        integer(1),
        setOf(defect.digestIdentifier ?? digestIdentifiers[defect.digest ?? 'sha256']),
        sequence(oid(contentTypes.data), defect.content && explicit(0, octetString(defect.content))),
        defect.withoutCertificates ? undefined : implicit(0, setOf(...certificates)),
        setOf(...Array.from({ length: defect.signers ?? 1 }, () => info)),
      ),
    ),
  )
}

/** One SignerInfo: also a counter-signature is one. */
export async function signerInfo(
  contentDigest: Buffer,
  signer: DigestSigner,
  format: Extract<SignatureFormat, 'CAdES' | 'PAdES'>,
  { attributes = (good) => good, unsigned = [], digest: name = 'sha256' }: CmsDefect,
): Promise<Der> {
  const root = signer.chain.at(-1)
  const good: Attributes = {
    contentType: contentTypeAttribute,
    messageDigest: messageDigestAttribute(contentDigest),
    certificate: signingCertificateAttribute(signer.certificate, 'sha256'),
    policy: policyAttribute(selectPolicy({ format, name: 'AD-RB', root, now: new Date() })),
  }
  const signed = setOf(...Object.values(attributes(good, signer)).filter((one) => one !== undefined))
  const algorithm = signatureAlgorithmByName(`ECDSA-${name.toUpperCase()}`)
  const value = await signer.sign({ toSign: signed, digest: digest(name, signed), algorithm })
  return sequence(
    integer(1),
    sequence(signer.certificate.issuer.der, serialNumber(signer.certificate)),
    digestIdentifiers[name],
    implicit(0, signed),
    signatureIdentifier(algorithm),
    octetString(value),
    unsigned.length === 0 ? undefined : implicit(1, setOf(...unsigned)),
  )
}

export const attribute = (name: keyof typeof attributeOids, ...values: Der[]): Der =>
  sequence(oid(attributeOids[name]), setOf(...values))
