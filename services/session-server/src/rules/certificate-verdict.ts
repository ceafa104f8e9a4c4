// The trust status of a certificate (spec 1 A): ACTIVE, EXPIRED, REVOKED, UNTRUSTED or STALE.
import type { Bilingual } from '@chancela/service-kernel/i18n'
import {
  type CertificateReason,
  type CertificateReasonCode,
  type CertificateVerdict,
  reasonText,
} from '@chancela/signature-engine/judgement'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { CertificateStatus } from '../contract/common.ts'
import type { VerdictFinding } from '../contract/verdict-findings.ts'
import type { CertificateRow } from '../store/tables.ts'

/** Result of one validation. */
export type Judgement =
  | { readonly kind: 'good' }
  | ({ readonly kind: 'bad'; readonly status: 'EXPIRED' | 'REVOKED' | 'UNTRUSTED' } & Told)
  /** No check failed, but its revocation status is unknown. */
  | ({ readonly kind: 'unknown' } & Told)

interface Told {
  readonly reason: Bilingual
  readonly finding: CertificateFinding
}

/** A reason as data, and whose certificate it is about. */
export interface CertificateFinding {
  readonly code: VerdictFinding
  readonly whose: 'holder' | 'issuer'
  readonly issuer: string | null
}

export const ofHolder = (code: CertificateFinding['code']): CertificateFinding => ({
  code,
  whose: 'holder',
  issuer: null,
})

type Meaning = Exclude<CertificateStatus, 'ACTIVE' | 'STALE'> | 'unknown'

/** What each reason means when the certificate itself is at fault. */
const meanings: Readonly<Record<CertificateReasonCode, Meaning>> = {
  'chain.no-path': 'UNTRUSTED',
  'chain.untrusted-root': 'UNTRUSTED',
  'chain.untrusted-then': 'UNTRUSTED',
  'chain.wrong-signature': 'UNTRUSTED',
  'chain.not-an-authority': 'UNTRUSTED',
  'chain.path-too-long': 'UNTRUSTED',
  'chain.name-not-permitted': 'UNTRUSTED',
  'chain.unknown-critical-extension': 'UNTRUSTED',
  'validity.expired': 'EXPIRED',
  'validity.not-yet-valid': 'UNTRUSTED',
  'revocation.revoked': 'REVOKED',
  'revocation.on-hold': 'REVOKED',
  'revocation.unknown': 'unknown',
  'revocation.stale': 'unknown',
  'policy.unacceptable': 'UNTRUSTED',
  'keyUsage.unfit': 'UNTRUSTED',
  'algorithm.weak': 'UNTRUSTED',
  'algorithm.unknown': 'UNTRUSTED',
}

/** Of several reasons the gravest counts; an unknown status is the least. */
const gravity: readonly Meaning[] = ['REVOKED', 'EXPIRED', 'UNTRUSTED', 'unknown']

/** Reads the engine's verdict. An expired or revoked issuer makes the certificate untrusted, not expired or revoked. */
export function judgementOf({ indication, reasons }: CertificateVerdict, holder: Certificate): Judgement {
  if (indication === 'valid') return { kind: 'good' }
  const meaningOf = ({ code, certificate }: CertificateReason): Meaning =>
    certificate === holder || meanings[code] === 'unknown' ? meanings[code] : 'UNTRUSTED'
  const ranked = reasons.toSorted((a, b) => gravity.indexOf(meaningOf(a)) - gravity.indexOf(meaningOf(b)))
  const status = meaningOf(ranked[0]!)
  const told = (language: keyof Bilingual) => reasonText(ranked[0]!, holder, language)
  const reason = { 'en-US': told('en-US'), 'pt-BR': told('pt-BR') }
  const finding = findingOf(ranked[0]!, holder)
  return status === 'unknown' ? { kind: 'unknown', reason, finding } : { kind: 'bad', status, reason, finding }
}

const findingOf = ({ code, certificate }: CertificateReason, holder: Certificate): CertificateFinding =>
  certificate === holder ? ofHolder(code) : { code, whose: 'issuer', issuer: certificate.subject.commonName ?? null }

type Known = Pick<CertificateRow, 'status' | 'good_at'>

/** The columns after a validation. */
export function verdictAfter(known: Known, judgement: Judgement, now: Date, staleAfter: number) {
  const checked_at = now.toISOString()
  switch (judgement.kind) {
    case 'good':
      return { status: 'ACTIVE', status_reason: null, status_finding: null, checked_at, good_at: checked_at } as const
    case 'bad':
      return {
        status: judgement.status,
        ...toldOf(judgement),
        checked_at,
        good_at: known.good_at,
      } as const
    case 'unknown':
      return {
        status: statusInDoubt(known, now, staleAfter),
        ...toldOf(judgement),
        checked_at,
        good_at: known.good_at,
      } as const
  }
}

const toldOf = ({ reason, finding }: Told) => ({
  status_reason: reason['en-US'],
  status_finding: JSON.stringify(finding),
})

/** A revoked certificate stays revoked until a later validation; one found good recently stays ACTIVE for a while. */
function statusInDoubt({ status, good_at }: Known, now: Date, staleAfter: number): CertificateStatus {
  if (status === 'REVOKED') return 'REVOKED'
  return status !== 'UNTRUSTED' && isRecent(good_at, now, staleAfter) ? 'ACTIVE' : 'STALE'
}

const isRecent = (good_at: string | null, now: Date, staleAfter: number): boolean =>
  good_at !== null && now.getTime() - Date.parse(good_at) <= staleAfter

/** The status at a time: without new validations, a certificate does not stay ACTIVE beyond its time. */
export function statusNow(
  { status, good_at, not_after }: Pick<CertificateRow, 'status' | 'good_at' | 'not_after'>,
  now: Date,
  staleAfter: number,
): CertificateStatus {
  if (status !== 'ACTIVE') return status
  if (now > new Date(not_after)) return 'EXPIRED'
  return isRecent(good_at, now, staleAfter) ? 'ACTIVE' : 'STALE'
}
