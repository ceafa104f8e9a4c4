import { buildRemittance } from '@chancela/testkit/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remittanceHistoryLines } from '../remittance-history.ts'
import { FINDINGS_LISTED } from './findings.ts'
import { looksLikeCnab240 } from './looks-like-cnab240.ts'
import { readRemittance } from './read-remittance.ts'
import type { RemittanceReading } from './remittance.ts'
import { remittanceReportText } from './remittance-report.ts'

const CNPJ = '12345678000195'
const samples = ['001', '033', '104', '237', '341'].map((bank) => ({
  bank,
  file: buildRemittance({
    bank,
    ending: 'none',
    payments: [
      { segment: 'A', amountCentavos: 100_001, payeeId: CNPJ, dueDate: '2030-03-01' },
      { segment: 'A', amountCentavos: 7, movement: '9' },
      { segment: 'J', amountCentavos: 20_002, payeeId: CNPJ },
      { segment: 'O', amountCentavos: 3_003 },
      { segment: 'N', amountCentavos: 404, payeeId: CNPJ },
    ],
  }),
}))
const aSample = fc.constantFrom(...samples)

/** The total by an independent route: columns as the manuals print them, straight off the bytes. */
function totalByHand(bank: string, file: Buffer): number {
  const amountColumns: Readonly<Record<string, readonly [number, number]>> = {
    A: [120, 134],
    J: [153, 167],
    O: bank === '341' ? [122, 136] : [108, 122],
    N: bank === '341' ? [106, 119] : [96, 110],
  }
  let total = 0
  for (let start = 0; start < file.length; start += 240) {
    const record = file.toString('latin1', start, start + 240)
    const columns = amountColumns[record[13]!]
    const parties = /^52\d{16}/.test(record.slice(17)) && record[13] === 'J'
    if (record[7] !== '3' || record[14] !== '0' || columns === undefined || parties) continue
    total += Number(record.slice(columns[0] - 1, columns[1]))
  }
  return total
}

function expectSound(reading: RemittanceReading): void {
  expect(reading.warnings.length).toBeLessThanOrEqual(FINDINGS_LISTED)
  const listed = reading.ok ? reading.warnings : reading.violations
  expect(listed.length).toBeLessThanOrEqual(FINDINGS_LISTED)
  if (reading.ok) expect(Number.isSafeInteger(reading.summary.totalCentavos)).toBe(true)
  else expect(reading.violations.length).toBeGreaterThan(0)
  for (const finding of listed) expect(finding.message).not.toMatch(/\{\w+\}|undefined|NaN/)
  expect(remittanceReportText(reading, { locale: 'pt-BR' })).not.toMatch(/undefined|NaN/)
  expect(remittanceHistoryLines(reading).length).toBeGreaterThan(0)
}

describe('a file with one byte changed', () => {
  test('is refused, or sums to what its bytes say', () => {
    fc.assert(
      fc.property(aSample, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ bank, file }, at, byte) => {
        const mutated = Buffer.from(file)
        mutated[at % file.length] = byte
        const reading = readRemittance(mutated)
        expectSound(reading)
        if (reading.ok && reading.summary.bankCode === bank) {
          expect(reading.summary.totalCentavos).toBe(totalByHand(bank, mutated))
        }
      }),
      { numRuns: 3_000 },
    )
  })

  test('in the frame of a record is never accepted with another meaning', () => {
    for (const { file } of samples) {
      for (let start = 0; start < file.length; start += 240) {
        for (let column = 1; column <= 8; column++) {
          const mutated = Buffer.from(file)
          const at = start + column - 1
          mutated[at] = mutated[at] === 0x37 ? 0x36 : 0x37
          expect(readRemittance(mutated).ok, `record ${start / 240 + 1}, column ${column}`).toBe(false)
        }
      }
    }
  })
})

test('a byte inserted or removed is always refused', () => {
  fc.assert(
    fc.property(aSample, fc.nat(), fc.constantFrom(0x20, 0x30, 0x41), fc.boolean(), ({ file }, at, byte, insert) => {
      const index = at % file.length
      const inserted = insert ? [Buffer.of(byte)] : []
      const shifted = Buffer.concat([file.subarray(0, index), ...inserted, file.subarray(insert ? index : index + 1)])
      const reading = readRemittance(shifted)
      expectSound(reading)
      expect(reading.ok).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('any bytes at all get an answer', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.string({ maxLength: 1_000 }).map((text) => Buffer.from(text)),
    fc.tuple(aSample, fc.nat()).map(([{ file }, length]) => file.subarray(0, length % file.length)),
    fc.array(fc.stringMatching(/^[0-9A-Z ]{240}$/), { maxLength: 4 }).map((records) => Buffer.from(records.join('\n'))),
  )
  fc.assert(
    fc.property(anything, (bytes) => {
      expectSound(readRemittance(bytes))
      expect(typeof looksLikeCnab240(bytes)).toBe('boolean')
    }),
    { numRuns: 500 },
  )
})

test('any payments that are built are read back', () => {
  const payment = fc.record({
    segment: fc.constantFrom('A', 'J', 'N', 'O'),
    amountCentavos: fc.nat({ max: 99_999_999_999_999 }),
    movement: fc.constantFrom('0', '9'),
    paymentDate: fc
      .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    payeeId: fc.constantFrom('52998224725', CNPJ),
  })
  const plans = fc.record({
    bank: fc.constantFrom('001', '033', '104', '237', '341'),
    ending: fc.constantFrom('crlf', 'lf', 'none'),
    detailsPerBatch: fc.integer({ min: 2, max: 6 }),
    payments: fc.array(payment, { minLength: 1, maxLength: 12 }),
  })
  fc.assert(
    fc.property(plans, (plan) => {
      const reading = readRemittance(buildRemittance(plan))
      if (!reading.ok) throw new Error(JSON.stringify(reading.violations))
      const included = plan.payments.filter(({ movement }) => movement === '0')
      const dates = included.map(({ paymentDate }) => paymentDate).sort()
      expect(reading.summary).toMatchObject({
        totalCentavos: included.reduce((sum, { amountCentavos }) => sum + amountCentavos, 0),
        paymentCount: included.length,
        cancellationCount: plan.payments.length - included.length,
        earliestPaymentDate: dates[0] ?? null,
        latestPaymentDate: dates.at(-1) ?? null,
      })
      expect(reading.payments.map(({ amountCentavos, paymentDate }) => [amountCentavos, paymentDate])).toEqual(
        plan.payments.map(({ amountCentavos, paymentDate }) => [amountCentavos, paymentDate]),
      )
    }),
    { numRuns: 300 },
  )
})
