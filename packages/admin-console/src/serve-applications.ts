import { type ApiKeyTables, serve } from '@chancela/service-kernel/http'
import type { ApplicationAdmin } from './applications.ts'
import { actorOf } from './audit.ts'
import type { ConsoleApp } from './console-app.ts'
import {
  type CommonConsoleErrorCode,
  createApplication,
  createApplicationKey,
  listApplications,
  revokeApplicationKey,
  switchApplication,
} from './contract/index.ts'

/** Adds the routes of client applications and their keys to the console; creating keys differs between services. */
export function serveApplications<Code extends string, Tables extends ApiKeyTables>(
  app: ConsoleApp<Code | CommonConsoleErrorCode>,
  admin: ApplicationAdmin<Tables>,
): void {
  serve(app, listApplications, () => admin.list())
  serve(app, createApplication, ({ body, caller, now }) => admin.create(body.name, actorOf(caller), now))
  serve(app, switchApplication, ({ params, body, caller, now }) =>
    admin.switch(params.id, body.disabled, actorOf(caller), now),
  )
  serve(app, revokeApplicationKey, ({ params, caller, now }) => admin.revokeKey(params.id, actorOf(caller), now))
}

/** Adds key creation to the console, for a service whose keys have no additional fields. */
export function serveKeyCreation<Code extends string, Tables extends ApiKeyTables>(
  app: ConsoleApp<Code | CommonConsoleErrorCode>,
  admin: ApplicationAdmin<Tables>,
): void {
  serve(app, createApplicationKey, ({ params, body, caller, now }) =>
    admin.createKey(params.id, body, actorOf(caller), now),
  )
}
