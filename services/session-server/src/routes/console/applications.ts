import { serve } from '@chancela/service-kernel/http'
import type { Applications } from '../../console/applications.ts'
import {
  createApplication,
  createApplicationKey,
  listApplications,
  revokeApplicationKey,
  switchApplication,
} from '../../contract/console-applications.ts'
import type { ConsoleApp } from './console-app.ts'

/** Puts client applications and their keys on the console. */
export function serveApplications(app: ConsoleApp, applications: Applications): void {
  serve(app, listApplications, () => applications.list())
  serve(app, createApplication, ({ body, caller, now }) => applications.create(body.name, caller.email, now))
  serve(app, switchApplication, ({ params, body, caller, now }) =>
    applications.switch(params.id, body.disabled, caller.email, now),
  )
  serve(app, createApplicationKey, ({ params, body, caller, now }) =>
    applications.createKey(params.id, body, caller.email, now),
  )
  serve(app, revokeApplicationKey, ({ params, caller, now }) => applications.revokeKey(params.id, caller.email, now))
}
