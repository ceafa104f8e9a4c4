import type { AuditEvent } from '@chancela/service-kernel/events'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { listEvents, listEventTypes } from '../../contract/events.ts'
import type { ReportLocale } from '../../rules/cnab240/entry-codes.ts'
import { eventIn } from '../../rules/sentences.ts'
import { displayLanguage } from './culture.ts'
import { eventFilter } from './event-filter.ts'
import type { FullApp } from './full-app.ts'

/** Registers the operational event log. */
export function serveEvents(
  app: FullApp,
  { events, store, settings }: Pick<Context, 'events' | 'store' | 'settings'>,
): void {
  serve(app, listEvents, async (call) => {
    const { query } = call
    const locale = displayLanguage(call)
    const { items, page, pageSize, total } = await events.list(eventFilter(query, settings.Site.TimeZone))
    return { items: items.map((event) => toWire(event, locale)), page, pageSize, totalCount: total }
  })
  serve(app, listEventTypes, async () => {
    const rows = await store.db.selectFrom('audit_event').select('type').distinct().orderBy('type').execute()
    return { types: rows.map(({ type }) => type) }
  })
}

const toWire = (event: AuditEvent, locale: ReportLocale) => {
  const { id, at, type, code, actor, address, changes } = event
  return {
    id,
    timestamp: at.toISOString(),
    eventType: type,
    message: eventIn(locale, event),
    ...(code !== undefined && { code }),
    actor,
    ...(address !== undefined && { address }),
    ...(changes !== undefined && { changes: { before: { ...changes.before }, after: { ...changes.after } } }),
  }
}
