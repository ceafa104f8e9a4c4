import { type BuiltPayment, buildRemittance, exampleBarcodes, remittanceRecords } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { readRemittance } from './read-remittance.ts'
import { fileOf, withColumns } from './test-support/bend.ts'

const CPF = '52998224725'
// Begins with 9, which is no type code, and fills its field: reading one column aside cannot pass.
const CNPJ = '98765432000198'
const banks = ['001', '033', '104', '237', '341'] as const
const names: Readonly<Record<(typeof banks)[number], string>> = {
  '001': 'Banco do Brasil',
  '033': 'Santander',
  '104': 'Caixa Econômica Federal',
  '237': 'Bradesco',
  '341': 'Itaú Unibanco',
}

// A date, a due date and an amount that nothing else in the record repeats: reading the wrong columns cannot pass.
const plan = {
  amountCentavos: 98_765_432_101,
  paymentDate: '2031-11-27',
  dueDate: '2031-12-03',
  payeeName: 'AÇOUGUE SÃO JOSÉ',
  payeeId: CNPJ,
  ownNumber: 'PEDIDO 4711',
} as const satisfies BuiltPayment

function onlyPayment(bank: string, payment: BuiltPayment) {
  const reading = readRemittance(buildRemittance({ bank, payments: [payment] }))
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations))
  expect(reading.warnings).toEqual([])
  expect(reading.summary).toMatchObject({
    bankCode: bank,
    totalCentavos: payment.amountCentavos,
    earliestPaymentDate: payment.paymentDate,
    latestPaymentDate: payment.paymentDate,
  })
  return { payment: reading.payments[0]!, summary: reading.summary }
}

const read = {
  amountCentavos: plan.amountCentavos,
  paymentDate: plan.paymentDate,
  payeeName: plan.payeeName,
  ownNumber: plan.ownNumber,
}

describe.each(banks)('bank %s', (bank) => {
  const itau = bank === '341'

  test('is known by name', () => {
    expect(onlyPayment(bank, plan).summary.bankName).toBe(names[bank])
  })

  test('segment A pays into an account', () => {
    expect(onlyPayment(bank, plan).payment).toMatchObject({
      ...read,
      segment: 'A',
      // Itaú's segment B has no due date.
      dueDate: itau ? null : plan.dueDate,
      payeeId: CNPJ,
      payeeBank: '237',
      payeeBranch: itau ? '01234' : '01234-5',
      payeeAccount: '000000067890-1',
      barcode: null,
    })
  })

  test('segment J pays a bank slip', () => {
    expect(onlyPayment(bank, { ...plan, segment: 'J' }).payment).toMatchObject({
      ...read,
      segment: 'J',
      dueDate: plan.dueDate,
      payeeId: CNPJ,
      payeeBank: '341',
      payeeAccount: null,
      barcode: exampleBarcodes.slip,
    })
  })

  test('segment J alone names the payee and no identifier', () => {
    const [header, batchHeader, slip, , trailer, fileTrailer] = remittanceRecords({
      bank,
      payments: [{ ...plan, segment: 'J' }],
    }) as [string, string, string, string, string, string]
    const records = [header, batchHeader, slip, trailer, fileTrailer]
    const reading = readRemittance(fileOf(withColumns(withColumns(records, 4, 18, '000003'), 5, 24, '000005')))
    expect(reading.ok && reading.payments[0]).toMatchObject({ payeeName: plan.payeeName, payeeId: null })
  })

  test('segment O pays a bill with a barcode', () => {
    expect(onlyPayment(bank, { ...plan, segment: 'O' }).payment).toMatchObject({
      ...read,
      segment: 'O',
      dueDate: plan.dueDate,
      payeeId: null,
      payeeBank: null,
      barcode: exampleBarcodes.utility,
    })
  })

  test('segment N pays a tax and names the taxpayer', () => {
    expect(onlyPayment(bank, { ...plan, segment: 'N', payeeId: CPF }).payment).toMatchObject({
      ...read,
      segment: 'N',
      dueDate: plan.dueDate,
      payeeId: CPF,
      form: { code: '16', name: 'DARF federal tax' },
    })
  })
})

describe('taxes by form of entry, FEBRABAN', () => {
  test.each([
    ['16', plan.dueDate],
    ['17', null],
    ['18', null],
    ['21', plan.dueDate],
    ['22', plan.dueDate],
    ['23', plan.dueDate],
    ['24', plan.dueDate],
    ['25', null],
  ])('form %s', (form, dueDate) => {
    expect(onlyPayment('001', { ...plan, segment: 'N', form }).payment).toMatchObject({ ...read, dueDate })
  })
})

describe('taxes by tax code, Itaú', () => {
  test.each([
    ['01', null, CNPJ],
    ['01', null, CPF],
    ['02', plan.dueDate, CPF],
    ['02', plan.dueDate, CNPJ],
    ['03', plan.dueDate, CNPJ],
    ['04', plan.dueDate, CNPJ],
    ['05', plan.dueDate, CNPJ],
    ['07', plan.dueDate, CPF],
    ['07', plan.dueDate, CNPJ],
    ['08', plan.dueDate, CNPJ],
    ['11', null, CNPJ],
  ])('tax %s', (itauTax, dueDate, payeeId) => {
    const { payment } = onlyPayment('341', { ...plan, segment: 'N', itauTax, payeeId })
    expect(payment).toMatchObject({ ...read, dueDate, payeeId })
    expect(payment.barcode).toBe(itauTax === '11' ? exampleBarcodes.utility : null)
  })

  test.each(['05', '11'])('tax %s hides a CEI registration, which is its identifier type 2', (itauTax) => {
    const records = remittanceRecords({ bank: '341', payments: [{ ...plan, segment: 'N', itauTax }] })
    const reading = readRemittance(fileOf(withColumns(records, 3, 24, '2')))
    expect(reading.ok && reading.payments[0]?.payeeId).toBeNull()
  })

  test('a tax without a layout is refused, because its value cannot be read', () => {
    const file = buildRemittance({ bank: '341', payments: [{ ...plan, segment: 'N', itauTax: '09', form: '16' }] })
    expect(readRemittance(file)).toMatchObject({
      ok: false,
      violations: [{ code: 'tax-code-unknown', record: 3, columns: '18-19', facts: { found: '09' } }],
    })
  })

  test('an amount is 14 digits', () => {
    const records = remittanceRecords({ bank: '341', payments: [{ ...plan, segment: 'N' }] })
    expect(readRemittance(fileOf(withColumns(records, 3, 119, ' ')))).toMatchObject({
      ok: false,
      violations: [{ code: 'amount-not-digits', columns: '106-119', facts: { expected: 14 } }],
    })
  })
})

describe('other habits of Itaú', () => {
  const records = remittanceRecords({ bank: '341', payments: [plan, plan] })

  test('a completing segment may repeat the number of its payment or count on', () => {
    expect(records.slice(2, 6).map((record) => record.slice(8, 14))).toEqual(['00001A', '00001B', '00002A', '00002B'])
    expect(readRemittance(fileOf(records)).ok).toBe(true)
    const counted = withColumns(withColumns(withColumns(records, 4, 9, '00002'), 5, 9, '00003'), 6, 9, '00004')
    expect(readRemittance(fileOf(counted)).ok).toBe(true)
    expect(readRemittance(fileOf(withColumns(records, 5, 9, '00001')))).toMatchObject({
      ok: false,
      violations: [{ code: 'sequence-wrong', record: 5 }],
    })
  })

  test('a check digit of two characters takes columns 42 and 43', () => {
    const { payment } = onlyPayment('341', { ...plan, payeeAccount: '67890-12' })
    expect(payment.payeeAccount).toBe('000000067890-12')
  })

  test('segment A names its payee by itself', () => {
    const file = fileOf(withColumns(withColumns(records, 4, 14, 'C'), 6, 14, 'C'))
    const reading = readRemittance(file)
    expect(reading.ok && reading.payments.map(({ payeeId }) => payeeId)).toEqual([CNPJ, CNPJ])
  })

  test('a utility bill may carry the 48 digits a person types', () => {
    const typed = '846100000005362700060001200010200000004579865959'
    expect(onlyPayment('341', { ...plan, segment: 'O', barcode: typed }).payment.barcode).toBe(exampleBarcodes.utility)
  })

  test.each(['D', 'E', 'F'])('segment %s completes a payment, and only there', (segment) => {
    expect(readRemittance(fileOf(withColumns(records, 4, 14, segment))).ok).toBe(true)
    const elsewhere = remittanceRecords({ bank: '001', payments: [plan] })
    expect(readRemittance(fileOf(withColumns(elsewhere, 4, 14, segment))).ok).toBe(false)
  })
})
