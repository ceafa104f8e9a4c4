import { bankRulesOf } from './bank-rules.ts'
import { BankRuleChecks } from './check-bank-rules.ts'
import { formOfEntryName, isKnownService, isPix } from './entry-codes.ts'
import type { FindingCode } from './finding-texts.ts'
import type { BankRuleMode, Findings } from './findings.ts'
import { type Frame, nextRecord } from './framing.ts'
import { type BankLayout, frame, isKnownBank, layoutOf } from './layouts.ts'
import { readPartyId } from './party-id.ts'
import {
  checkedId,
  completeFromB,
  completeFromSlipParties,
  describePayment,
  isSlipParties,
  type OpenPayment,
  type PaymentOrder,
  readOrder,
} from './read-payment.ts'
import { type Columns, RECORD_BYTES, RecordCursor } from './record-cursor.ts'
import type { FormOfEntry, Payment, PrimarySegment } from './remittance.ts'

/** Payments listed, with their barcodes and identifiers checked; totals always cover the whole file. */
export const PAYMENTS_KEPT = 20_000

/** Restrictions a profile may put on remittances. */
export interface RemittanceOptions {
  /** Bank codes accepted, three digits each; default: any bank. */
  readonly banks?: readonly string[]
  /** What the rules of single banks do. Default: nothing. */
  readonly bankRules?: BankRuleMode
  /** Whether every payment must carry a date that can be read. Default: one that does not is told. */
  readonly datesRequired?: boolean
}

/** What the records of a file add up to. */
export interface RemittanceTally {
  readonly bankCode: string
  readonly layout: BankLayout
  readonly payerName: string
  readonly payerId: string | null
  readonly fileSequence: number | null
  readonly batches: number
  readonly payments: readonly Payment[]
  readonly totalCentavos: number
  readonly largestCentavos: number
  readonly inclusions: number
  readonly exclusions: number
  readonly earliest: string | null
  readonly latest: string | null
}

/** Reads every record in order; whatever is wrong goes to the findings, and the tally counts only if nothing is. */
export function walkRecords(
  bytes: Buffer,
  records: Frame,
  options: RemittanceOptions,
  findings: Findings,
): RemittanceTally {
  const walk = newWalk(bytes, options, findings)
  for (let start = 0; start < records.end; start = nextRecord(bytes, records, start)) {
    walk.records++
    walk.record.moveTo(start, walk.records)
    readRecord(walk)
    // A return file differs in every part: its other peculiarities would only bury the one reason that matters.
    if (walk.isReturn) return walk
  }
  checkWholeFile(walk)
  walk.rules.ending(bytes[RECORD_BYTES] === CARRIAGE_RETURN)
  return walk
}

/** `0 (1 2* 3* 4* 5)+ 9`: the record types that may follow each type. */
const followers: Readonly<Record<string, string>> = {
  '0': '1',
  '1': '2345',
  '2': '2345',
  '3': '345',
  '4': '45',
  '5': '19',
  '9': '',
}

const recordReaders: Readonly<Record<string, (walk: Walk, previous: OpenSegment | null) => void>> = {
  '0': readFileHeader,
  '1': readBatchHeader,
  '2': readOptionalRecord,
  '3': readDetail,
  '4': readOptionalRecord,
  '5': readBatchTrailer,
  '9': readFileTrailer,
}

const CARRIAGE_RETURN = 0x0d
const COLLECTION_SEGMENTS = 'PQRSTUY'
const REMITTANCE = '1'
const RETURN = '2'

/** What is known of the file up to the record under the cursor. */
interface Walk {
  readonly record: RecordCursor
  readonly findings: Findings
  readonly options: RemittanceOptions
  /** Type of the record before; null at the first. */
  previousType: string | null
  records: number
  optionalRecords: number
  batches: number
  bankCode: string
  layout: BankLayout
  rules: BankRuleChecks
  payerName: string
  payerId: string | null
  fileSequence: number | null
  isReturn: boolean
  batch: Batch
  /** What the record just before was, when it was a payment: this record may complete it. */
  open: OpenSegment | null
  readonly payments: OpenPayment[]
  /** Exact up to the largest safe integer; beyond it the file is refused. */
  totalCentavos: number
  largestCentavos: number
  inclusions: number
  exclusions: number
  earliest: string | null
  latest: string | null
  pixBatches: number
}

/** A primary segment waiting for the record that completes it; its payment is null once the list is full. */
interface OpenSegment {
  readonly segment: PrimarySegment
  readonly payment: OpenPayment | null
}

interface Batch {
  readonly number: number
  readonly form: FormOfEntry
  records: number
  sequence: number
  segment: PrimarySegment | null
  /** Sums of all payments and of the inclusions alone: manuals do not say which of the two the trailer means. */
  sum: number
  inclusionSum: number
  firstIsOwn: boolean | null
}

const newWalk = (bytes: Buffer, options: RemittanceOptions, findings: Findings): Walk => ({
  record: new RecordCursor(bytes),
  findings,
  options,
  previousType: null,
  records: 0,
  optionalRecords: 0,
  batches: 0,
  bankCode: '',
  layout: layoutOf(''),
  rules: new BankRuleChecks(bankRulesOf(''), '', findings),
  payerName: '',
  payerId: null,
  fileSequence: null,
  isReturn: false,
  batch: newBatch(0, ''),
  open: null,
  payments: [],
  totalCentavos: 0,
  largestCentavos: 0,
  inclusions: 0,
  exclusions: 0,
  earliest: null,
  latest: null,
  pixBatches: 0,
})

function newBatch(number: number, formCode: string): Batch {
  const form = { code: formCode, name: formOfEntryName(formCode, 'en-US') }
  return { number, form, records: 0, sequence: 0, segment: null, sum: 0, inclusionSum: 0, firstIsOwn: null }
}

function readRecord(walk: Walk): void {
  const type = walk.record.raw(frame.type)
  checkOrder(walk, type)
  checkBank(walk)
  const previous = walk.open
  walk.open = null
  if (type === '1') walk.batch = newBatch(walk.batches + 1, walk.record.raw(frame.form))
  walk.batch.records++
  recordReaders[type]?.(walk, previous)
}

function checkOrder(walk: Walk, type: string): void {
  const previous = walk.previousType
  if (!Object.hasOwn(recordReaders, type)) {
    report(walk, 'record-type-unknown', frame.type, { found: type })
    return
  }
  walk.previousType = type
  if (previous === null) {
    if (type !== '0') report(walk, 'file-header-missing', frame.type, { found: type })
  } else if (previous === '9') report(walk, 'record-after-trailer', frame.type, { found: type })
  else if (!followers[previous]!.includes(type)) {
    const expected = [...followers[previous]!].join(', ')
    report(walk, 'record-out-of-order', frame.type, { found: type, previous, expected })
  }
}

function checkBank(walk: Walk): void {
  const found = walk.record.raw(frame.bank)
  if (walk.records === 1) openBank(walk, found)
  else if (found !== walk.bankCode) report(walk, 'bank-code-differs', frame.bank, { expected: walk.bankCode, found })
}

function openBank(walk: Walk, found: string): void {
  const { banks } = walk.options
  walk.bankCode = found
  walk.layout = layoutOf(found)
  walk.rules = new BankRuleChecks(bankRulesOf(found), found, walk.findings)
  if (!/^\d{3}$/.test(found)) report(walk, 'bank-code-not-digits', frame.bank, { found })
  else if (banks && !banks.includes(found)) {
    report(walk, 'bank-not-allowed', frame.bank, { expected: banks.join(', '), found })
  } else if (!isKnownBank(found)) report(walk, 'bank-unknown', frame.bank, { found })
}

function readFileHeader(walk: Walk): void {
  const { record } = walk
  checkBatchNumber(walk, 'control-batch-number', '0000')
  const direction = record.raw(frame.direction)
  walk.isReturn = direction === RETURN
  if (walk.isReturn) report(walk, 'return-file', frame.direction)
  else if (direction !== REMITTANCE) report(walk, 'direction-unknown', frame.direction, { found: direction })
  const payerId = readPartyId(record, { type: frame.payerIdType, number: frame.payerId, coding: 'common' })
  const where = { record: record.number, columns: frame.payerId }
  walk.payerId = checkedId(payerId, 'payer-id-check-digits', where, walk.findings)
  walk.payerName = record.text(frame.payerName)
  walk.fileSequence = record.digits(frame.fileSequence) || null
}

function readBatchHeader(walk: Walk): void {
  walk.batches++
  checkBatchNumber(walk, 'batch-number-wrong', fourDigits(walk.batch.number))
  const service = walk.record.raw(frame.service)
  if (!isKnownService(service)) report(walk, 'service-unknown', frame.service, { found: service })
  const { code, name } = walk.batch.form
  if (name === null) report(walk, 'form-unknown', frame.form, { found: code })
  if (isPix(code)) walk.pixBatches++
  walk.rules.header(walk.record)
}

/** Types 2 and 4 hold texts that the bank prints; only their batch matters here. */
function readOptionalRecord(walk: Walk): void {
  walk.optionalRecords++
  checkBatchNumber(walk, 'batch-number-differs', fourDigits(walk.batch.number))
}

function readDetail(walk: Walk, previous: OpenSegment | null): void {
  const segment = walk.record.raw(frame.segment)
  const slipParties = segment === 'J' && isSlipParties(walk.record)
  const primary = isPrimary(segment) && !slipParties
  checkBatchNumber(walk, 'batch-number-differs', fourDigits(walk.batch.number))
  checkSequence(walk, primary)
  if (primary) readPrimary(walk, segment)
  else if (slipParties) readSlipParties(walk, previous)
  else readComplement(walk, segment, previous)
}

const isPrimary = (segment: string): segment is PrimarySegment => segment.length === 1 && 'AJNO'.includes(segment)

function checkSequence(walk: Walk, primary: boolean): void {
  const { batch, layout, record } = walk
  const found = record.digits(frame.sequence)
  const shares = !primary && layout.complementsShareSequence && found === batch.sequence
  const expected = batch.sequence + 1
  if (!shares && found !== expected) {
    const facts = { expected: String(expected).padStart(5, '0'), found: record.raw(frame.sequence) }
    report(walk, 'sequence-wrong', frame.sequence, facts)
  }
  // Going on from the number found keeps one wrong number from accusing every record after it.
  batch.sequence = found ?? expected
}

function readPrimary(walk: Walk, segment: PrimarySegment): void {
  const { batch, record, layout, findings } = walk
  if (batch.segment !== null && batch.segment !== segment) {
    report(walk, 'segments-mixed', frame.segment, { expected: batch.segment, found: segment })
  }
  batch.segment = segment
  if (segment === 'A') walk.rules.transfer(record, batch)
  if (segment === 'J') walk.rules.slip(record, batch.form.code)
  const order = readOrder(record, layout.segments[segment], batch, walk)
  if (order === null) return
  count(walk, order)
  const listed = walk.payments.length < PAYMENTS_KEPT
  const payment = listed ? describePayment(order, record, segment, batch, findings) : null
  if (payment) walk.payments.push(payment)
  walk.open = { segment, payment }
}

/** Exclusions are counted and never netted: they cancel an earlier file's payments, not this one's. */
function count(walk: Walk, { movement, amountCentavos, paymentDate }: PaymentOrder): void {
  walk.batch.sum += amountCentavos
  if (movement === 'exclusion') {
    walk.exclusions++
    return
  }
  walk.inclusions++
  walk.batch.inclusionSum += amountCentavos
  walk.totalCentavos += amountCentavos
  if (amountCentavos > walk.largestCentavos) walk.largestCentavos = amountCentavos
  if (paymentDate === null) return
  if (walk.earliest === null || paymentDate < walk.earliest) walk.earliest = paymentDate
  if (walk.latest === null || paymentDate > walk.latest) walk.latest = paymentDate
}

function readSlipParties(walk: Walk, previous: OpenSegment | null): void {
  if (previous?.segment !== 'J') report(walk, 'slip-parties-alone', null)
  else if (previous.payment) completeFromSlipParties(previous.payment, walk.record, walk.findings)
}

/** Only the record right after segment A names its payee, once; behind a slip, segment B is about the slip's e-mail. */
function readComplement(walk: Walk, segment: string, previous: OpenSegment | null): void {
  const { layout, record, findings } = walk
  if (COLLECTION_SEGMENTS.includes(segment)) {
    report(walk, 'segment-of-collection', frame.segment, { found: segment })
  } else if (!layout.complements.includes(segment)) {
    report(walk, 'segment-unknown', frame.segment, { expected: [...layout.complements].join(', '), found: segment })
  } else if (segment === 'B' && previous?.segment === 'A' && previous.payment) {
    completeFromB(previous.payment, record, layout, findings)
  }
}

function readBatchTrailer(walk: Walk): void {
  const { batch, record, layout } = walk
  checkBatchNumber(walk, 'batch-number-differs', fourDigits(batch.number))
  checkCount(walk, 'batch-record-count', frame.batchRecordCount, [batch.records])
  const columns = batch.segment === 'N' ? layout.batchSum.N : layout.batchSum.others
  const field = record.raw(columns)
  // Banks put other totals here and accept sums that disagree, so a difference is told and never refused.
  const agrees = /^\d+$/.test(field) && [batch.sum, batch.inclusionSum].includes(Number(field))
  if (!agrees) report(walk, 'batch-sum-differs', columns, { expected: String(batch.sum), found: withoutZeros(field) })
}

function readFileTrailer(walk: Walk): void {
  checkBatchNumber(walk, 'control-batch-number', '9999')
  checkCount(walk, 'file-batch-count', frame.fileBatchCount, [walk.batches])
  // FEBRABAN G056 lists types 0, 1, 3, 5 and 9: whether the optional types count is left to the writer.
  checkCount(walk, 'file-record-count', frame.fileRecordCount, [walk.records, walk.records - walk.optionalRecords])
}

function checkWholeFile(walk: Walk): void {
  const { layout, previousType } = walk
  if (previousType !== '9') report(walk, 'file-trailer-missing', frame.type, { found: previousType ?? '' })
  if (walk.totalCentavos > Number.MAX_SAFE_INTEGER) {
    walk.findings.add('total-too-large', null, null, { expected: Number.MAX_SAFE_INTEGER })
  }
  if (layout.pixTravelsAlone && walk.pixBatches > 0 && walk.pixBatches < walk.batches) {
    walk.findings.add('pix-mixed', null, null)
  }
  const unlisted = walk.inclusions + walk.exclusions - walk.payments.length
  if (unlisted > 0) walk.findings.add('payments-unlisted', null, null, { listed: PAYMENTS_KEPT, unlisted })
  if (walk.inclusions === 0) walk.findings.add('no-payments', null, null)
}

function checkBatchNumber(walk: Walk, code: FindingCode, expected: string): void {
  const found = walk.record.raw(frame.batch)
  if (found !== expected) report(walk, code, frame.batch, { expected, found })
}

function checkCount(walk: Walk, code: FindingCode, columns: Columns, right: readonly [number, ...number[]]): void {
  const found = walk.record.digits(columns)
  if (found !== null && right.includes(found)) return
  report(walk, code, columns, { expected: right[0], found: walk.record.raw(columns) })
}

const withoutZeros = (field: string): string => field.trim().replace(/^0+(?=\d)/, '')
const fourDigits = (number: number): string => String(number).padStart(4, '0')

function report(
  walk: Walk,
  code: FindingCode,
  columns: Columns | null,
  facts: Readonly<Record<string, string | number>> = {},
): void {
  walk.findings.add(code, walk.record.number, columns, facts)
}
