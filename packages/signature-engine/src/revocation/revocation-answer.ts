import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { RevocationList } from './crl.ts'
import type { OcspResponse } from './ocsp.ts'
import type { Revocation } from './revocation-reasons.ts'

/** The verified revocation status of one certificate. */
export interface RevocationAnswer {
  readonly source: 'crl' | 'ocsp'
  /** Its address; null when it was inside a signature. */
  readonly url: string | null
  /** The CRL or the OCSPResponse, in its original bytes. */
  readonly evidence: Uint8Array
  readonly thisUpdate: Date
  readonly nextUpdate: Date | null
  /** Null: not revoked when the answer was made. */
  readonly revocation: Revocation | null
  /** Certificates that expired since then are still listed; null: absence of an expired one means nothing. */
  readonly remembersExpiredSince: Date | null
  /** The delegated OCSP signer; null when the issuer answered itself. */
  readonly responder: Certificate | null
}

/** An answer, or in one English sentence why there is none. */
export type Consulted = { readonly answer: RevocationAnswer } | { readonly problem: string }

/** The list's answer for the certificate. */
export function consultList(
  list: RevocationList,
  certificate: Certificate,
  issuer: Certificate,
  url: string | null,
): Consulted {
  if (!list.isFrom(issuer)) return { problem: 'The list was not signed by the issuer of the certificate.' }
  return answered(() => {
    const revocation = list.revocationOf(certificate) ?? null
    if (!revocation && !list.covers(certificate)) return { problem: 'The list is not about certificates of this kind.' }
    const { der: evidence, thisUpdate, nextUpdate, keepsExpiredSince: remembersExpiredSince } = list
    return {
      answer: {
        source: 'crl',
        url,
        evidence,
        thisUpdate,
        nextUpdate,
        revocation,
        remembersExpiredSince,
        responder: null,
      },
    }
  })
}

/** The OCSP response's answer for the certificate. */
export function consultResponse(
  response: OcspResponse,
  certificate: Certificate,
  issuer: Certificate,
  url: string | null,
): Consulted {
  const status = response.statusOf(certificate, issuer)
  if (!status) return { problem: 'The OCSP answer is about other certificates.' }
  const signer = response.signerFor(issuer)
  if (!signer) return { problem: 'The OCSP answer was not signed by anyone who may answer for the issuer.' }
  if (!signer.validAt(response.producedAt)) return { problem: 'The OCSP signer was not valid when it answered.' }
  if (status.state === 'unknown') return { problem: 'The OCSP responder does not know the certificate.' }
  return {
    answer: {
      source: 'ocsp',
      url,
      evidence: response.der,
      thisUpdate: status.thisUpdate,
      nextUpdate: status.nextUpdate,
      revocation: status.revocation,
      remembersExpiredSince: status.archiveCutoff,
      responder: signer === issuer ? null : signer,
    },
  }
}

/** How long an answer without nextUpdate is current: newer ones may be issued at any time. */
const UNLIMITED_ANSWER_MS = 24 * 60 * 60 * 1000

/** Until when the answer is current. */
export const holdsUntil = ({ thisUpdate, nextUpdate }: RevocationAnswer): Date =>
  nextUpdate ?? new Date(thisUpdate.getTime() + UNLIMITED_ANSWER_MS)

/** How far clocks may differ. */
const CLOCK_SKEW_MS = 5 * 60 * 1000

/** An answer from the future is a wrong clock or a wrong answer. */
export const isFromFuture = ({ thisUpdate }: RevocationAnswer, now: Date): boolean =>
  thisUpdate.getTime() > now.getTime() + CLOCK_SKEW_MS

/** A refusal becomes a problem: one unreadable answer must not hide the next one. */
function answered(read: () => Consulted): Consulted {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { problem: error.message }
  }
}
