// Writes CNAB240 files. It is the oracle of the reader's tests, so it shares nothing with the reader: each column
// number below was typed from the FEBRABAN and SISPAG manuals, not taken from the reader's tables.

/** One payment of a built file; everything but the amount has a default. */
export interface BuiltPayment {
  /** Default 'A'. */
  readonly segment?: 'A' | 'J' | 'N' | 'O'
  readonly amountCentavos: number
  /** `yyyy-MM-dd`, or null for zeros; default 2030-01-15. */
  readonly paymentDate?: string | null
  /** `yyyy-MM-dd`; default none. */
  readonly dueDate?: string | null
  /** '0' inclusion (default) or '9' exclusion. */
  readonly movement?: string
  /** Default 'FORNECEDOR DE EXEMPLO'. */
  readonly payeeName?: string
  /** 11 digits for a CPF, 14 characters for a CNPJ; default: none. Written in B, J-52, N, or Itaú's A. */
  readonly payeeId?: string
  /** Three digits; default 237. */
  readonly payeeBank?: string
  /** Branch and account with the check digit after a hyphen; defaults '1234-5' and '67890-1'. */
  readonly payeeBranch?: string
  readonly payeeAccount?: string
  readonly ownNumber?: string
  /** Default: a valid barcode for the segment. */
  readonly barcode?: string
  /** Segment N of Itaú only: 01 GPS, 02 DARF (default), 03, 04, 05, 07, 08, 11. */
  readonly itauTax?: string
  /** Batch header codes; defaults by segment. Payments with the same codes and segment in a row share a batch. */
  readonly service?: string
  readonly form?: string
}

/** A whole file; everything but the payments has a default. */
interface RemittancePlan {
  /** Three digits; default 001. */
  readonly bank?: string
  readonly payments: readonly BuiltPayment[]
  /** Default 'EMPRESA DE EXEMPLO LTDA'. */
  readonly payerName?: string
  /** 11 digits for a CPF, 14 for a CNPJ; default 11222333000181. */
  readonly payerId?: string
  /** Default 1. */
  readonly fileSequence?: number
  /** Day the file was written, `yyyy-MM-dd`; default 2030-01-02. */
  readonly writtenOn?: string
  /** Default 'crlf'. */
  readonly ending?: 'crlf' | 'lf' | 'none'
  /** A newline after the last record too; default true. */
  readonly endingAfterLast?: boolean
  /** Details in one batch before the next is opened, at most 99999; default 99999. */
  readonly detailsPerBatch?: number
}

/** Barcodes whose check digits were taken from published examples: Itaú's slip and utility bill. */
export const exampleBarcodes = {
  slip: '34196166700000123451101234567880057123457000',
  utility: '84610000000362700060002000102000000457986595',
} as const

const endings = { crlf: '\r\n', lf: '\n', none: '' } as const
const defaultForms = { A: '41', J: '31', N: '16', O: '11' } as const
const defaultServices = { A: '20', J: '20', N: '22', O: '22' } as const
const itauForms: Readonly<Record<string, string>> = {
  '01': '17',
  '02': '16',
  '03': '18',
  '04': '21',
  '05': '22',
  '07': '25',
  '08': '27',
  '11': '35',
}

/** Builds a remittance, Latin-1, with right numbering, counts and sums. */
export function buildRemittance(plan: RemittancePlan): Buffer {
  const records = remittanceRecords(plan)
  const ending = endings[plan.ending ?? 'crlf']
  const text = records.join(ending) + (plan.endingAfterLast === false ? '' : ending)
  return Buffer.from(text, 'latin1')
}

/** The same file as a list of 240-character records, for tests that change one. */
export function remittanceRecords(plan: RemittancePlan): string[] {
  const bank = plan.bank ?? '001'
  const records = [fileHeader(bank, plan)]
  const batches = inBatches(bank, plan)
  for (const [index, batch] of batches.entries()) records.push(...batchRecords(bank, index + 1, batch, plan))
  records.push(
    written([
      [1, bank],
      [4, '99999'],
      [18, padded(batches.length, 6)],
      [24, padded(records.length + 1, 6)],
      [30, '000000'],
    ]),
  )
  return records
}

type Field = readonly [column: number, text: string]

function written(fields: readonly Field[]): string {
  let record = ''
  for (const [column, text] of [...fields].sort((a, b) => a[0] - b[0])) {
    if (record.length > column - 1) throw new Error(`Column ${column} is already written.`)
    record = record.padEnd(column - 1) + text
  }
  if (record.length > 240) throw new Error(`The record is ${record.length} characters long.`)
  return record.padEnd(240)
}

const padded = (value: number | string, width: number): string => String(value).padStart(width, '0')
const words = (text: string, width: number): string => text.slice(0, width).padEnd(width)

/** `yyyy-MM-dd` as ddMMyyyy, eight zeros for none. */
const day = (date: string | null | undefined): string => (date ? date.split('-').reverse().join('') : '00000000')

const idType = (id: string | undefined): string => (id === undefined ? '0' : id.length === 11 ? '1' : '2')
const invertedIdType = (id: string | undefined): string => (id === undefined ? '00' : id.length === 11 ? '02' : '01')

function fileHeader(bank: string, plan: RemittancePlan): string {
  return written([
    [1, bank],
    [4, '00000'],
    ...payerFields(plan),
    [103, words('BANCO', 30)],
    [143, '1'],
    [144, day(plan.writtenOn ?? '2030-01-02')],
    [152, '083000'],
    [158, padded(plan.fileSequence ?? 1, 6)],
    [164, '089'],
    [167, '01600'],
  ])
}

function payerFields(plan: RemittancePlan): Field[] {
  const id = plan.payerId ?? '11222333000181'
  return [
    [18, idType(id)],
    [19, padded(id, 14)],
    [33, words('123456', 20)],
    [53, '01234'],
    [58, '3'],
    [59, '000000056789'],
    [71, '0'],
    [73, words(plan.payerName ?? 'EMPRESA DE EXEMPLO LTDA', 30)],
  ]
}

interface BuiltBatch {
  readonly service: string
  readonly form: string
  readonly segment: 'A' | 'J' | 'N' | 'O'
  readonly payments: BuiltPayment[]
}

function inBatches(bank: string, plan: RemittancePlan): BuiltBatch[] {
  const batches: BuiltBatch[] = []
  let details = 0
  for (const payment of plan.payments) {
    const segment = payment.segment ?? 'A'
    const service = payment.service ?? defaultServices[segment]
    const itauForm = bank === '341' && segment === 'N' ? itauForms[payment.itauTax ?? '02'] : undefined
    const form = payment.form ?? itauForm ?? defaultForms[segment]
    const last = batches.at(-1)
    const fits = details + 2 <= (plan.detailsPerBatch ?? 99_999)
    if (last && fits && last.segment === segment && last.service === service && last.form === form) {
      last.payments.push(payment)
    } else {
      batches.push({ service, form, segment, payments: [payment] })
      details = 0
    }
    details += segment === 'A' || segment === 'J' ? 2 : 1
  }
  return batches
}

function batchRecords(bank: string, number: number, batch: BuiltBatch, plan: RemittancePlan): string[] {
  const start: Field[] = [
    [1, bank],
    [4, padded(number, 4)],
  ]
  const header = written([
    ...start,
    [8, '1'],
    [9, 'C'],
    [10, batch.service],
    [12, batch.form],
    [14, '045'],
    ...payerFields(plan),
  ])
  const details: string[] = []
  let payments = 0
  for (const payment of batch.payments) {
    payments++
    for (const [index, fields] of detailsOf(bank, batch, payment).entries()) {
      // SISPAG note 9: at Itaú a completing segment repeats the number of the payment it completes.
      const sequence = bank === '341' ? payments : details.length + 1
      const instruction = payment.movement === '9' ? '99' : '00'
      const movement: Field[] = index === 0 ? [[15, `${payment.movement ?? '0'}${instruction}`]] : []
      details.push(written([...start, [8, '3'], [9, padded(sequence, 5)], ...movement, ...fields]))
    }
  }
  const sum = batch.payments.reduce((total, payment) => total + BigInt(payment.amountCentavos), 0n)
  const sums: Field[] =
    bank === '341' && batch.segment === 'N'
      ? [
          [24, padded('', 14 * 3)],
          [66, padded(String(sum), 14)],
        ]
      : [
          [24, padded(String(sum), 18)],
          [42, padded('', 18)],
        ]
  const trailer = written([...start, [8, '5'], [18, padded(details.length + 2, 6)], ...sums])
  return [header, ...details, trailer]
}

function detailsOf(bank: string, batch: BuiltBatch, payment: BuiltPayment): Field[][] {
  if (batch.segment === 'A') return [segmentA(bank, payment), segmentB(bank, payment)]
  if (batch.segment === 'J') return [segmentJ(payment), segmentJ52(payment)]
  if (batch.segment === 'O') return [bank === '341' ? itauSegmentO(payment) : segmentO(payment)]
  return [bank === '341' ? itauSegmentN(payment) : segmentN(batch.form, payment)]
}

const dateOf = ({ paymentDate }: BuiltPayment): string => day(paymentDate === undefined ? '2030-01-15' : paymentDate)
const nameOf = ({ payeeName }: BuiltPayment, width: number): string =>
  words(payeeName ?? 'FORNECEDOR DE EXEMPLO', width)
const ownNumberOf = ({ ownNumber }: BuiltPayment): string => words(ownNumber ?? '', 20)

function segmentA(bank: string, payment: BuiltPayment): Field[] {
  const [branch = '', branchDigit = ''] = (payment.payeeBranch ?? '1234-5').split('-')
  const [account = '', accountDigit = ''] = (payment.payeeAccount ?? '67890-1').split('-')
  const itau = bank === '341'
  return [
    [14, 'A'],
    [18, '018'],
    [21, payment.payeeBank ?? '237'],
    [24, padded(branch, 5)],
    [29, words(itau ? '' : branchDigit, 1)],
    [30, padded(account, 12)],
    itau ? [42, accountDigit.padStart(2)] : [42, words(accountDigit, 1)],
    [44, nameOf(payment, 30)],
    [74, ownNumberOf(payment)],
    [94, dateOf(payment)],
    [102, 'BRL'],
    [120, padded(payment.amountCentavos, 15)],
    [155, '00000000'],
    [163, padded('', 15)],
    ...(itau ? ([[204, padded(payment.payeeId ?? '', 14)]] as const) : []),
  ]
}

function segmentB(bank: string, payment: BuiltPayment): Field[] {
  const common: Field[] = [
    [14, 'B'],
    [18, idType(payment.payeeId)],
    [19, padded(payment.payeeId ?? '', 14)],
    [33, words('RUA DE EXEMPLO', 30)],
  ]
  if (bank === '341') return [...common, [128, words('financeiro@exemplo.com.br', 100)]]
  return [...common, [128, day(payment.dueDate)], [136, padded(payment.amountCentavos, 15)]]
}

function segmentJ(payment: BuiltPayment): Field[] {
  return [
    [14, 'J'],
    [18, words(payment.barcode ?? exampleBarcodes.slip, 44)],
    [62, nameOf(payment, 30)],
    [92, day(payment.dueDate)],
    [100, padded(payment.amountCentavos, 15)],
    [115, padded('', 15)],
    [130, padded('', 15)],
    [145, dateOf(payment)],
    [153, padded(payment.amountCentavos, 15)],
    [168, padded('', 15)],
    [183, ownNumberOf(payment)],
  ]
}

function segmentJ52(payment: BuiltPayment): Field[] {
  return [
    [14, 'J'],
    [18, '52'],
    [20, '2'],
    [21, padded('11222333000181', 15)],
    [36, words('EMPRESA DE EXEMPLO LTDA', 40)],
    [76, idType(payment.payeeId)],
    [77, padded(payment.payeeId ?? '', 15)],
    [92, nameOf(payment, 40)],
    [132, '0'],
    [133, padded('', 15)],
  ]
}

function segmentO(payment: BuiltPayment): Field[] {
  return [
    [14, 'O'],
    [18, words(payment.barcode ?? exampleBarcodes.utility, 44)],
    [62, nameOf(payment, 30)],
    [92, day(payment.dueDate)],
    [100, dateOf(payment)],
    [108, padded(payment.amountCentavos, 15)],
    [123, ownNumberOf(payment)],
  ]
}

function itauSegmentO(payment: BuiltPayment): Field[] {
  return [
    [14, 'O'],
    [18, words(payment.barcode ?? exampleBarcodes.utility, 48)],
    [66, nameOf(payment, 30)],
    [96, day(payment.dueDate)],
    [104, 'REA'],
    [107, padded('', 15)],
    [122, padded(payment.amountCentavos, 15)],
    [137, dateOf(payment)],
    [145, padded('', 15)],
    [175, ownNumberOf(payment)],
  ]
}

function segmentN(form: string, payment: BuiltPayment): Field[] {
  const dueColumns: Readonly<Record<string, number>> = { '16': 205, '21': 217, '22': 135, '23': 135, '24': 135 }
  const dueColumn = dueColumns[form]
  return [
    [14, 'N'],
    [18, ownNumberOf(payment)],
    [58, nameOf(payment, 30)],
    [88, dateOf(payment)],
    [96, padded(payment.amountCentavos, 15)],
    [111, '002172'],
    [117, invertedIdType(payment.payeeId)],
    [119, padded(payment.payeeId ?? '', 14)],
    ...(dueColumn === undefined ? [] : ([[dueColumn, day(payment.dueDate)]] as const)),
  ]
}

function itauSegmentN(payment: BuiltPayment): Field[] {
  const tax = payment.itauTax ?? '02'
  return [[14, 'N'], [18, tax], ...itauTaxFields(tax, payment), [196, ownNumberOf(payment)]]
}

function itauTaxFields(tax: string, payment: BuiltPayment): Field[] {
  const id = padded(payment.payeeId ?? '', 14)
  const type = idType(payment.payeeId)
  const amount = padded(payment.amountCentavos, 14)
  const due = day(payment.dueDate)
  const pay = dateOf(payment)
  const name = nameOf(payment, 30)
  switch (tax) {
    case '01':
      return [
        [30, id],
        [44, amount],
        [86, amount],
        [100, pay],
        [166, name],
      ]
    case '02':
    case '03':
      return [
        [24, type],
        [25, id],
        [64, amount],
        [106, amount],
        [120, due],
        [128, pay],
        [166, name],
      ]
    case '04':
      return [
        [24, type],
        [25, id],
        [64, amount],
        [120, amount],
        [134, due],
        [142, pay],
        [166, name],
      ]
    case '05':
      return [
        [24, '1'],
        [25, id],
        [83, amount],
        [125, amount],
        [139, due],
        [147, pay],
        [166, name],
      ]
    case '07':
    case '08':
      return [
        [24, type],
        [25, id],
        [67, amount],
        [95, amount],
        [109, due],
        [117, pay],
        [166, name],
      ]
    case '11':
      return [
        [24, '1'],
        [25, id],
        [39, words(payment.barcode ?? exampleBarcodes.utility, 48)],
        [114, name],
        [144, pay],
        [152, amount],
      ]
    default:
      // Lets a test write a tax the bank does not have.
      return []
  }
}
