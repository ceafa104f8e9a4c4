import { expect, test } from 'vitest'
import type { Payment, RemittanceSummary } from './cnab240/remittance.ts'
import { dateWarning, maskedPayment, maskedSummary } from './portal.ts'

test('a stranger sees check digits of a person and the end of an account, no branch and no barcode', () => {
  const payment = { payeeId: '52998224725', payeeBranch: '01234-3', payeeAccount: '0000123456-7', barcode: '0339' }
  expect(maskedPayment({ ...payment, payeeName: 'Ana', amountCentavos: 5 } as Payment)).toEqual({
    payeeId: '*********25',
    payeeBranch: null,
    payeeAccount: '*********6-7',
    barcode: null,
    payeeName: 'Ana',
    amountCentavos: 5,
  })
  expect(maskedPayment({ payeeId: null, payeeAccount: null } as Payment)).toMatchObject({ payeeId: null })
  expect(maskedSummary({ payerId: '11222333000181' } as RemittanceSummary).payerId).toBe('************81')
})

test('approvers are warned of a payment date that has passed, by what the profile checks now', () => {
  const checks = { checkCnab240: true, checkCnab240PaymentDates: true }
  const due = { earliestPaymentDate: '2026-03-05' }
  const warned = (today: string, profile: Parameters<typeof dateWarning>[1]) => dateWarning(due, profile, today)
  expect(warned('2026-03-05', checks)).toBeNull()
  expect(warned('2026-03-06', checks)).toBe('will-fail')
  expect(warned('2026-03-06', { ...checks, checkCnab240PaymentDates: false })).toBe('will-be-signed')
  expect(warned('2026-03-06', { ...checks, checkCnab240: false })).toBe('will-be-signed')
  expect(warned('2026-03-06', undefined)).toBe('unknown-profile')
  for (const none of [null, { earliestPaymentDate: null }]) expect(dateWarning(none, checks, '2026-03-06')).toBeNull()
})
