import type { CommonConsoleErrorCode, eventList } from '../contract/index.ts'
import type { EventLog } from '../events/index.ts'
import { serve } from '../http/index.ts'
import type { ConsoleApp } from './console-app.ts'
import { listedEvents } from './listed-events.ts'

/** Puts the log of what administrators did on the console, with the kinds of events the service knows. */
export function serveEvents<Code extends string>(
  app: ConsoleApp<Code | CommonConsoleErrorCode>,
  route: ReturnType<typeof eventList>,
  events: EventLog,
): void {
  serve(app, route, ({ query }) => listedEvents(events, query))
}
