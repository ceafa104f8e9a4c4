import { readFile } from 'node:fs/promises'
import type { Clock } from '@chancela/service-kernel/clock'
import { paymentDateGate, todayIn } from '../../rules/cnab240/payment-date-gate.ts'
import { readRemittance } from '../../rules/cnab240/read-remittance.ts'
import type { AcceptedRemittance } from '../../rules/cnab240/remittance.ts'
import { JobFailure } from '../../rules/job-failure.ts'
import { reasonOf, reasonOfFindings } from '../../rules/job-reason.ts'
import type { Profile } from '../../rules/profile.ts'
import { paymentDatesLine, remittanceHistoryLines } from '../../rules/remittance-history.ts'
import { type Said, said, together } from '../../rules/sentences.ts'
import type { BatchSignerSettings } from '../../settings.ts'
import type { Staged } from '../../upstream/storage/storage.ts'

export interface RemittanceGateOptions {
  readonly settings: Pick<BatchSignerSettings, 'Cnab240' | 'Pipeline' | 'Site'>
  readonly clock: Clock
  /** Records an operational event about the job. */
  record(type: string, code: string | undefined, what: Said): Promise<void>
  /** Counts a remittance that is signed with the date check off. */
  countDateCheckSkipped(profileName: string): void
}

/** What a remittance adds to its job. */
export interface PassedRemittance {
  /** A line of the history. */
  readonly line: Said
  /** JSON of the summary. */
  readonly cnab240: string
  /** JSON of the payments. */
  readonly payments: string
}

/** Passes a compliant remittance with future payments; throws JobFailure cnab240.* for any other file. */
export async function remittanceGate(
  options: RemittanceGateOptions,
  profile: Profile,
  staged: Staged,
): Promise<PassedRemittance> {
  const reading = await compliant(options, profile, staged)
  const dateLine = await checkDates(options, profile, reading)
  return {
    line: together(...remittanceHistoryLines(reading), dateLine),
    cnab240: JSON.stringify(reading.summary),
    payments: JSON.stringify(reading.payments),
  }
}

async function compliant(
  { settings, record }: RemittanceGateOptions,
  profile: Profile,
  staged: Staged,
): Promise<AcceptedRemittance> {
  const bytes = await bytesOf(staged, settings.Pipeline.MaxDocumentBytes)
  const reading = readRemittance(bytes, checksOf(settings, profile))
  if (reading.ok) return reading
  const reason = reasonOfFindings(reading.violations, reading.violationCount)
  const failure = new JobFailure('cnab240.invalid', reason, { lines: remittanceHistoryLines(reading) })
  await record('Cnab240ValidationFailed', failure.code, failure.said)
  throw failure
}

/** A gate that cannot read a date does not open: where dates are checked, each payment must have one. */
const checksOf = ({ Cnab240: { Banks, BankRules } }: RemittanceGateOptions['settings'], profile: Profile) => ({
  ...(Banks.length > 0 && { banks: Banks }),
  bankRules: BankRules,
  datesRequired: profile.checkCnab240PaymentDates,
})

async function bytesOf(staged: Staged, most: number): Promise<Uint8Array> {
  if (staged.kind === 'memory') return staged.bytes
  if (staged.length > most) throw new JobFailure('cnab240.invalid', reasonOf('too-large-to-check', { limit: most }))
  return readFile(staged.path)
}

async function checkDates(
  { settings, clock, record, countDateCheckSkipped }: RemittanceGateOptions,
  profile: Profile,
  { summary }: AcceptedRemittance,
): Promise<Said> {
  if (!profile.checkCnab240PaymentDates) {
    const line = said('dates-not-checked', { profile: profile.name })
    countDateCheckSkipped(profile.name)
    await record('Cnab240PaymentDateCheckSkipped', undefined, line)
    return line
  }
  const timeZone = settings.Cnab240.TimeZone ?? settings.Site.TimeZone
  const verdict = paymentDateGate(summary, { today: todayIn(timeZone, clock()) })
  if (verdict.passed) return paymentDatesLine(verdict.dates)
  const reason = reasonOf('payment-date-passed', { ...verdict.dates })
  const failure = new JobFailure('cnab240.payment-date-passed', reason)
  await record('Cnab240PaymentDatePassed', failure.code, failure.said)
  throw failure
}
