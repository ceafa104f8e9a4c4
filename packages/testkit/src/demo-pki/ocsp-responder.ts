// The OCSP responder of RFC 6960: one signer for each authority that answers OCSP.
import { createHash, timingSafeEqual } from 'node:crypto'
import { HOUR, plus } from '@chancela/service-kernel/clock'
import {
  bitString,
  type Der,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  nothing,
  octetString,
  oid,
  readDer,
  sequence,
} from '@chancela/signature-engine/der'
import { type CertID, id_pkix_ocsp_nonce, OCSPRequest } from '@peculiar/asn1-ocsp'
import { AsnConvert } from '@peculiar/asn1-schema'
import { type IssuedCertificate, serialOf, subjectOf } from './certificate.ts'
import type { Revocation } from './crl.ts'
import { authorities, revocationReasons, services } from './declaration.ts'
import type { DemoPki } from './demo-pki.ts'
import { extension, keyIdentifier } from './extensions.ts'
import type { Flaw } from './faults.ts'
import { publicKeyBits, publicKeyInfo, signatureAlgorithm, signatureOver } from './keys.ts'

const failures = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const

/** Validity of an answer. */
export const OCSP_ANSWER_HOURS = 1
/** How old a stale answer is. */
const STALE_HOURS = 48
/** RFC 9654 §2.1. */
const LONGEST_NONCE = 128

const hashAlgorithms: Record<string, string> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** The DER answer to a DER request; a request that cannot be answered gets one of the protocol's error statuses. */
export async function answerOcsp(pki: DemoPki, request: Uint8Array, flaw?: Flaw): Promise<Der> {
  if (flaw === 'try-later') return failure('tryLater')
  const asked = readRequest(request)
  if (!asked) return failure('malformedRequest')
  const authority = pki.authorities().find((candidate) => isIssuerOfAll(candidate, asked.certificates))
  const signer = authority && signerFor(pki, authority)
  if (!authority || !signer) return failure('unauthorized')
  return success(await signedAnswer(pki, authority, signer, asked, flaw))
}

interface OcspQuestion {
  readonly certificates: readonly CertID[]
  /** The extension's original value: it is echoed, not parsed. */
  readonly nonce: Buffer | undefined
}

function readRequest(request: Uint8Array): OcspQuestion | undefined {
  try {
    readDer(request)
    const { tbsRequest } = AsnConvert.parse(request, OCSPRequest)
    const nonce = tbsRequest.requestExtensions?.find(({ extnID }) => extnID === id_pkix_ocsp_nonce)
    if (tbsRequest.requestList.length === 0 || (nonce && !isGoodNonce(nonce.extnValue.byteLength))) return undefined
    return {
      certificates: tbsRequest.requestList.map(({ reqCert }) => reqCert),
      nonce: nonce && Buffer.from(nonce.extnValue.buffer),
    }
  } catch {
    return undefined // any parse error is malformedRequest
  }
}

/** The value is itself an OCTET STRING: two or three bytes of header before the nonce itself. */
const isGoodNonce = (length: number): boolean => length > 2 && length <= LONGEST_NONCE + 3

function isIssuerOfAll(authority: IssuedCertificate, ids: readonly CertID[]): boolean {
  return ids.every(({ hashAlgorithm, issuerNameHash, issuerKeyHash }) => {
    const hash = hashAlgorithms[hashAlgorithm.algorithm]
    return (
      hash !== undefined &&
      sameBytes(hashed(hash, subjectOf(authority)), issuerNameHash.buffer) &&
      sameBytes(hashed(hash, publicKeyBits(publicKeyInfo(authority.key))), issuerKeyHash.buffer)
    )
  })
}

const hashed = (algorithm: string, bytes: Uint8Array): Buffer => createHash(algorithm).update(bytes).digest()

const sameBytes = (one: Buffer, other: ArrayBuffer): boolean =>
  one.length === other.byteLength && timingSafeEqual(one, Buffer.from(other))

function signerFor(pki: DemoPki, authority: IssuedCertificate): IssuedCertificate | undefined {
  const signer = Object.entries(services).find(
    ([, { issuer, usage }]) => usage === 'ocspSigning' && issuer === authority.label,
  )
  return signer && authorities[authority.label]?.ocsp && pki.certificate(signer[0])
}

/** BasicOCSPResponse, with the delegated signer's certificate. */
async function signedAnswer(
  pki: DemoPki,
  authority: IssuedCertificate,
  signer: IssuedCertificate,
  { certificates, nonce }: OcspQuestion,
  flaw: Flaw | undefined,
): Promise<Der> {
  const producedAt = plus(pki.clock(), flaw === 'stale' ? -STALE_HOURS * HOUR : 0)
  const responseData = sequence(
    explicit(2, octetString(keyIdentifier(publicKeyInfo(signer.key)))),
    generalizedTime(producedAt),
    sequence(...certificates.map((id) => singleResponse(id, statusOf(pki, authority, id), producedAt))),
    nonce && explicit(1, sequence(nonceExtension(nonce, flaw === 'wrong-nonce'))),
  )
  const signature = await signatureOver(responseData, signer.key, flaw === 'wrong-signature')
  return sequence(responseData, signatureAlgorithm(signer.key), bitString(signature), explicit(0, sequence(signer.der)))
}

const singleResponse = (id: CertID, status: Der, at: Date): Der =>
  sequence(
    Buffer.from(AsnConvert.serialize(id)),
    status,
    generalizedTime(at),
    explicit(0, generalizedTime(plus(at, OCSP_ANSWER_HOURS * HOUR))),
  )

/** Good and revoked apply to certificates of this authority; any other number is unknown. */
function statusOf(pki: DemoPki, authority: IssuedCertificate, { serialNumber }: CertID): Der {
  const certificate = pki
    .certificates()
    .find((issued) => issued.issuer === authority.label && sameSerial(issued, serialNumber))
  if (!certificate) return implicit(2, nothing)
  const revocation = pki.revocationOf(certificate)
  return revocation ? revokedInfo(revocation) : implicit(0, nothing)
}

const sameSerial = (certificate: IssuedCertificate, serial: ArrayBuffer): boolean =>
  serialOf(certificate).equals(Buffer.from(serial))

const revokedInfo = ({ at, reason }: Revocation): Der =>
  implicit(
    1,
    sequence(
      generalizedTime(at),
      reason === 'unspecified' ? undefined : explicit(0, enumerated(revocationReasons[reason])),
    ),
  )

function nonceExtension(value: Buffer, wrong: boolean): Der {
  const echoed = Buffer.from(value)
  if (wrong) echoed[echoed.length - 1]! ^= 1
  return extension(id_pkix_ocsp_nonce, echoed)
}

const success = (basicResponse: Der): Der =>
  sequence(enumerated(0), explicit(0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basicResponse))))

const failure = (status: keyof typeof failures): Der => sequence(enumerated(failures[status]))
