import { type Call, serve } from '@chancela/service-kernel/http'
import { endOne, endOthers, sessionsOf } from '../../actions/sessions.ts'
import type { Context } from '../../context.ts'
import { endOwnSession, endOwnSessions, listOwnSessions } from '../../contract/sessions.ts'
import type { ApproverSession } from '../approver-access.ts'
import type { PortalApp } from '../full/full-app.ts'

type Asked = Pick<Call, 'now'> & { readonly caller: ApproverSession }

/** Registers where the caller of the portal is signed in. */
export function serveOwnSessions(app: PortalApp, context: Pick<Context, 'settings' | 'store' | 'events'>): void {
  const askingOf = ({ caller: { email, address, sessionId }, now }: Asked) => ({
    actor: { name: email, address },
    sessionId,
    now,
  })
  serve(app, listOwnSessions, async (call) => {
    const items = await sessionsOf(context, call.caller, askingOf(call))
    return { items: items.map(({ kind: _, way: __, name: ___, ...session }) => session) }
  })
  serve(app, endOwnSession, (call) => endOne(context, call.caller, call.params.id, askingOf(call)))
  serve(app, endOwnSessions, (call) => endOthers(context, call.caller, askingOf(call)))
}
