import { actorOf } from '@chancela/admin-console'
import { serve } from '@chancela/service-kernel/http'
import {
  clearLockout,
  endSession,
  listHistory,
  listLockouts,
  listSessions,
  listSignatures,
} from '../../contract/console-activity.ts'
import type { Activity } from '../../parts/console/activity.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console routes of live sessions, the log of signatures and PIN lockouts. */
export function serveActivity(app: ConsoleApp, activity: Activity): void {
  serve(app, listSessions, ({ query, now }) => activity.sessions(query, now))
  serve(app, listHistory, ({ query, now }) => activity.history(query, now))
  serve(app, endSession, ({ params, caller, now }) => activity.endSession(params.id, actorOf(caller), now))
  serve(app, listSignatures, ({ query }) => activity.signatures(query))
  serve(app, listLockouts, ({ now }) => activity.lockouts(now))
  serve(app, clearLockout, ({ params, caller }) => activity.clearLockout(params.cpf, actorOf(caller)))
}
