/** Why a certificate was revoked (RFC 5280 §5.3.1). */
const reasons = {
  0: 'unspecified',
  1: 'keyCompromise',
  2: 'cACompromise',
  3: 'affiliationChanged',
  4: 'superseded',
  5: 'cessationOfOperation',
  6: 'certificateHold',
  8: 'removeFromCRL',
  9: 'privilegeWithdrawn',
  10: 'aACompromise',
} as const

export type RevocationReason = (typeof reasons)[keyof typeof reasons]

/** An undefined reason does not affect the revocation. */
export const revocationReason = (code: number): RevocationReason =>
  (reasons as Readonly<Record<number, RevocationReason>>)[code] ?? 'unspecified'

/** When and why. */
export interface Revocation {
  readonly at: Date
  readonly reason: RevocationReason
}
