// The whole check of a CNAB240 remittance: framing, order, bank, direction, numbering, counts, segments, amounts. It is
// pure and walks the bytes without copying them; a file of any size costs the kept payments and findings, nothing more.

import { createHash } from 'node:crypto'
import { formatReais } from './brazilian-forms.ts'
import { Findings } from './findings.ts'
import { frameRecords } from './framing.ts'
import type { AcceptedRemittance, RefusedRemittance, RemittanceReading, RemittanceSummary } from './remittance.ts'
import { type RemittanceOptions, type RemittanceTally, walkRecords } from './walk-records.ts'

/** Reads a remittance and says whether it is compliant, what it pays, or everything that is wrong with it. */
export function readRemittance(bytes: Uint8Array, options: RemittanceOptions = {}): RemittanceReading {
  const findings = new Findings(options.bankRules ?? 'Off')
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const frame = frameRecords(buffer, findings)
  if (findings.refused) return refused(findings)
  const tally = walkRecords(buffer, frame, options, findings)
  return findings.refused ? refused(findings) : accepted(tally, buffer, findings)
}

const refused = ({ violations, warnings }: Findings): RefusedRemittance => ({
  ok: false,
  code: 'cnab240.invalid',
  violations: violations.listed,
  cut: violations.cut,
  violationCount: violations.count,
  warnings: warnings.listed,
  warningsCut: warnings.cut,
})

const accepted = (tally: RemittanceTally, bytes: Buffer, { warnings }: Findings): AcceptedRemittance => ({
  ok: true,
  summary: summaryOf(tally, bytes),
  payments: tally.payments,
  paymentsCut: tally.payments.length < tally.inclusions + tally.exclusions,
  warnings: warnings.listed,
  warningsCut: warnings.cut,
})

function summaryOf(tally: RemittanceTally, bytes: Buffer): RemittanceSummary {
  return {
    totalCentavos: tally.totalCentavos,
    totalFormatted: formatReais(tally.totalCentavos),
    paymentCount: tally.inclusions,
    cancellationCount: tally.exclusions,
    earliestPaymentDate: tally.earliest,
    latestPaymentDate: tally.latest,
    contentSha256: createHash('sha256').update(bytes).digest('hex'),
    bankCode: tally.bankCode,
    bankName: tally.layout.name,
    payerName: tally.payerName,
    payerId: tally.payerId,
    fileSequence: tally.fileSequence,
    batches: tally.batches,
    largestCentavos: tally.largestCentavos,
  }
}
