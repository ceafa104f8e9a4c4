import { type Der, explicit, implicit, integer, oid, sequence, setOf, tlv } from '../der/der-writer.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { attributeOids, contentTypes, OCSP_RESPONSE_FORMAT } from './oids.ts'
import { attribute } from './signed-attributes.ts'
import { readSignedData, type SignedData, type SignerInfo, signerAt } from './signed-data.ts'

/** What may change in a SignedData without affecting a signature. */
export interface Rewrite {
  /** SignerInfos in their new order of appearance; default: unchanged. */
  readonly signers?: readonly Uint8Array[]
  /** CertificateChoices to add, unless present. */
  readonly addCertificates?: readonly Uint8Array[]
  /** RevocationInfoChoices to add, unless present. */
  readonly addRevocation?: readonly Uint8Array[]
  /** AlgorithmIdentifiers to add, unless present. */
  readonly addDigests?: readonly Uint8Array[]
}

/** The SignedData with these changes; everything else, especially SignerInfos, keeps its bytes. */
export function rewriteSignedData(signedData: SignedData, rewrite: Rewrite): Buffer {
  const certificates = extended(signedData.certificateChoices, rewrite.addCertificates)
  const revocation = extended(signedData.revocationChoices, rewrite.addRevocation)
  const signers = rewrite.signers ?? signedData.signers.map(({ raw }) => raw)
  return sequence(
    oid(contentTypes.signedData),
    explicit(
      0,
      sequence(
        integer(versionOf(signedData, certificates, revocation)),
        tlv(tags.set, ...extended(signedData.digestAlgorithms, newAlgorithms(signedData, rewrite.addDigests))),
        signedData.encapsulated,
        certificates.length > 0 ? tlv(contextConstructed(0), ...certificates) : undefined,
        revocation.length > 0 ? tlv(contextConstructed(1), ...revocation) : undefined,
        setOf(...signers.map((signer) => Buffer.from(signer))),
      ),
    ),
  )
}

/** The SignerInfo with further unsigned attributes at the end; existing ones keep their bytes. */
export function withUnsignedAttributes(signer: SignerInfo, ...attributes: readonly Der[]): Buffer {
  return tlv(
    tags.sequence,
    signer.signedPart,
    unsignedAttributesBlock([...signer.unsignedAttributes.map(({ raw }) => raw), ...attributes]),
  )
}

/** UnsignedAttributes as a SignerInfo stores them: `[1]` over a SET OF. */
const unsignedAttributesBlock = (attributes: readonly Buffer[]): Der => implicit(1, setOf(...attributes))

/** Adds a signature timestamp (EN 319 122-1 §5.3) to one signer of a CMS. */
export function withSignatureTimestamp(cms: Uint8Array, token: Uint8Array, signerIndex = 0): Buffer {
  const stamped = attribute(attributeOids.signatureTimestamp, Buffer.from(token))
  return withAttributes(readSignedData(cms), signerIndex, stamped)
}

/** Adds unsigned attributes to one signer. */
export function withAttributes(signedData: SignedData, signerIndex: number, ...attributes: readonly Der[]): Buffer {
  const changed = withUnsignedAttributes(signerAt(signedData, signerIndex), ...attributes)
  return rewriteSignedData(signedData, { signers: replacing(signedData, signerIndex, changed) })
}

/** The SignerInfos with one of them replaced. */
export const replacing = (signedData: SignedData, index: number, changed: Uint8Array): Uint8Array[] =>
  signedData.signers.map(({ raw }, at) => (at === index ? changed : raw))

/** The signature value of one signer: the input of a signature timestamp. */
export const signatureValueOf = (cms: Uint8Array, signerIndex = 0): Buffer =>
  signerAt(readSignedData(cms), signerIndex).signature

/** An OCSP response as RevocationInfoChoice (RFC 5940 §2.1). */
export const ocspChoice = (response: Uint8Array): Der => tlv(contextConstructed(1), oid(OCSP_RESPONSE_FORMAT), response)

/** RFC 5652 §5.1: 5 with revocation data of another format, 3 with contents or signers that version 1 did not have. */
function versionOf(
  { contentType, signers }: SignedData,
  certificates: readonly Uint8Array[],
  revocation: readonly Uint8Array[],
): number {
  const isOther = (choice: Uint8Array) => choice[0] === contextConstructed(1)
  if (revocation.some(isOther) || certificates.some((choice) => choice[0] === contextConstructed(3))) return 5
  if (certificates.some((choice) => choice[0] === contextConstructed(2))) return 4
  if (contentType !== contentTypes.data || signers.some((signer) => signer.version === 3)) return 3
  return certificates.some(isOther) ? 3 : 1
}

// A set without new members keeps its bytes, even if another program left it unsorted: archive timestamps of version 2
// cover certificates and revocation data as they are.
function extended(present: readonly Buffer[], added: readonly Uint8Array[] = []): readonly Buffer[] {
  const all = [...present]
  for (const choice of added) if (!all.some((known) => known.equals(choice))) all.push(Buffer.from(choice))
  return all.length === present.length ? present : all.toSorted(Buffer.compare)
}

// With and without NULL parameters it is the same algorithm.
const newAlgorithms = ({ digestAlgorithms }: SignedData, added: readonly Uint8Array[] = []): readonly Uint8Array[] =>
  added.filter((identifier) => !digestAlgorithms.some((known) => known.includes(Buffer.from(identifier.subarray(2)))))
