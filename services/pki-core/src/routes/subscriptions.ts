import { serve } from '@chancela/service-kernel/http'
import { byKey, type Management } from '../actions/management/acting.ts'
import * as subscriptions from '../actions/management/subscriptions.ts'
import * as contract from '../contract/subscriptions.ts'
import type { CoreApp } from './core-app.ts'

/** Subscriptions, for roles in the instance. */
export function serveSubscriptions(app: CoreApp, management: Management): void {
  serve(app, contract.listSubscriptions, ({ query }) => subscriptions.listedSubscriptions(management, query))
  serve(app, contract.createSubscription, ({ caller, body, now, request }) =>
    subscriptions.createSubscription(management, byKey(caller, request.ip), body.name, now),
  )
  serve(app, contract.readSubscription, ({ params }) => subscriptions.readOne(management, params.id))
  serve(app, contract.changeSubscription, ({ caller, params, body, now, request }) =>
    subscriptions.changeOne(management, byKey(caller, request.ip), params.id, body, now),
  )
}
