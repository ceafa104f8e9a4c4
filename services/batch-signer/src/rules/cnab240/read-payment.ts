import { collectionBarcode, isCollectionBarcode, isSlipBarcode } from './barcode.ts'
import { readCnabDate } from './cnab-date.ts'
import { isPix } from './entry-codes.ts'
import type { Findings } from './findings.ts'
import {
  type AccountColumns,
  type BankLayout,
  frame,
  type IdColumns,
  type PaymentColumns,
  type SegmentLayouts,
  slipParties,
} from './layouts.ts'
import { type PartyId, readPartyId } from './party-id.ts'
import type { Columns, RecordCursor } from './record-cursor.ts'
import type { FormOfEntry, Payment, PrimarySegment } from './remittance.ts'

/** A payment whose payee a completing segment may still fill in. */
export type OpenPayment = { -readonly [Field in keyof Payment]: Payment[Field] }

const SLIP_PARTIES_MARK = '52'
const EXCLUSION_INSTRUCTION = '99'
const movements: Readonly<Record<string, Payment['movement']>> = { '0': 'inclusion', '9': 'exclusion' }

/** The money of a primary segment: all that the file's total and dates depend on. */
export interface PaymentOrder {
  readonly movement: Payment['movement']
  readonly amountCentavos: number
  readonly paymentDate: string | null
  readonly columns: PaymentColumns
}

/** What reading an order takes from the whole file. */
interface Reading {
  readonly findings: Findings
  readonly options: { readonly datesRequired?: boolean }
}

/** What a payment takes from the batch it lies in. */
interface PaymentBatch {
  readonly number: number
  readonly form: FormOfEntry
}

/**
 * The order in a primary segment, or null when its movement, layout or amount is refused: without any of the three the
 * file's total would be a guess.
 */
export function readOrder(
  record: RecordCursor,
  layouts: SegmentLayouts,
  batch: PaymentBatch,
  { findings, options }: Reading,
): PaymentOrder | null {
  const movement = readMovement(record, findings)
  const columns = paymentColumns(record, layouts, batch.form.code, findings)
  const amountCentavos = columns && readAmount(record, columns.amount, findings)
  if (movement === null || columns === null || amountCentavos === null) return null
  const isRequired = options.datesRequired === true && movement === 'inclusion'
  const paymentDate = readPaymentDate(record, columns.paymentDate, { movement, isRequired }, findings)
  return { movement, amountCentavos, paymentDate, columns }
}

/** The order with everything people want to see of it; barcodes and identifiers are checked on the way. */
export function describePayment(
  { movement, amountCentavos, paymentDate, columns }: PaymentOrder,
  record: RecordCursor,
  segment: PrimarySegment,
  batch: PaymentBatch,
  findings: Findings,
): OpenPayment {
  const barcode = readBarcode(record, segment, columns.barcode, findings)
  return {
    record: record.number,
    batch: batch.number,
    segment,
    movement,
    amountCentavos,
    paymentDate,
    dueDate: readDueDate(record, columns.dueDate),
    payeeName: record.textOrNull(columns.name),
    payeeId: columns.id && readPayeeId(record, columns.id, findings),
    ...readAccount(record, columns.account, segment === 'J' ? barcode : null),
    ownNumber: record.textOrNull(columns.ownNumber),
    barcode,
    form: batch.form,
  }
}

/**
 * Whether a segment J is the J-52 record with the slip's parties. A slip of a bank numbered 52x also begins with "52",
 * but its barcode is 44 digits, and the name inside a J-52 never is.
 */
export const isSlipParties = (record: RecordCursor): boolean =>
  record.raw(slipParties.mark) === SLIP_PARTIES_MARK && !/^\d{44}$/.test(record.raw([18, 61]))

/** Fills the payee of segment A from the segment B that follows it. */
export function completeFromB(
  payment: OpenPayment,
  record: RecordCursor,
  layout: BankLayout,
  findings: Findings,
): void {
  payment.payeeId = readPayeeId(record, layout.payeeOfB.id, findings) ?? payment.payeeId
  if (!isPix(payment.form.code)) payment.dueDate = readDueDate(record, layout.payeeOfB.dueDate)
}

/**
 * Fills the payee of a slip from its J-52. The published FEBRABAN table misprints these columns, so they are believed
 * only when at least one party's check digits prove that the columns are where we look, and none disproves it.
 */
export function completeFromSlipParties(payment: OpenPayment, record: RecordCursor, findings: Findings): void {
  const payee = readPartyId(record, slipParties.payee)
  const parties = [readPartyId(record, slipParties.payer), payee].filter((party) => party !== null)
  if (parties.length === 0 || !parties.every((party) => party.valid)) {
    findings.add('slip-parties-unreadable', record.number, [20, 131])
    return
  }
  payment.payeeId = payee?.number ?? null
  payment.payeeName = record.textOrNull(slipParties.payeeName) ?? payment.payeeName
}

/** Reports an identifier with wrong check digits; the file is signed anyway, people decide. */
export function checkedId(
  party: PartyId | null,
  code: 'payer-id-check-digits' | 'payee-id-check-digits',
  where: { readonly record: number; readonly columns: Columns },
  findings: Findings,
): string | null {
  if (party && !party.valid) {
    findings.add(code, where.record, where.columns, { kind: party.kind, found: party.number })
  }
  return party?.number ?? null
}

function readMovement(record: RecordCursor, findings: Findings): Payment['movement'] | null {
  const found = record.raw(frame.movement)
  const movement = movements[found] ?? null
  if (movement === null) findings.add('movement-not-allowed', record.number, frame.movement, { found })
  if (movement === 'inclusion' && record.raw(frame.instruction) === EXCLUSION_INSTRUCTION) {
    findings.add('instruction-contradicts-movement', record.number, [15, 17])
  }
  return movement
}

function paymentColumns(
  record: RecordCursor,
  layouts: SegmentLayouts,
  formCode: string,
  findings: Findings,
): PaymentColumns | null {
  if (layouts.taxCode === null) return layouts.otherwise
  const taxCode = layouts.taxCode === 'form-of-entry' ? formCode : record.raw(layouts.taxCode)
  const columns = Object.hasOwn(layouts.byTaxCode, taxCode) ? layouts.byTaxCode[taxCode]! : layouts.otherwise
  if (columns === null) {
    const where = layouts.taxCode === 'form-of-entry' ? null : layouts.taxCode
    const expected = Object.keys(layouts.byTaxCode).sort().join(', ')
    findings.add('tax-code-unknown', record.number, where, { expected, found: taxCode })
  }
  return columns
}

function readAmount(record: RecordCursor, columns: Columns, findings: Findings): number | null {
  const amount = record.digits(columns)
  if (amount === null) {
    const expected = columns[1] - columns[0] + 1
    findings.add('amount-not-digits', record.number, columns, { expected, found: record.raw(columns) })
  }
  return amount
}

function readPaymentDate(
  record: RecordCursor,
  columns: Columns,
  { movement, isRequired }: { readonly movement: Payment['movement']; readonly isRequired: boolean },
  findings: Findings,
): string | null {
  const reading = readCnabDate(record, columns)
  if (!reading.readable) {
    const code = isRequired ? 'payment-date-not-a-date' : 'payment-date-unreadable'
    findings.add(code, record.number, columns, { found: record.raw(columns) })
    return null
  }
  if (reading.date === null && movement === 'inclusion') {
    findings.add(isRequired ? 'payment-date-absent' : 'payment-date-missing', record.number, columns)
  }
  return reading.date
}

function readDueDate(record: RecordCursor, columns: Columns | null): string | null {
  const reading = columns && readCnabDate(record, columns)
  return reading?.readable ? reading.date : null
}

function readPayeeId(record: RecordCursor, columns: IdColumns, findings: Findings): string | null {
  const where = { record: record.number, columns: columns.number }
  return checkedId(readPartyId(record, columns), 'payee-id-check-digits', where, findings)
}

function readBarcode(
  record: RecordCursor,
  segment: PrimarySegment,
  columns: Columns | null,
  findings: Findings,
): string | null {
  const field = columns && record.filled(columns)
  if (columns === null || field === null) return null
  const barcode = segment === 'J' ? field : collectionBarcode(field)
  const right = segment === 'J' ? isSlipBarcode(barcode) : isCollectionBarcode(barcode)
  if (!right) findings.add('barcode-check-digit', record.number, columns, { found: field })
  return barcode
}

type Account = Pick<Payment, 'payeeBank' | 'payeeBranch' | 'payeeAccount'>

/** A slip has no account, but its barcode opens with the bank that issued it. */
function readAccount(record: RecordCursor, columns: AccountColumns | null, slipBarcode: string | null): Account {
  if (columns === null) return { payeeBank: slipBarcode?.slice(0, 3) ?? null, payeeBranch: null, payeeAccount: null }
  return {
    payeeBank: record.filled(columns.bank),
    payeeBranch: withCheckDigit(record, columns.branch, columns.branchDigit),
    payeeAccount: withCheckDigit(record, columns.account, columns.accountDigit),
  }
}

function withCheckDigit(record: RecordCursor, number: Columns, checkDigit: Columns): string | null {
  const filled = record.filled(number)
  const digit = record.text(checkDigit)
  return filled && (digit === '' ? filled : `${filled}-${digit}`)
}
