import { serve } from '@chancela/service-kernel/http'
import { byKey, type Management } from '../actions/management/acting.ts'
import * as contexts from '../actions/management/security-contexts.ts'
import * as contract from '../contract/security-contexts.ts'
import type { CoreApp } from './core-app.ts'

/** Whom the caller's subscription trusts. */
export function serveSecurityContexts(app: CoreApp, management: Management): void {
  serve(app, contract.listSecurityContexts, ({ caller }) => contexts.listedContexts(management, caller.subscriptionId))
  serve(app, contract.readSecurityContext, ({ caller, params }) =>
    contexts.readContext(management, caller.subscriptionId, params.id),
  )
  serve(app, contract.createSecurityContext, ({ caller, body, now, request }) =>
    contexts.createContext(management, byKey(caller, request.ip), caller.subscriptionId, body, now),
  )
  serve(app, contract.changeSecurityContext, ({ caller, params, body, now, request }) =>
    contexts.changeContext(management, byKey(caller, request.ip), caller.subscriptionId, params.id, body, now),
  )
  serve(app, contract.deleteSecurityContext, ({ caller, params, request }) =>
    contexts.removeContext(management, byKey(caller, request.ip), caller.subscriptionId, params.id),
  )
  serve(app, contract.changeDefaultSecurityContext, ({ caller, body, request }) =>
    contexts.chooseDefault(management, byKey(caller, request.ip), caller.subscriptionId, body.id),
  )
}
