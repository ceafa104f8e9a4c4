import { formatDate } from './brazilian-forms.ts'
import type { RemittanceSummary } from './remittance.ts'

/** The first payment date and today, as people write them. */
export interface PaymentDates {
  readonly earliest: string
  readonly today: string
}

/** Whether the file may still be signed today; a file without dates has none to tell. */
type PaymentDateVerdict =
  | { readonly passed: true; readonly dates: PaymentDates | null }
  | { readonly passed: false; readonly dates: PaymentDates }

/** Refuses a remittance whose earliest payment date is before today; a file without dates passes. */
export function paymentDateGate(
  summary: Pick<RemittanceSummary, 'earliestPaymentDate'>,
  { today }: { today: string },
): PaymentDateVerdict {
  const earliest = summary.earliestPaymentDate
  if (earliest === null) return { passed: true, dates: null }
  const dates = { earliest: formatDate(earliest), today: formatDate(today) }
  return { passed: earliest >= today, dates }
}

/**
 * The calendar day in a time zone, as `yyyy-MM-dd`. The zone is explicit because a host on UTC would already be
 * living in tomorrow at 21:00 in São Paulo and refuse every file payable today.
 */
export const todayIn = (timeZone: string, now: Date): string => dayIn(timeZone)(now)

/** The same for many moments: a formatter takes longer to make than to use. */
export function dayIn(timeZone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (moment) => {
    const parts = format.formatToParts(moment)
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((found) => found.type === type)?.value ?? ''
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  }
}
