import { serve } from '@chancela/service-kernel/http'
import * as domain from '../actions/documents/reminders.ts'
import type { Context } from '../context.ts'
import { notifyPending, remindAction } from '../contract/flows.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of e-mail reminders. */
export function serveNotifications(app: PlatformApp, context: Context): void {
  serve(app, remindAction, ({ caller, body, now }) => domain.remindAction(context, caller, body, now))
  serve(app, notifyPending, ({ caller, body, now }) => domain.notifyPending(context, caller, body, now))
}
