import { actorOf } from '@chancela/admin-console'
import { serve } from '@chancela/service-kernel/http'
import { endSessionAtConsole, listSessions, listUses } from '../../contract/console-sessions.ts'
import type { SessionAdmin } from '../../parts/console/sessions.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console routes of sessions and the audit of their uses. */
export function serveSessions(app: ConsoleApp, admin: SessionAdmin): void {
  serve(app, listSessions, ({ query, now }) => admin.sessions(query, now))
  serve(app, endSessionAtConsole, ({ params, caller, now }) => admin.end(params.id, actorOf(caller), now))
  serve(app, listUses, ({ query }) => admin.uses(query))
}
