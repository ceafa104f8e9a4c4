// The whole check of a CNAB240 remittance: framing, order, bank, direction, numbering, counts, segments, amounts. It is
// pure and single-pass over the bytes; a file of any size costs the kept payments and findings, nothing more.

import { createHash } from 'node:crypto'
import { formatReais } from './brazilian-forms.ts'
import { formOfEntryName, isKnownService, isPix } from './entry-codes.ts'
import { Findings } from './findings.ts'
import { type Frame, frameRecords, nextRecord } from './framing.ts'
import { type BankLayout, frame, isKnownBank, layoutOf } from './layouts.ts'
import { readPartyId } from './party-id.ts'
import {
  checkedId,
  completeFromB,
  completeFromSlipParties,
  isSlipParties,
  type OpenPayment,
  readPayment,
} from './read-payment.ts'
import { type Columns, RecordCursor } from './record-cursor.ts'
import type {
  AcceptedRemittance,
  FormOfEntry,
  PrimarySegment,
  RefusedRemittance,
  RemittanceReading,
  RemittanceSummary,
} from './remittance.ts'

/** Payments listed with a reading; totals always cover the whole file. */
export const PAYMENTS_KEPT = 20_000

/** Restrictions a profile may put on remittances. */
export interface ReadRemittanceOptions {
  /** Bank codes accepted, three digits each; default: any bank. */
  readonly banks?: readonly string[]
}

/** `0 (1 2* 3* 4* 5)+ 9`: the record types that may follow each type. */
const followers: Readonly<Record<string, string>> = {
  '': '0',
  '0': '1',
  '1': '2345',
  '2': '2345',
  '3': '345',
  '4': '45',
  '5': '19',
  '9': '',
}
const FIRST = ''
const OPTIONAL_TYPES = '24'
const COLLECTION_SEGMENTS = 'PQRSTUY'
const REMITTANCE = '1'
const RETURN = '2'

/** Reads a remittance and says whether it is compliant, what it pays, or everything that is wrong with it. */
export function readRemittance(bytes: Uint8Array, options: ReadRemittanceOptions = {}): RemittanceReading {
  const findings = new Findings()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const records = frameRecords(buffer, findings)
  if (findings.refused) return refused(findings)
  const walk = walkRecords(buffer, records, options, findings)
  return findings.refused ? refused(findings) : accepted(walk, buffer, findings)
}

/** What is known of the file up to the record under the cursor. */
interface Walk {
  readonly record: RecordCursor
  readonly findings: Findings
  readonly options: ReadRemittanceOptions
  previousType: string
  records: number
  optionalRecords: number
  batches: number
  bankCode: string
  layout: BankLayout
  payerName: string
  payerId: string | null
  fileSequence: number | null
  isReturn: boolean
  batch: Batch
  /** The payment of the record just before, which the next record may complete. */
  open: OpenPayment | null
  readonly payments: OpenPayment[]
  totalCentavos: bigint
  largestCentavos: number
  inclusions: number
  exclusions: number
  earliest: string | null
  latest: string | null
  hasPix: boolean
  hasOtherForms: boolean
}

interface Batch {
  readonly number: number
  readonly form: FormOfEntry
  records: number
  sequence: number
  segment: PrimarySegment | null
  /** Sums of all payments and of the inclusions alone: manuals do not say which of them the trailer means. */
  sum: bigint
  inclusionSum: bigint
}

const newBatch = (number: number, formCode: string): Batch => ({
  number,
  form: { code: formCode, name: formOfEntryName(formCode, 'en-US') },
  records: 0,
  sequence: 0,
  segment: null,
  sum: 0n,
  inclusionSum: 0n,
})

const newWalk = (bytes: Buffer, options: ReadRemittanceOptions, findings: Findings): Walk => ({
  record: new RecordCursor(bytes),
  findings,
  options,
  previousType: FIRST,
  records: 0,
  optionalRecords: 0,
  batches: 0,
  bankCode: '',
  layout: layoutOf(''),
  payerName: '',
  payerId: null,
  fileSequence: null,
  isReturn: false,
  batch: newBatch(0, ''),
  open: null,
  payments: [],
  totalCentavos: 0n,
  largestCentavos: 0,
  inclusions: 0,
  exclusions: 0,
  earliest: null,
  latest: null,
  hasPix: false,
  hasOtherForms: false,
})

function walkRecords(bytes: Buffer, records: Frame, options: ReadRemittanceOptions, findings: Findings): Walk {
  const walk = newWalk(bytes, options, findings)
  for (let start = 0; start < records.end; start = nextRecord(bytes, records, start)) {
    walk.records++
    walk.record.moveTo(start, walk.records)
    readRecord(walk)
    // Everything in a return file is told by the bank: its other peculiarities would only bury the reason.
    if (walk.isReturn) return walk
  }
  checkWhole(walk)
  return walk
}

function readRecord(walk: Walk): void {
  const type = walk.record.raw(frame.type)
  checkOrder(walk, type)
  checkBank(walk)
  walk.batch.records++
  const open = walk.open
  walk.open = null
  recordReaders[type]?.(walk, open)
}

const recordReaders: Readonly<Record<string, (walk: Walk, open: OpenPayment | null) => void>> = {
  '0': readFileHeader,
  '1': readBatchHeader,
  '2': readOptionalRecord,
  '3': readDetail,
  '4': readOptionalRecord,
  '5': readBatchTrailer,
  '9': readFileTrailer,
}

function checkOrder(walk: Walk, type: string): void {
  if (!Object.hasOwn(recordReaders, type)) return refuse(walk, 'record-type-unknown', frame.type, { found: type })
  const expected = followers[walk.previousType]!
  if (!expected.includes(type)) {
    refuse(walk, 'record-out-of-order', frame.type, {
      found: type,
      previous: walk.previousType === FIRST ? '-' : walk.previousType,
      expected: expected === '' ? '-' : [...expected].join(', '),
    })
  }
  walk.previousType = type
}

function checkBank(walk: Walk): void {
  const found = walk.record.raw(frame.bank)
  if (walk.records > 1) {
    if (found !== walk.bankCode) refuse(walk, 'bank-code-differs', frame.bank, { expected: walk.bankCode, found })
    return
  }
  walk.bankCode = found
  walk.layout = layoutOf(found)
  const { banks } = walk.options
  if (!/^\d{3}$/.test(found)) refuse(walk, 'bank-code-not-digits', frame.bank, { found })
  else if (banks && !banks.includes(found)) {
    refuse(walk, 'bank-not-allowed', frame.bank, { expected: banks.join(', '), found })
  } else if (!isKnownBank(found)) refuse(walk, 'bank-unknown', frame.bank, { found })
}
