import { type StoredApiKeyRing, serve } from '@chancela/service-kernel/http'
import * as domain from '../actions/organizations/applications.ts'
import { requiredOrganization } from '../actions/organizations/organizations.ts'
import type { Context } from '../context.ts'
import * as contract from '../contract/organizations.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of applications and their keys. */
export function serveApplications(app: PlatformApp, context: Context, ring: StoredApiKeyRing): void {
  const keys = { context, ring }
  serve(app, contract.listApplications, async ({ caller, params }) =>
    domain.listedApplications(context, await requiredOrganization(context, caller, params.orgId)),
  )
  serve(app, contract.createApplication, async ({ caller, params, body, now }) =>
    domain.createApplication(keys, caller, await requiredOrganization(context, caller, params.orgId), body, now),
  )
  serve(app, contract.createApplicationKey, async ({ caller, params, body, now }) => {
    const organization = await requiredOrganization(context, caller, params.orgId)
    return domain.createFurtherKey(keys, caller, organization, params.applicationId, body, now)
  })
  serve(app, contract.revokeApplicationKey, async ({ caller, params, now }) => {
    const organization = await requiredOrganization(context, caller, params.orgId)
    await domain.revokeApplicationKey(keys, caller, organization, params, now)
  })
}
