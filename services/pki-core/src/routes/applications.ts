import { serve } from '@chancela/service-kernel/http'
import { byKey, type Management } from '../actions/management/acting.ts'
import * as keys from '../actions/management/application-keys.ts'
import * as applications from '../actions/management/applications.ts'
import { changeMetadata, defaultMetadata } from '../actions/management/default-metadata.ts'
import * as contract from '../contract/applications.ts'
import type { CoreApp } from './core-app.ts'

/** Applications of the caller's subscription, their roles and keys. */
export function serveApplications(app: CoreApp, management: Management): void {
  serve(app, contract.listApplications, ({ caller, query, request }) =>
    applications.listedApplications(management, byKey(caller, request.ip), caller.subscriptionId, query),
  )
  serve(app, contract.createApplication, ({ caller, body, now, request }) =>
    applications.createIn(management, byKey(caller, request.ip), caller.subscriptionId, body, now),
  )
  serve(app, contract.readNameAvailability, ({ query }) => applications.isAvailable(management, query.name))
  serve(app, contract.readApplication, ({ caller, params, request }) =>
    applications.readApplication(management, byKey(caller, request.ip), caller.subscriptionId, params.id),
  )
  serve(app, contract.deleteApplication, ({ caller, params, now, request }) =>
    applications.deleteApplication(management, byKey(caller, request.ip), caller.subscriptionId, params.id, now),
  )
  serve(app, contract.changeRoles, ({ caller, params, body, request }) =>
    applications.changeRoles(management, byKey(caller, request.ip), caller.subscriptionId, params.id, body.roles),
  )
  serve(app, contract.changeRootRoles, ({ caller, params, body, request }) =>
    applications.changeRootRoles(management, byKey(caller, request.ip), params.id, body),
  )
  serveKeys(app, management)
}

function serveKeys(app: CoreApp, management: Management): void {
  serve(app, contract.listApplicationKeys, ({ caller, params }) =>
    keys.listedKeys(management, caller.subscriptionId, params.id),
  )
  serve(app, contract.createApplicationKey, ({ caller, params, body, now, request }) =>
    keys.newKey(management, byKey(caller, request.ip), caller.subscriptionId, params.id, body, now),
  )
  serve(app, contract.revokeApplicationKey, ({ caller, params, now, request }) =>
    keys.endKey(management, byKey(caller, request.ip), caller.subscriptionId, params, now),
  )
  serve(app, contract.readDefaultMetadata, ({ caller, params }) =>
    defaultMetadata(management, caller.subscriptionId, params.id),
  )
  serve(app, contract.changeDefaultMetadata, ({ caller, params, body, request }) =>
    changeMetadata(management, byKey(caller, request.ip), caller.subscriptionId, params.id, body),
  )
}
