import { plus } from '@chancela/service-kernel/clock'
import type { AuditEvent, EventLog, EventText } from '@chancela/service-kernel/events'
import type { InterfaceLanguage } from '@chancela/service-kernel/i18n'
import type { Static } from 'typebox'
import type { eventList } from './contract/index.ts'
import { DEFAULT_LIMIT, foreignCursor, readCursor, writeCursor } from './cursor.ts'

/** In which language events are told, and how. */
interface Reader {
  readonly language: InterfaceLanguage
  readonly textIn: EventText
}

/**
 * A page of events. The log pages from its newest event, and new ones arrive meanwhile: a cursor also contains where
 * the first page began, so that no event is shown twice.
 */
export async function listedEvents(
  events: EventLog,
  { limit = DEFAULT_LIMIT, cursor, type, q }: Static<ReturnType<typeof eventList>['query']>,
  reader: Reader,
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
  return { items: items.map((event) => eventView(event, reader)), nextCursor: page * limit < total ? next() : null }
}

function placeOf(cursor: string): { readonly to: Date; readonly page: number } {
  const [to, page] = readCursor(cursor, 2).map((key, at) => (at === 0 ? Date.parse(key) : Number(key)))
  if (Number.isNaN(to) || !Number.isInteger(page) || page! < 1) throw foreignCursor()
  return { to: new Date(to!), page: page! }
}

function eventView(event: AuditEvent, { textIn, language }: Reader) {
  const { id, at, type, actor, address, subject, changes } = event
  const text = textIn(language, event)
  return {
    id,
    at: at.toISOString(),
    type,
    actor,
    address: address ?? null,
    text,
    // What has no other words than the stored ones is in their language.
    textLanguage: text === event.text ? ('en-US' as const) : language,
    subject: subject ?? null,
    changes: changes ?? null,
  }
}
