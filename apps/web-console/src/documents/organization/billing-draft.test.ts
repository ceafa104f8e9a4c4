import { expect, test } from 'vitest'
import type { Billing } from '../api/types.ts'
import { asBilling, billingDraft } from './billing-draft.ts'

const stored: Billing = {
  type: 'Company',
  contactName: 'Ana',
  email: 'ana@empresa.example',
  phone: '+55 11 5555-0100',
  company: { name: 'Empresa', identifier: '11222333000181', stateRegistration: '110042490114' },
  zipCode: '01310-100',
  city: 'São Paulo',
  state: 'SP',
  cityCode: '3550308',
}

test('an organization without billing information begins with an empty company', () => {
  expect(billingDraft(null)).toMatchObject({ type: 'Company', name: '', fields: { email: '', city: '' } })
})

test('what the form does not show stays as it is stored', () => {
  const draft = billingDraft(stored)
  expect(asBilling({ ...draft, name: ' Empresa Nova ' }, stored)).toMatchObject({
    company: { name: 'Empresa Nova', identifier: '11222333000181', stateRegistration: '110042490114' },
    cityCode: '3550308',
    email: 'ana@empresa.example',
  })
})

test('a person is billed in place of the company', () => {
  const draft = { ...billingDraft(stored), type: 'Individual' as const, name: 'Ana', identifier: '52998224725' }
  const billing = asBilling(draft, stored)
  expect(billing).toMatchObject({ type: 'Individual', individual: { name: 'Ana', identifier: '52998224725' } })
  expect(billing).not.toHaveProperty('company')
})

test('an emptied field is sent as nothing', () => {
  const draft = billingDraft(stored)
  expect(asBilling({ ...draft, fields: { ...draft.fields, contactName: ' ' } }, stored).contactName).toBeNull()
})
