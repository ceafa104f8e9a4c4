// Where each bank puts each field. FEBRABAN 240 (V08.6) is the default; a bank lists only where it differs. Itaú's
// differences are those of its SISPAG manual (versions of 2012 and 2017 agree, the state tax DARJ included).

import type { Columns } from './record-cursor.ts'
import type { PrimarySegment } from './remittance.ts'

/** How a field of identifier types is coded; `proven` has no type field and lets the check digits say what it is. */
export type IdCoding = 'common' | 'inverted' | 'company-first' | 'proven'

/** Where a person's or a company's identifier stands. */
export interface IdColumns {
  readonly type: Columns | null
  readonly number: Columns
  readonly coding: IdCoding
}

/** The fields of a segment that carries money; null where the layout has no such field. */
export interface PaymentColumns {
  readonly amount: Columns
  readonly paymentDate: Columns
  readonly dueDate: Columns | null
  readonly name: Columns
  readonly ownNumber: Columns
  readonly barcode: Columns | null
  readonly id: IdColumns | null
  readonly account: AccountColumns | null
}

/** The account to be credited. */
export interface AccountColumns {
  readonly bank: Columns
  readonly branch: Columns
  readonly branchDigit: Columns
  readonly account: Columns
  readonly accountDigit: Columns
}

/** One segment's layouts by tax code; `otherwise` null means that a tax code outside the list cannot be read. */
export interface SegmentLayouts {
  /** The columns that hold the tax code, or the batch header's form of entry, which FEBRABAN uses as the tax code. */
  readonly taxCode: Columns | 'form-of-entry' | null
  readonly byTaxCode: Readonly<Record<string, PaymentColumns>>
  readonly otherwise: PaymentColumns | null
}

/** Everything about a bank that reading its remittances depends on. */
export interface BankLayout {
  readonly name: string | null
  readonly segments: Readonly<Record<PrimarySegment, SegmentLayouts>>
  /** Segments that only complete the one before them, besides J-52. */
  readonly complements: string
  /** Whether a completing segment may repeat the sequence number of the payment it completes. */
  readonly complementsShareSequence: boolean
  /** Segment B's payee and due date, when it follows segment A. */
  readonly payeeOfB: { readonly id: IdColumns; readonly dueDate: Columns | null }
  /** The batch trailer's sum of payments; taxes without a barcode may have their own column. */
  readonly batchSum: { readonly N: Columns; readonly others: Columns }
  /** Whether the bank refuses Pix beside other forms in one file. */
  readonly pixTravelsAlone: boolean
}

const only = (columns: PaymentColumns): SegmentLayouts => ({ taxCode: null, byTaxCode: {}, otherwise: columns })

const segmentA: PaymentColumns = {
  amount: [120, 134],
  paymentDate: [94, 101],
  dueDate: null,
  name: [44, 73],
  ownNumber: [74, 93],
  barcode: null,
  id: null,
  account: {
    bank: [21, 23],
    branch: [24, 28],
    branchDigit: [29, 29],
    account: [30, 41],
    accountDigit: [42, 42],
  },
}

const segmentJ: PaymentColumns = {
  amount: [153, 167],
  paymentDate: [145, 152],
  dueDate: [92, 99],
  name: [62, 91],
  ownNumber: [183, 202],
  barcode: [18, 61],
  id: null,
  account: null,
}

const segmentO: PaymentColumns = {
  amount: [108, 122],
  paymentDate: [100, 107],
  dueDate: [92, 99],
  name: [62, 91],
  ownNumber: [123, 142],
  barcode: [18, 61],
  id: null,
  account: null,
}

const segmentN: PaymentColumns = {
  amount: [96, 110],
  paymentDate: [88, 95],
  dueDate: null,
  name: [58, 87],
  ownNumber: [18, 37],
  barcode: null,
  id: { type: [117, 118], number: [119, 132], coding: 'inverted' },
  account: null,
}

const darf: PaymentColumns = { ...segmentN, dueDate: [205, 212] }
const darj: PaymentColumns = { ...segmentN, dueDate: [217, 224] }
const gare: PaymentColumns = { ...segmentN, dueDate: [135, 142] }

const febraban: BankLayout = {
  name: null,
  segments: {
    A: only(segmentA),
    J: only(segmentJ),
    O: only(segmentO),
    N: {
      taxCode: 'form-of-entry',
      byTaxCode: { '16': darf, '21': darj, '22': gare, '23': gare, '24': gare },
      otherwise: segmentN,
    },
  },
  complements: 'BCWZ',
  complementsShareSequence: false,
  payeeOfB: { id: { type: [18, 18], number: [19, 32], coding: 'common' }, dueDate: [128, 135] },
  batchSum: { N: [24, 41], others: [24, 41] },
  pixTravelsAlone: false,
}

const itauTax: PaymentColumns = {
  amount: [106, 119],
  paymentDate: [128, 135],
  dueDate: [120, 127],
  name: [166, 195],
  ownNumber: [196, 215],
  barcode: null,
  id: { type: [24, 24], number: [25, 38], coding: 'common' },
  account: null,
}

const itauVehicleTax: PaymentColumns = {
  ...itauTax,
  amount: [95, 108],
  paymentDate: [117, 124],
  dueDate: [109, 116],
}

const itauTaxes: Readonly<Record<string, PaymentColumns>> = {
  // GPS names its payer by CNPJ, CEI, NIT or PIS in one field without a type.
  '01': {
    ...itauTax,
    amount: [86, 99],
    paymentDate: [100, 107],
    dueDate: null,
    id: { type: null, number: [30, 43], coding: 'proven' },
  },
  '02': itauTax,
  '03': itauTax,
  '04': { ...itauTax, amount: [120, 133], paymentDate: [142, 149], dueDate: [134, 141] },
  '05': {
    ...itauTax,
    amount: [125, 138],
    paymentDate: [147, 154],
    dueDate: [139, 146],
    id: { type: [24, 24], number: [25, 38], coding: 'company-first' },
  },
  '07': itauVehicleTax,
  '08': itauVehicleTax,
  '11': {
    ...itauTax,
    amount: [152, 165],
    paymentDate: [144, 151],
    dueDate: null,
    name: [114, 143],
    barcode: [39, 86],
    id: { type: [24, 24], number: [25, 38], coding: 'company-first' },
  },
}

const itau: BankLayout = {
  ...febraban,
  name: 'Itaú Unibanco',
  segments: {
    A: only({
      ...segmentA,
      id: { type: null, number: [204, 217], coding: 'proven' },
      account: { ...segmentA.account!, accountDigit: [42, 43] },
    }),
    J: only(segmentJ),
    O: only({
      ...segmentO,
      amount: [122, 136],
      paymentDate: [137, 144],
      dueDate: [96, 103],
      name: [66, 95],
      ownNumber: [175, 194],
      barcode: [18, 65],
    }),
    N: { taxCode: [18, 19], byTaxCode: itauTaxes, otherwise: null },
  },
  complements: 'BCDEFWZ',
  complementsShareSequence: true,
  // Itaú's segment B keeps an e-mail address where FEBRABAN keeps the due date.
  payeeOfB: { ...febraban.payeeOfB, dueDate: null },
  batchSum: { N: [66, 79], others: [24, 41] },
  pixTravelsAlone: true,
}

const banks: Readonly<Record<string, BankLayout>> = {
  '001': { ...febraban, name: 'Banco do Brasil' },
  '033': { ...febraban, name: 'Santander' },
  '104': { ...febraban, name: 'Caixa Econômica Federal' },
  '237': { ...febraban, name: 'Bradesco' },
  '341': itau,
}

/** The layout of a bank, FEBRABAN's when the bank is not in the table. */
export const layoutOf = (bankCode: string): BankLayout => banks[bankCode] ?? febraban

/** Whether the table knows the bank, that is, whether its layout was checked against a manual. */
export const isKnownBank = (bankCode: string): boolean => Object.hasOwn(banks, bankCode)

/** Columns that every bank shares: the frame around the payments. */
export const frame = {
  bank: [1, 3],
  batch: [4, 7],
  type: [8, 8],
  sequence: [9, 13],
  segment: [14, 14],
  movement: [15, 15],
  instruction: [16, 17],
  payerIdType: [18, 18],
  payerId: [19, 32],
  payerName: [73, 102],
  direction: [143, 143],
  fileSequence: [158, 163],
  service: [10, 11],
  form: [12, 13],
  batchRecordCount: [18, 23],
  fileBatchCount: [18, 23],
  fileRecordCount: [24, 29],
} as const satisfies Record<string, Columns>

/** The parties of a bank slip, in the J-52 record that follows segment J. */
export const slipParties = {
  mark: [18, 19],
  payer: { type: [20, 20], number: [21, 35], coding: 'common' },
  payee: { type: [76, 76], number: [77, 91], coding: 'common' },
  payeeName: [92, 131],
} as const satisfies { mark: Columns; payer: IdColumns; payee: IdColumns; payeeName: Columns }
