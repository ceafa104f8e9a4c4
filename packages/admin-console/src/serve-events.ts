import type { EventLog } from '@chancela/service-kernel/events'
import { serve } from '@chancela/service-kernel/http'
import type { ConsoleApp } from './console-app.ts'
import type { CommonConsoleErrorCode, eventList } from './contract/index.ts'
import { listedEvents } from './listed-events.ts'

/** Adds the event log to the console, with the kinds of events of the service. */
export function serveEvents<Code extends string>(
  app: ConsoleApp<Code | CommonConsoleErrorCode>,
  route: ReturnType<typeof eventList>,
  events: EventLog,
): void {
  serve(app, route, ({ query }) => listedEvents(events, query))
}
