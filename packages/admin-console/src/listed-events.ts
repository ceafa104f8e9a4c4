import { plus } from '@chancela/service-kernel/clock'
import type { AuditEvent, EventLog } from '@chancela/service-kernel/events'
import type { Static } from 'typebox'
import type { eventList } from './contract/index.ts'
import { DEFAULT_LIMIT, foreignCursor, readCursor, writeCursor } from './cursor.ts'

/**
 * A page of events. The log pages from its newest event, and new ones arrive meanwhile: a cursor also contains where
 * the first page began, so that no event is shown twice.
 */
export async function listedEvents(
  events: EventLog,
  { limit = DEFAULT_LIMIT, cursor, type, q }: Static<ReturnType<typeof eventList>['query']>,
) {
  const { to, page } = cursor === undefined ? { page: 1 } : placeOf(cursor)
  const { items, total } = await events.list({
    page,
    pageSize: limit,
    ...(to && { to }),
    ...(type && { type }),
    ...(q && { text: q }),
  })
  const next = () => writeCursor([(to ?? plus(items[0]!.at, 1)).toISOString(), String(page + 1)])
  return { items: items.map(eventView), nextCursor: page * limit < total ? next() : null }
}

function placeOf(cursor: string): { readonly to: Date; readonly page: number } {
  const [to, page] = readCursor(cursor, 2).map((key, at) => (at === 0 ? Date.parse(key) : Number(key)))
  if (Number.isNaN(to) || !Number.isInteger(page) || page! < 1) throw foreignCursor()
  return { to: new Date(to!), page: page! }
}

const eventView = ({ id, at, type, actor, address, text, subject, changes }: AuditEvent) => ({
  id,
  at: at.toISOString(),
  type,
  actor,
  address: address ?? null,
  text,
  subject: subject ?? null,
  changes: changes ?? null,
})
