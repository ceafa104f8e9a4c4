import { type ApplicationAdmin, actorOf, serveApplications as serveCommonApplications } from '@chancela/admin-console'
import { serve } from '@chancela/service-kernel/http'
import {
  addRedirectUri,
  createApplicationKey,
  listRedirectUris,
  removeRedirectUri,
} from '../../contract/console-applications.ts'
import type { RedirectUriAdmin } from '../../parts/console/redirect-uris.ts'
import type { Tables } from '../../store/tables.ts'
import type { ConsoleApp } from './console-app.ts'

/** Registers the console routes of client applications, their keys and redirect URIs. */
export function serveApplications(app: ConsoleApp, admin: ApplicationAdmin<Tables>, uris: RedirectUriAdmin): void {
  serveCommonApplications(app, admin)
  serve(app, createApplicationKey, ({ params, body: { redirectUris = [], ...key }, caller, now }) =>
    admin.createKey(params.id, key, actorOf(caller), now, async (tx, keyId) => {
      for (const uri of redirectUris) await uris.addIn(tx, keyId, uri, actorOf(caller), now)
    }),
  )
  serve(app, listRedirectUris, () => uris.list())
  serve(app, addRedirectUri, ({ params, body, caller, now }) => uris.add(params.id, body.uri, actorOf(caller), now))
  serve(app, removeRedirectUri, ({ params, query, caller }) => uris.remove(params.id, query.uri, actorOf(caller)))
}
