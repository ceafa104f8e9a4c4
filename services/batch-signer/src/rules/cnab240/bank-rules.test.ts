import { exampleBarcodes, remittanceRecords } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import type { BankRuleMode } from './findings.ts'
import { readRemittance } from './read-remittance.ts'
import { fileOf, withColumns } from './test-support/bend.ts'

const credit = { amountCentavos: 10_000, form: '01', payeeBank: '237' }
const transfer = { amountCentavos: 10_000, payeeBank: '341' }

/** Record 3 is the first segment A of each file. */
const records = (bank: string, ...payments: Parameters<typeof remittanceRecords>[0]['payments']) =>
  remittanceRecords({ bank, payments })

const chamber = (all: readonly string[], code: string, record = 3) => withColumns(all, record, 18, code)

const bradescoCredit = chamber(records('237', credit), '000')

const told = (all: readonly string[], bankRules: BankRuleMode = 'Warn', ending?: string) => {
  const reading = readRemittance(fileOf(all, ending), { bankRules })
  const findings = reading.ok ? reading.warnings : reading.violations
  return [reading.ok, ...findings.map(({ code, record, columns }) => [code, record, columns])]
}

describe('the rules of single banks', () => {
  test('a file that follows them is told nothing', () => {
    expect(told(bradescoCredit)).toEqual([true])
    for (const bank of ['001', '033', '104', '237', '341']) {
      const payeeBank = bank === '341' ? '237' : '341'
      expect(told(records(bank, { ...transfer, payeeBank })), bank).toEqual([true])
    }
  })

  test('Bradesco: a TED to Bradesco itself', () => {
    expect(told(chamber(bradescoCredit, '018'))).toEqual([true, ['bank-ted-within', 3, '18-20']])
  })

  test('Bradesco: a form of entry that does not go with payments to suppliers', () => {
    const form = withColumns(bradescoCredit, 2, 12, '44')
    expect(told(form)).toEqual([true, ['bank-form-of-service', 2, '12-13']])
  })

  test('Bradesco: a digit of branch and account (G012)', () => {
    expect(told(withColumns(bradescoCredit, 3, 43, '7'))).toEqual([true, ['bank-digit-not-blank', 3, '43']])
  })

  test('Bradesco: payees at Bradesco and at another bank in one batch', () => {
    const mixed = chamber(chamber(records('237', credit, { ...credit, payeeBank: '341' }), '000'), '018', 5)
    expect(told(mixed)).toEqual([true, ['bank-payees-mixed', 5, '21-23']])
  })

  test.each(['001', '033', '104', '237'])('%s: a TED through another chamber than 018', (bank) => {
    expect(told(chamber(records(bank, transfer), '700'))).toEqual([true, ['bank-chamber', 3, '18-20']])
  })

  test('Itaú: the chamber of a TED is 018 or, as in the older manual, zeros; and it leaves Itaú', () => {
    const itau = records('341', { ...transfer, payeeBank: '237' })
    expect(told(chamber(itau, '000'))).toEqual([true])
    expect(told(chamber(itau, '009'))).toEqual([true, ['bank-chamber', 3, '18-20']])
    expect(told(records('341', transfer))).toEqual([true, ['bank-ted-within', 3, '18-20']])
  })

  test('a slip of another bank under the form for the bank’s own, and the other way about', () => {
    const slip = { segment: 'J', amountCentavos: 12_345, barcode: exampleBarcodes.slip } as const
    expect(told(records('237', { ...slip, form: '30' }))).toEqual([true, ['bank-slip-form', 3, '18-20']])
    expect(told(records('341', { ...slip, form: '31' }))).toEqual([true, ['bank-slip-form', 3, '18-20']])
    expect(told(records('341', { ...slip, form: '30' }))).toEqual([true])
  })

  test('Banco do Brasil and Bradesco: records that end with LF alone', () => {
    for (const bank of ['001', '237'])
      expect(told(records(bank, transfer), 'Warn', '\n')).toEqual([true, ['bank-line-ending', 1, null]])
    expect(told(records('033', transfer), 'Warn', '\n')).toEqual([true])
  })

  test('refuse the file, or are left out, as the setting says', () => {
    const wrong = chamber(bradescoCredit, '018')
    expect(told(wrong, 'Refuse')).toEqual([false, ['bank-ted-within', 3, '18-20']])
    expect(told(wrong, 'Off')).toEqual([true])
  })

  test('name the place they were read in', () => {
    const reading = readRemittance(fileOf(chamber(bradescoCredit, '018')), { bankRules: 'Warn' })
    expect(reading.warnings[0]!.message).toMatch(/\(Bradesco, Multipag validator, segment A 18-20\)\.$/)
  })
})
