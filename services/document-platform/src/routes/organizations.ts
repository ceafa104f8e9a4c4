import { serve } from '@chancela/service-kernel/http'
import { addUser, listedUsers, removeUser } from '../actions/organizations/organization-users.ts'
import * as domain from '../actions/organizations/organizations.ts'
import type { Context } from '../context.ts'
import * as contract from '../contract/organizations.ts'
import { operations, rights } from '../rules/rights.ts'
import type { PlatformApp } from './platform-app.ts'

/** Registers the routes of organizations and their users. */
export function serveOrganizations(app: PlatformApp, context: Context): void {
  serve(app, contract.readOrganization, async ({ caller, params }) =>
    domain.organizationDetails(context, caller, await domain.requiredOrganization(context, caller, params.orgId)),
  )
  serve(app, contract.readRights, () => operations.map((operation) => ({ operation, reaches: rights[operation] })))
  serve(app, contract.updateOrganization, async ({ caller, params, body, now }) => {
    const organization = await domain.requiredOrganization(context, caller, params.orgId)
    const changed = await domain.updateOrganization(context, caller, organization, body, now)
    return domain.organizationDetails(context, caller, changed)
  })
  serve(app, contract.listOrganizations, ({ caller, query }) => domain.listedOrganizations(context, caller, query))
  serve(app, contract.createOrganization, async ({ caller, body, now }) =>
    domain.organizationDetails(context, caller, await domain.createOrganization(context, caller, body, now)),
  )
  serve(app, contract.deleteOrganization, ({ caller, params, now }) =>
    domain.deleteOrganization(context, caller, params.orgId, now),
  )

  serve(app, contract.listOwnUsers, ({ caller, query }) => listedUsers(context, caller.organizationId, query))
  serve(app, contract.addOwnUser, async ({ caller, body, now }) =>
    addUser(context, caller, await domain.requiredOrganization(context, caller, caller.organizationId), body, now),
  )
  serve(app, contract.removeOwnUser, async ({ caller, params, now }) => {
    const organization = await domain.requiredOrganization(context, caller, caller.organizationId)
    await removeUser(context, caller, organization, params.userId, now)
  })
  serve(app, contract.listUsersOf, async ({ caller, params, query }) => {
    const { id } = await domain.requiredOrganization(context, caller, params.orgId)
    return listedUsers(context, id, query)
  })
  serve(app, contract.addUserTo, async ({ caller, params, body, now }) =>
    addUser(context, caller, await domain.requiredOrganization(context, caller, params.orgId), body, now),
  )
  serve(app, contract.removeUserFrom, async ({ caller, params, now }) => {
    const organization = await domain.requiredOrganization(context, caller, params.orgId)
    await removeUser(context, caller, organization, params.userId, now)
  })
}
