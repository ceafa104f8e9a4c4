import { serve } from '@chancela/service-kernel/http'
import { listedEvents } from '../../console/events.ts'
import { listEvents } from '../../contract/console-events.ts'
import type { Ground } from '../../wiring.ts'
import type { ConsoleApp } from './console-app.ts'

/** Puts the log of what administrators did on the console. */
export function serveEvents(app: ConsoleApp, { events }: Pick<Ground, 'events'>): void {
  serve(app, listEvents, ({ query }) => listedEvents(events, query))
}
