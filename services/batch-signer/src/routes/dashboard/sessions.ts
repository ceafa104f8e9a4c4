import { serve } from '@chancela/service-kernel/http'
import { endOne, endOthers, sessionsOf } from '../../actions/sessions.ts'
import type { Context } from '../../context.ts'
import { endSession, endSessions, listSessions } from '../../contract/sessions.ts'
import type { FullApp } from '../full/full-app.ts'
import { actorOf, type Operator } from '../operator-access.ts'

/** Registers where operators and approvers are signed in, for operators. */
export function serveSessions(app: FullApp, context: Pick<Context, 'settings' | 'store' | 'events'>): void {
  const askingOf = (caller: Operator, now: Date) => ({ actor: actorOf(caller), sessionId: caller.sessionId, now })
  serve(app, listSessions, async ({ caller, now }) => ({
    items: await sessionsOf(context, {}, askingOf(caller, now)),
  }))
  serve(app, endSession, ({ params: { id }, caller, now }) => endOne(context, {}, id, askingOf(caller, now)))
  serve(app, endSessions, ({ query: { kind }, caller, now }) => endOthers(context, { kind }, askingOf(caller, now)))
}
