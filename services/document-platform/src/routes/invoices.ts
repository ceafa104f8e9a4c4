import { serve } from '@chancela/service-kernel/http'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import * as domain from '../actions/organizations/invoices.ts'
import type { Context } from '../context.ts'
import { listInvoices, payInvoice, setBillingWebhook } from '../contract/organizations.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of invoices and of their webhook. */
export function serveInvoices(app: PlatformApp, context: Context, policy: AddressPolicy): void {
  serve(app, listInvoices, ({ query }) => domain.listedInvoices(context, query))
  serve(app, payInvoice, ({ params, body }) => domain.payInvoice(context, params.id, body.isPaid))
  serve(app, setBillingWebhook, ({ caller, body, now }) => domain.setBillingWebhook(context, caller, policy, body, now))
}
