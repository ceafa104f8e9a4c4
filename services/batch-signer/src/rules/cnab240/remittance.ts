import type { Finding } from './findings.ts'

/** What a compliant remittance says in total; stored with the job, so it holds no line detail. */
export interface RemittanceSummary {
  /** Sum of the inclusions; exclusions are counted, never netted. */
  readonly totalCentavos: number
  /** As people write it: `R$ 1.234,56`. */
  readonly totalFormatted: string
  readonly paymentCount: number
  readonly cancellationCount: number
  /** `yyyy-MM-dd` over the inclusions, null when none of them carries a date. */
  readonly earliestPaymentDate: string | null
  readonly latestPaymentDate: string | null
  /** SHA-256 of the exact bytes, lower-case hex. */
  readonly contentSha256: string
  readonly bankCode: string
  readonly bankName: string | null
  readonly payerName: string
  /** CPF (11) or CNPJ (14) without punctuation. */
  readonly payerId: string | null
  /** The payer's own number for this file; null when the header leaves it blank or zero. */
  readonly fileSequence: number | null
  readonly batches: number
  readonly largestCentavos: number
}

/** One payment order of a remittance, or the order to exclude one sent before. */
export interface Payment {
  /** 1-based number of its primary record in the file. */
  readonly record: number
  readonly batch: number
  readonly segment: PrimarySegment
  readonly movement: 'inclusion' | 'exclusion'
  readonly amountCentavos: number
  /** `yyyy-MM-dd`; null when the field is zero, blank or not a date. */
  readonly paymentDate: string | null
  readonly dueDate: string | null
  /** For taxes without a barcode (segment N) the name and the id are the taxpayer's. */
  readonly payeeName: string | null
  readonly payeeId: string | null
  readonly payeeBank: string | null
  /** With the hyphen before the check digit and the leading zeros of the file: `01234-3`. */
  readonly payeeBranch: string | null
  readonly payeeAccount: string | null
  /** The payer's own number for the payment ("seu número"). */
  readonly ownNumber: string | null
  readonly barcode: string | null
  readonly form: FormOfEntry
}

/** How the bank is to pay: the batch header's code and its English name, null when the code is not in the list. */
export interface FormOfEntry {
  readonly code: string
  readonly name: string | null
}

/** The segments that carry money; every other one completes the segment before it. */
export type PrimarySegment = 'A' | 'J' | 'N' | 'O'

/** A file that may be signed, with what it will pay. */
export interface AcceptedRemittance {
  readonly ok: true
  readonly summary: RemittanceSummary
  /** The first payments in file order, at most `PAYMENTS_KEPT`; the summary always covers all of them. */
  readonly payments: readonly Payment[]
  readonly paymentsCut: boolean
  readonly warnings: readonly Finding[]
  readonly warningsCut: boolean
}

/** A file that is not a compliant remittance, with every reason found up to the cap. */
export interface RefusedRemittance {
  readonly ok: false
  readonly code: 'cnab240.invalid'
  readonly violations: readonly Finding[]
  /** Whether more violations exist than are listed. */
  readonly cut: boolean
  readonly violationCount: number
  readonly warnings: readonly Finding[]
  readonly warningsCut: boolean
}

/** The verdict on one file. */
export type RemittanceReading = AcceptedRemittance | RefusedRemittance
