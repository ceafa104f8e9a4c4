import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { RevocationList } from './crl.ts'
import { answersOf, type ProvenList } from './list-status.ts'
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
  /** False: lists of some reasons only, which tell a revocation, but not that there is none. */
  readonly everyReason: boolean
  /** Certificates that expired since then are still listed; null: absence of an expired one means nothing. */
  readonly remembersExpiredSince: Date | null
  /** The delegated OCSP signer; null when the issuer answered itself. */
  readonly responder: Certificate | null
  /** What the answer needs besides: further lists (of other reasons, with changes), and what proves their signers. */
  readonly supplements: Supplements
}

/** Evidence beside evidence. */
export interface Supplements {
  readonly certificates: readonly Certificate[]
  readonly crls: readonly Uint8Array[]
  readonly ocsps: readonly Uint8Array[]
}

export const noSupplements: Supplements = { certificates: [], crls: [], ocsps: [] }

/** An answer, or in one English sentence why there is none. */
export type Consulted = { readonly answer: RevocationAnswer } | { readonly problem: string }

/** What proves that an authority signed a list: the signer, and what proves the signer. */
export type ListProof = Pick<ProvenList, 'signer' | 'supplements'>

/** Proves lists of other signers than the issuer of the certificate; undefined when it cannot. */
export type ListProver = (list: RevocationList) => Promise<ListProof | undefined>

/** The list with the proof of who signed it: the issuer, or whom the prover knows. */
export async function proveList(
  list: RevocationList,
  certificate: Certificate,
  issuer: Certificate,
  prover: ListProver | undefined,
): Promise<ListProof | undefined> {
  if (list.isFrom(issuer)) return { signer: issuer, supplements: noSupplements }
  return list.isAbout(certificate) ? prover?.(list) : undefined
}

/** The answers of proven lists; one that cannot be read says nothing. */
export function consultLists(lists: readonly ProvenList[], certificate: Certificate): RevocationAnswer[] {
  try {
    return answersOf(lists, certificate)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return lists.length > 1 ? lists.flatMap((list) => consultLists([list], certificate)) : []
  }
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
      everyReason: true,
      supplements: noSupplements,
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
export const isFromFuture = ({ thisUpdate }: Pick<RevocationAnswer, 'thisUpdate'>, now: Date): boolean =>
  thisUpdate.getTime() > now.getTime() + CLOCK_SKEW_MS
