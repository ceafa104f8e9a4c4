import { paymentDateGate } from './cnab240/payment-date-gate.ts'
import type { Payment, RemittanceSummary } from './cnab240/remittance.ts'
import type { Profile } from './profile.ts'

/** The lists of the portal, cut by what the approver decided. */
const portalLists = ['needs-you', 'waiting-on-others', 'decided'] as const

export type PortalList = (typeof portalLists)[number]

/** Most rows of each list (batch-signer facts 2.1 has the last). */
export const MOST_ROWS: Readonly<Record<PortalList, number>> = {
  'needs-you': 1000,
  'waiting-on-others': 1000,
  decided: 200,
}

/** The last two digits of an identifier or an account, which suffice to recognise one's own. */
const lastDigits = (text: string | null): string | null => text?.replaceAll(/\d(?=(?:\D*\d){2})/g, '*') ?? null

/** A payment as whoever the job's pool does not name may see it. */
export const maskedPayment = (payment: Payment): Payment => ({
  ...payment,
  payeeId: lastDigits(payment.payeeId),
  payeeBranch: null,
  payeeAccount: lastDigits(payment.payeeAccount),
  barcode: null,
})

export const maskedSummary = (summary: RemittanceSummary): RemittanceSummary => ({
  ...summary,
  payerId: lastDigits(summary.payerId),
})

/** What comes of a file whose first payment date has passed; `unknown-profile`: nobody can say. */
export type DateWarning = 'will-fail' | 'will-be-signed' | 'unknown-profile'

/**
 * What approvers are warned of, by the profile as it is now: the gate runs again when they have released the file
 * (batch-signer facts 5.3). Null where the date has not passed, or the file has none.
 */
export function dateWarning(
  summary: Pick<RemittanceSummary, 'earliestPaymentDate'> | null,
  profile: Pick<Profile, 'checkCnab240' | 'checkCnab240PaymentDates'> | undefined,
  today: string,
): DateWarning | null {
  if (summary === null || paymentDateGate(summary, { today }).passed) return null
  if (!profile) return 'unknown-profile'
  return profile.checkCnab240 && profile.checkCnab240PaymentDates ? 'will-fail' : 'will-be-signed'
}
