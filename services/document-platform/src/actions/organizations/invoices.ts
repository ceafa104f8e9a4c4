// Closes months of counted transactions into invoices (document-platform facts 2).

import { createEndpoint, deleteEndpoint, emitEvents, endpointsOf, updateEndpoint } from '@chancela/outbox/webhooks'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Db } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { AuditKind } from '../../contract/audit.ts'
import type { Invoice, listInvoices, setBillingWebhook as webhookRoute } from '../../contract/organizations.ts'
import type { Caller } from '../../rules/caller.ts'
import { type InvoiceTotal, inCents, totalOf } from '../../rules/prices.ts'
import { refuse } from '../../rules/refuse.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import { organizationInfo } from '../../store/organization-reads.ts'
import type { InvoiceRow, Tables } from '../../store/tables.ts'
import { auditedOf, endpointChange, newEndpoint } from './webhooks.ts'

type Tx = Transaction<Tables>

/** A month of an organization; yyyy-MM. */
export interface BilledMonth {
  readonly organization_id: string
  readonly month: string
}

/** Closes a month and notifies the instance's webhook; does nothing when the month is already closed. */
export const closeMonth = (context: Context, billed: BilledMonth, now: Date): Promise<void> =>
  context.store.transaction(async (tx) => {
    const totals = await totalsOf(context, tx, billed)
    const [year, month] = billed.month.split('-').map(Number) as [number, number]
    const values = {
      organization_id: billed.organization_id,
      year,
      month,
      value: inCents(totals.reduce((sum, { value }) => sum + value, 0)),
      totals: JSON.stringify(totals),
      storage_bytes: await storedBytes(tx, billed.organization_id),
      is_paid: 0,
      closed_at: now.toISOString(),
    }
    const invoice = await tx
      .insertInto('invoice')
      .values(values)
      .onConflict((conflict) => conflict.columns(['organization_id', 'year', 'month']).doNothing())
      .returningAll()
      .executeTakeFirst()
    await tx
      .updateTable('billed_transaction')
      .set({ is_closed: 1 })
      .where('organization_id', '=', billed.organization_id)
      .where('month', '=', billed.month)
      .execute()
    if (invoice) await emitClosed(context, tx, { ...invoice, id: Number(invoice.id) }, now)
  })

async function totalsOf({ settings }: Context, tx: Tx, { organization_id, month }: BilledMonth) {
  const counted = await tx
    .selectFrom('billed_transaction')
    .select(['type', 'total'])
    .where('organization_id', '=', organization_id)
    .where('month', '=', month)
    .orderBy('type')
    .execute()
  return counted.map(({ type, total }) => totalOf(settings.Billing.Prices, type, total))
}

/**
 * Bytes of what an organization has: the originals, the signed files beside them, and the attachments. What it deleted
 * and what later signatures replaced is out of its reach, and swept after a while.
 */
async function storedBytes(tx: Tx, organizationId: string): Promise<number> {
  const files = await tx
    .selectFrom('document')
    .select(({ fn, case: when, eb }) =>
      fn
        .sum<number | string | null>(
          eb(
            'size',
            '+',
            when().when('current_digest', '=', eb.ref('original_digest')).then(0).else(eb.ref('current_size')).end(),
          ),
        )
        .as('bytes'),
    )
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const attachments = await tx
    .selectFrom('attachment')
    .innerJoin('document', 'document.id', 'attachment.document_id')
    .select(({ fn }) => fn.sum<number | string | null>('attachment.size').as('bytes'))
    .where('document.organization_id', '=', organizationId)
    .where('document.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(files.bytes ?? 0) + Number(attachments.bytes ?? 0)
}

async function emitClosed(
  { store }: Context,
  tx: Tx,
  invoice: Omit<InvoiceRow, 'id'> & { readonly id: number },
  now: Date,
): Promise<void> {
  const { billing } = await tx
    .selectFrom('organization')
    .select('billing')
    .where('id', '=', invoice.organization_id)
    .executeTakeFirstOrThrow()
  const data = {
    id: invoice.id,
    month: invoice.month,
    year: invoice.year,
    value: invoice.value,
    invoiceTotals: JSON.parse(invoice.totals),
    organization: await organizationInfo(tx, invoice.organization_id),
    billingInformation: billing === null ? null : JSON.parse(billing),
    totalStorageUsed: invoice.storage_bytes,
  }
  const type = 'InvoiceClosed'
  const event = {
    ownerId: SYSTEM_ORGANIZATION,
    type,
    subject: `invoice ${invoice.id}`,
    body: JSON.stringify({ type, data }),
  }
  await emitEvents(store, tx, [event], now)
}

/** Closed invoices, the newest first. */
export async function listedInvoices({ store: { db } }: Context, query: Static<typeof listInvoices.query>) {
  const { limit = 10, offset = 0, order, organizationId } = query
  const rows = await matching(db, organizationId)
    .selectAll()
    .orderBy('id', order === 'Asc' ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const counted = matching(db, organizationId).select(({ fn }) => fn.countAll<number | string>().as('n'))
  const { n } = await counted.executeTakeFirstOrThrow()
  const items = await Promise.all(rows.map((row) => invoiceView(db, row)))
  return { items, totalCount: Number(n), nextCursor: null }
}

const matching = (db: Db<Tables>, organizationId: string | undefined) =>
  db
    .selectFrom('invoice')
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!.toLowerCase()))

async function invoiceView(
  db: Db<Tables>,
  row: Omit<InvoiceRow, 'id'> & { readonly id: number },
): Promise<Static<typeof Invoice>> {
  return {
    id: Number(row.id),
    month: row.month,
    year: row.year,
    value: row.value,
    isPaid: row.is_paid === 1,
    closingDate: row.closed_at,
    invoiceTotals: (JSON.parse(row.totals) as InvoiceTotal[]).map((total) => ({
      ...total,
      price: { ...total.price, priceRanges: [...total.price.priceRanges] },
    })),
    organization: (await organizationInfo(db, row.organization_id))!,
  }
}

const INTEGER = /^\d{1,15}$/

export async function payInvoice({ store }: Context, id: string, isPaid: boolean): Promise<void> {
  const { numUpdatedRows } = await store.db
    .updateTable('invoice')
    .set({ is_paid: isPaid ? 1 : 0 })
    .where('id', '=', INTEGER.test(id) ? Number(id) : -1)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw refuse('InvoiceNotFound', { id })
}

/** Sets where InvoiceClosed goes: one webhook of the instance itself, for nothing else. */
export const setBillingWebhook = (
  { store, secrets, audit }: Context,
  caller: Caller,
  policy: AddressPolicy,
  { url, ...authentication }: Static<typeof webhookRoute.body>,
  now: Date,
) =>
  store.transaction(async (tx) => {
    const owned = await endpointsOf<Tables>(tx, SYSTEM_ORGANIZATION)
    const known = owned.find(({ eventTypes }) => eventTypes?.length === 1 && eventTypes[0] === 'InvoiceClosed')
    const name = known && { ownerId: SYSTEM_ORGANIZATION, id: known.id }
    const record = async (kind: AuditKind, id: string) => {
      const after = (await endpointsOf<Tables>(tx, SYSTEM_ORGANIZATION)).find((each) => each.id === id)
      const subject = { kind: 'webhook', id, name: 'InvoiceClosed' }
      const change = { ...(known && { before: auditedOf(known) }), ...(after && { after: auditedOf(after) }) }
      return audit.record(tx, { kind, organizationId: SYSTEM_ORGANIZATION, actor: caller, subject, ...change }, now)
    }
    if (url === null) {
      if (name && (await deleteEndpoint<Tables>(tx, name, now))) await record('WebhookDeleted', name.id)
      return { webhookId: null, secret: null }
    }
    const body = { url, ...authentication }
    if (name) {
      await updateEndpoint<Tables>(tx, secrets, name, endpointChange(policy, body, known), now)
      await record('WebhookChanged', name.id)
      return { webhookId: name.id, secret: null }
    }
    const settings = newEndpoint(policy, { ...body, eventTypes: ['InvoiceClosed'] })
    const { id, secret } = await createEndpoint<Tables>(tx, secrets, SYSTEM_ORGANIZATION, settings, now)
    await record('WebhookCreated', id)
    return { webhookId: id, secret }
  })
