import { Readable } from 'node:stream'
import {
  type EventLog,
  type EventTables,
  type EventText,
  eventFormats,
  exportEvents,
} from '@chancela/service-kernel/events'
import { attachment, serve } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import { act, actorOf } from './audit.ts'
import type { ConsoleApp } from './console-app.ts'
import { type CommonConsoleErrorCode, eventFiles, type eventList } from './contract/index.ts'
import { listedEvents } from './listed-events.ts'

/** Adds the event log to the console, with the kinds of events of the service and their sentences, and its export. */
export function serveEvents<Code extends string, Tables extends EventTables>(
  app: ConsoleApp<Code | CommonConsoleErrorCode>,
  route: ReturnType<typeof eventList>,
  { events, store }: { readonly events: EventLog; readonly store: Store<Tables> },
  textIn: EventText,
): void {
  serve(app, route, ({ query, locale }) =>
    listedEvents(events, query, { textIn, language: query.language ?? (locale === 'pt-BR' ? locale : 'en-US') }),
  )
  for (const format of eventFormats)
    serve(app, eventFiles[format], async ({ query: { from, to, language = 'pt-BR' }, caller, now, reply }) => {
      const exported = act('AuditExported', actorOf(caller), ['events', format], { format: format.toUpperCase() })
      await events.record(store.db, exported)
      reply.header('content-disposition', attachment(`events-${now.toISOString().slice(0, 10)}.${format}`))
      const asked = { format, language, from: timeOf(from), to: timeOf(to), textIn }
      return Readable.from(exportEvents(store.db, asked))
    })
}

const timeOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))
