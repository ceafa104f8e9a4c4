import type { Billing } from '../api/types.ts'

/** Who can be billed, each with the part of the billing information that says who it is. */
export const payers = { Company: 'company', Individual: 'individual' } as const

export type PayerType = keyof typeof payers

/** Fields that are texts on the wire, in the order of the form. */
export const billingFields = [
  'contactName',
  'email',
  'phone',
  'zipCode',
  'streetAddress',
  'addressNumber',
  'additionalAddressInfo',
  'neighborhood',
  'city',
  'state',
] as const satisfies readonly (keyof Billing)[]

type Field = (typeof billingFields)[number]

/** Those without which nobody can be billed. */
export const requiredFields: ReadonlySet<Field> = new Set(['email', 'phone', 'zipCode', 'city', 'state'])

/** Billing information while it is filled in. */
export interface BillingDraft {
  readonly type: PayerType
  readonly name: string
  readonly identifier: string
  readonly fields: Readonly<Record<Field, string>>
}

export function billingDraft(stored: Billing | null): BillingDraft {
  const type = stored?.type ?? 'Company'
  const payer = stored?.[payers[type]]
  return {
    type,
    name: payer?.name ?? '',
    identifier: payer?.identifier ?? '',
    fields: Object.fromEntries(billingFields.map((field) => [field, stored?.[field] ?? ''])) as BillingDraft['fields'],
  }
}

/** The draft in the service's format; values the form does not show stay as they are stored. */
export function asBilling({ type, name, identifier, fields }: BillingDraft, stored: Billing | null): Billing {
  const { company: _, individual: __, ...rest } = stored ?? {}
  const payer = payers[type]
  const typed = Object.fromEntries(billingFields.map((field) => [field, fields[field].trim() || null]))
  return {
    ...rest,
    ...typed,
    type,
    [payer]: { ...stored?.[payer], name: name.trim() || null, identifier: identifier.trim() || null },
  } as Billing
}
