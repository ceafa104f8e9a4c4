import { expect, test } from 'vitest'
import type { Payment, RemittanceSummary } from './cnab240/remittance.ts'
import { maskedPayment, maskedSummary } from './portal.ts'

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
