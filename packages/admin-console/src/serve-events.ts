import { Readable } from 'node:stream'
import { type EventLog, type EventTables, eventFormats, exportEvents } from '@chancela/service-kernel/events'
import { attachment, serve } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import { act, actorOf } from './audit.ts'
import type { ConsoleApp } from './console-app.ts'
import { type CommonConsoleErrorCode, eventFiles, type eventList } from './contract/index.ts'
import { listedEvents } from './listed-events.ts'

/** Adds the event log to the console, with the kinds of events of the service, and its export. */
export function serveEvents<Code extends string, Tables extends EventTables>(
  app: ConsoleApp<Code | CommonConsoleErrorCode>,
  route: ReturnType<typeof eventList>,
  { events, store }: { readonly events: EventLog; readonly store: Store<Tables> },
): void {
  serve(app, route, ({ query }) => listedEvents(events, query))
  for (const format of eventFormats)
    serve(app, eventFiles[format], async ({ query: { from, to, language = 'pt-BR' }, caller, now, reply }) => {
      const text = `The events were exported as ${format.toUpperCase()}.`
      await events.record(store.db, act('AuditExported', actorOf(caller), ['events', format], text))
      reply.header('content-disposition', attachment(`events-${now.toISOString().slice(0, 10)}.${format}`))
      return Readable.from(exportEvents(store.db, { format, language, from: timeOf(from), to: timeOf(to) }))
    })
}

const timeOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text))
