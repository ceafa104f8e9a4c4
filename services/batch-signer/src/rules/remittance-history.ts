// A reading of a remittance in the history of its job.
import type { Finding } from './cnab240/findings.ts'
import type { PaymentDates } from './cnab240/payment-date-gate.ts'
import type { AcceptedRemittance, RefusedRemittance, RemittanceReading } from './cnab240/remittance.ts'
import { bankText, datesText, findingWithPlace } from './cnab240/remittance-report.ts'
import { type Said, said, saidFailure } from './sentences.ts'

/** The reading as lines of the history. */
export const remittanceHistoryLines = (reading: RemittanceReading): readonly Said[] => [
  ...(reading.ok ? [passed(reading)] : refused(reading)),
  ...reading.warnings.map((finding) => said('warning', { finding: saidFinding(finding) })),
  ...(reading.warningsCut ? [said('warnings-cut')] : []),
]

/** What the gate of payment dates saw of a remittance that passed it. */
export const paymentDatesLine = (dates: PaymentDates | null): Said =>
  dates === null ? said('remittance-undated') : said('remittance-in-time', { ...dates })

function passed({ summary }: AcceptedRemittance): Said {
  const dates = datesText(summary.earliestPaymentDate, summary.latestPaymentDate)
  return said('remittance-passed', {
    payer: summary.payerName || said('payer-unnamed'),
    bank: bankText(summary),
    payments: summary.paymentCount,
    total: summary.totalFormatted,
    exclusions: summary.cancellationCount,
    dates: dates === null ? said('no-payment-dates') : said('payment-dates', { dates }),
  })
}

const refused = ({ violations, cut, violationCount }: RefusedRemittance): readonly Said[] => [
  said('remittance-refused', { count: violationCount }),
  ...violations.map(saidFinding),
  ...(cut ? [said('violations-cut', { more: violationCount - violations.length })] : []),
]

const saidFinding = (finding: Finding): Said => {
  const { code: key, facts, record, columns } = finding
  const reason = { key, facts, place: { record, columns } }
  return saidFailure({ code: null, error: findingWithPlace(finding, 'en-US'), reason })
}
