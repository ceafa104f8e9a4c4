import { serve } from '@chancela/service-kernel/http'
import * as domain from '../actions/documents/reminders.ts'
import type { Ground } from '../context.ts'
import { notifyPending, remindAction } from '../contract/flows.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts reminders by e-mail on the surface. */
export function serveNotifications(app: PlatformApp, ground: Ground): void {
  serve(app, remindAction, ({ caller, body, now }) => domain.remindAction(ground, caller, body, now))
  serve(app, notifyPending, ({ caller, body, now }) => domain.notifyPending(ground, caller, body, now))
}
