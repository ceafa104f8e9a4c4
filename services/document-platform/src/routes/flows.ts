import { serve } from '@chancela/service-kernel/http'
import * as domain from '../actions/flows/saved-flows.ts'
import type { Context } from '../context.ts'
import { createFlow, deleteFlow, listFlows, readFlow, updateFlow } from '../contract/flows.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of saved flows. */
export function serveFlows(app: PlatformApp, context: Context): void {
  serve(app, listFlows, ({ caller, query }) => domain.listedFlows(context, caller, query))
  serve(app, createFlow, ({ caller, body, now }) => domain.saveFlow(context, caller, body, now))
  serve(app, readFlow, ({ caller, params }) => domain.readFlow(context, caller, params.id))
  serve(app, updateFlow, ({ caller, params, body, now }) => domain.updateFlow(context, caller, params.id, body, now))
  serve(app, deleteFlow, ({ caller, params, now }) => domain.deleteFlow(context, caller, params.id, now))
}
