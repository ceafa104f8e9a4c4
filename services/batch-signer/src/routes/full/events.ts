import type { AuditEvent } from '@chancela/service-kernel/events'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { listEvents, listEventTypes } from '../../contract/events.ts'
import { eventFilter } from './event-filter.ts'
import type { FullApp } from './full-app.ts'

/** Registers the operational event log. */
export function serveEvents(
  app: FullApp,
  { events, store, settings }: Pick<Context, 'events' | 'store' | 'settings'>,
): void {
  serve(app, listEvents, async ({ query }) => {
    const { items, page, pageSize, total } = await events.list(eventFilter(query, settings.Site.TimeZone))
    return { items: items.map(toWire), page, pageSize, totalCount: total }
  })
  serve(app, listEventTypes, async () => {
    const rows = await store.db.selectFrom('audit_event').select('type').distinct().orderBy('type').execute()
    return { types: rows.map(({ type }) => type) }
  })
}

const toWire = ({ id, at, type, text, code, actor }: AuditEvent) => ({
  id,
  timestamp: at.toISOString(),
  eventType: type,
  message: text,
  ...(code !== undefined && { code }),
  actor,
})
