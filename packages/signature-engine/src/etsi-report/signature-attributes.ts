import { placeLines } from '../report/claims.ts'
import type { SignatureReport, TimestampReport } from '../report/report.ts'
import { commitmentIdentifier, commitmentTypes } from '../signing/signer-claims.ts'
import { reference } from './validation-objects.ts'
import { element, leaf, parent, type Xml } from './xml-element.ts'

/** A timestamp, and the object that holds it; none for one that could not be read. */
export interface Stamp {
  readonly timestamp: TimestampReport
  readonly id: string | undefined
}

const signed = (name: string, ...children: (Xml | undefined | readonly Xml[])[]): Xml =>
  element(name, { Signed: 'true' }, ...children)

/** Signed and unsigned attributes that the report knows (TS 119 102-2 annex A). */
export function signatureAttributes(signature: SignatureReport, stamps: readonly Stamp[]): Xml | undefined {
  const found = [...ofSigner(signature), ...stamps.flatMap(stampOf)]
  return found.length === 0 ? undefined : parent('SignatureAttributes', found)
}

/** What the signer states. A document timestamp has a digest too, but nobody's statements. */
function ofSigner({ claimedTime, policy, kind, claims, format, values }: SignatureReport): Xml[] {
  if (kind === 'document-timestamp') return []
  const digest = hasMessageDigest.has(format) ? values?.contentDigest?.value : undefined
  const { mimeType, commitments = [], place, roles = [] } = claims ?? {}
  return [
    ...(claimedTime ? [signed('SigningTime', leaf('Time', claimedTime.toISOString()))] : []),
    ...(mimeType ? [signed('DataObjectFormat', leaf('MimeType', mimeType))] : []),
    ...commitments.map((one) => signed('CommitmentTypeIndication', leaf('CommitmentTypeIdentifier', uriOf(one)))),
    ...(policy ? [signed('SigPolicyIdentifier', leaf('SigPolicyId', `urn:oid:${policy.oid}`))] : []),
    ...(place
      ? [
          signed(
            'SignatureProductionPlace',
            placeLines(place).map((line) => leaf('AddressString', line)),
          ),
        ]
      : []),
    ...(roles.length > 0 ? [signed('SignerRole', roles.map(claimedRole))] : []),
    ...(digest ? [signed('MessageDigest', leaf('Digest', digest.toString('base64')))] : []),
  ]
}

/** Annex A.26: an attribute of CMS. */
const hasMessageDigest: ReadonlySet<string> = new Set(['CAdES', 'PAdES'])

/** Annex A.10: the engine reads no roles that others certify. */
const claimedRole = (role: string): Xml => parent('RoleDetails', leaf('Role', role), leaf('EndorsementType', 'claimed'))

/** Commitments of strangers are any text: what a URI has no place for is written as a URI has it. */
const uriOf = (commitment: string): string =>
  Object.hasOwn(commitmentTypes, commitment) || OBJECT_IDENTIFIER.test(commitment)
    ? commitmentIdentifier(commitment).uri
    : encodeURI(commitment.replace(/\p{Surrogate}/gu, '\ufffd'))

const OBJECT_IDENTIFIER = /^\d+(\.\d+)+$/

function stampOf({ timestamp: { kind, time }, id }: Stamp): Xml[] {
  if (!time || !id) return []
  const { name, isSigned } = stampNames[kind]
  const make = isSigned ? signed : parent
  return [make(name, reference('AttributeObject', id), leaf('TimeStampValue', time.toISOString()))]
}

const stampNames: Readonly<Record<TimestampReport['kind'], { readonly name: string; readonly isSigned?: true }>> = {
  content: { name: 'AllDataObjectsTimeStamp', isSigned: true },
  signature: { name: 'SignatureTimeStamp' },
  references: { name: 'SigAndRefsTimeStamp' },
  archive: { name: 'ArchiveTimeStamp' },
  document: { name: 'DocTimeStamp' },
}
