import type { Hash } from 'node:crypto'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest, startDigest } from '../crypto/digest.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { type Der, octetString, oid, sequence, tlv } from '../der/der-writer.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { digestIdentifiers } from './algorithm-identifiers.ts'
import { attributeOids } from './oids.ts'
import { type Attribute, attributesOf, type SignedData, type SignerInfo } from './signed-data.ts'

/** The input of a CAdES-C timestamp: signature value, then each attribute without SEQUENCE header (RFC 5126 §6.3.5). */
export function referencesImprint(signer: SignerInfo, name: DigestName): Buffer {
  const hash = startDigest(name).update(signer.signature)
  for (const type of [
    attributeOids.signatureTimestamp,
    attributeOids.certificateRefs,
    attributeOids.revocationRefs,
  ] as const) {
    for (const { raw } of attributesOf(signer.unsignedAttributes, type)) hash.update(readDer(raw).content)
  }
  return hash.digest()
}

/** The input of the older certs-CRLs timestamp: only the references (RFC 5126 §6.3.6). */
export function certificatesImprint(signer: SignerInfo, name: DigestName): Buffer {
  const hash = startDigest(name)
  for (const type of [attributeOids.certificateRefs, attributeOids.revocationRefs] as const) {
    for (const { raw } of attributesOf(signer.unsignedAttributes, type)) hash.update(readDer(raw).content)
  }
  return hash.digest()
}

/**
 * ats-hash-index-v3 (EN 319 122-1 §5.5.2): the digest of every certificate, every revocation value and every value of
 * every unsigned attribute, as they are now. Later additions are not in it, and need not be.
 */
export const hashIndex = (signedData: SignedData, signer: SignerInfo, name: DigestName): Der =>
  sequence(
    digestIdentifiers[name],
    listOf(signedData.certificateChoices.map((choice) => digest(name, choice))),
    listOf(signedData.revocationChoices.map((choice) => digest(name, choice))),
    listOf(signer.unsignedAttributes.flatMap((attribute) => attributeDigests(attribute, name))),
  )

const listOf = (digests: readonly Buffer[]): Der => sequence(...digests.map((value) => octetString(value)))

const attributeDigests = ({ oid: type, values }: Attribute, name: DigestName): Buffer[] =>
  values.map(({ raw }) => attributeValueDigest(type, raw, name))

/** Version 3 hashes type and value together (EN 319 122-1 §5.5.2). */
const attributeValueDigest = (type: string, value: Uint8Array, name: DigestName): Buffer =>
  startDigest(name).update(oid(type)).update(value).digest()

/** The imprint of archive-time-stamp-v3 (EN 319 122-1 §5.5.3); `contentDigest` is of the content, by the same algorithm. */
export const archiveImprintV3 = (
  signedData: SignedData,
  signer: SignerInfo,
  contentDigest: Uint8Array,
  index: Uint8Array,
  name: DigestName,
): Buffer =>
  startDigest(name)
    .update(oid(signedData.contentType))
    .update(contentDigest)
    .update(signer.signedPart)
    .update(index)
    .digest()

/** The index inside a version 3 token, checked against a signature. */
export interface VerifiedIndex {
  readonly index: Buffer
  /** Whether everything it lists still exists. */
  readonly complete: boolean
  /** Whether it lists this value of an unsigned attribute. */
  covers(type: string, value: Uint8Array): boolean
}

/** Reads the hash index from the token's own unsigned attributes and checks it; undefined without one. */
export function verifiedIndex(
  signedData: SignedData,
  signer: SignerInfo,
  tokenSigner: SignerInfo,
): VerifiedIndex | undefined {
  for (const [type, ofAttribute] of indexForms) {
    const [attribute] = attributesOf(tokenSigner.unsignedAttributes, type)
    const [value] = attribute?.values ?? []
    if (value) return held(signedData, signer, value, ofAttribute)
  }
  return undefined
}

type AttributeDigests = (attribute: Attribute, name: DigestName) => Buffer[]

/** Versions 1 and 2 hash whole attributes, version 3 each value. */
const indexForms: readonly [oid: string, AttributeDigests][] = [
  [attributeOids.archiveHashIndexV3, attributeDigests],
  [attributeOids.archiveHashIndexV2, ({ raw }, name) => [digest(name, raw)]],
  [attributeOids.archiveHashIndexV1, ({ raw }, name) => [digest(name, raw)]],
]

function held(
  signedData: SignedData,
  signer: SignerInfo,
  value: DerValue,
  ofAttribute: AttributeDigests,
): VerifiedIndex | undefined {
  const fields = value.sequence()
  const first = fields.next(tags.sequence)
  // Only version 1 may leave the algorithm out, which then is SHA-256: four members or three.
  const named = first.members()[0]?.tag === tags.oid
  const name = named ? readDigestIdentifier(first) : 'sha256'
  const certificates = named ? fields.next(tags.sequence) : first
  const revocation = fields.next(tags.sequence)
  const attributes = fields.next(tags.sequence)
  if (!name) return undefined
  const listed = digestsIn(attributes)
  const complete =
    isWithin(digestsIn(certificates), setOfDigests(signedData.certificateChoices, name)) &&
    isWithin(digestsIn(revocation), setOfDigests(signedData.revocationChoices, name)) &&
    isWithin(listed, new Set(signer.unsignedAttributes.flatMap((attribute) => ofAttribute(attribute, name)).map(hexOf)))
  return {
    index: value.raw,
    complete,
    covers: (type, bytes) =>
      listed.includes(hexOf(attributeValueDigest(type, bytes, name))) ||
      signer.unsignedAttributes.some(
        (attribute) =>
          attribute.oid === type &&
          attribute.values.some(({ raw }) => raw.equals(bytes)) &&
          ofAttribute(attribute, name).every((known) => listed.includes(hexOf(known))),
      ),
  }
}

const hexOf = (bytes: Buffer): string => bytes.toString('hex')
const digestsIn = (list: DerValue): string[] => list.members().map((member) => hexOf(member.octets()))
const setOfDigests = (choices: readonly Buffer[], name: DigestName) =>
  new Set(choices.map((choice) => hexOf(digest(name, choice))))
const isWithin = (listed: readonly string[], present: ReadonlySet<string>): boolean =>
  listed.every((value) => present.has(value))

/**
 * The imprints archive-time-stamp-v2 may have (TS 101 733 §6.4.1, annex K): everything of the SignedData that protects
 * the signature, with the attributes given. The tag and length of the unsigned attributes are in it since version 2.2.1
 * of the standard; old tokens left them out, and a verifier is told to try both.
 *
 * `start` has already taken the EncapsulatedContentInfo and, of a detached signature, the content behind it.
 */
export function archiveImprintsV2(
  signedData: SignedData,
  signer: SignerInfo,
  attributes: readonly Attribute[],
  start: Hash,
): readonly [current: Buffer, old: Buffer] {
  const hash = start.copy()
  const { certificateChoices, revocationChoices } = signedData
  if (certificateChoices.length > 0) hash.update(tlv(contextConstructed(0), ...certificateChoices))
  if (revocationChoices.length > 0) hash.update(tlv(contextConstructed(1), ...revocationChoices))
  hash.update(signer.signedPart)
  const raws = attributes.map(({ raw }) => raw)
  const old = hash.copy()
  for (const raw of raws) old.update(raw)
  return [hash.update(tlv(contextConstructed(1), ...raws)).digest(), old.digest()]
}

/** The start of an archive-time-stamp-v2 imprint when the content is in memory. */
export function archiveHashStart(
  signedData: SignedData,
  name: DigestName,
  detached: Uint8Array | undefined,
): Hash | undefined {
  if (signedData.content === null && !detached) return undefined
  const hash = startDigest(name).update(signedData.encapsulated)
  return signedData.content === null && detached ? hash.update(detached) : hash
}
