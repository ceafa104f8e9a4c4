import { serve } from '@chancela/service-kernel/http'
import { addUser, listedUsers, removeUser } from '../actions/organizations/organization-users.ts'
import * as domain from '../actions/organizations/organizations.ts'
import type { Ground } from '../context.ts'
import * as contract from '../contract/organizations.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts organizations and their users on the surface. */
export function serveOrganizations(app: PlatformApp, ground: Ground): void {
  serve(app, contract.readOrganization, async ({ caller, params }) =>
    domain.organizationDetails(ground, caller, await domain.requiredOrganization(ground, caller, params.orgId)),
  )
  serve(app, contract.updateOrganization, async ({ caller, params, body }) => {
    const organization = await domain.administeredOrganization(ground, caller, params.orgId)
    return domain.organizationDetails(ground, caller, await domain.updateOrganization(ground, organization, body))
  })
  serve(app, contract.listOrganizations, ({ caller, query }) => domain.listedOrganizations(ground, caller, query))
  serve(app, contract.createOrganization, async ({ caller, body, now }) =>
    domain.organizationDetails(ground, caller, await domain.createOrganization(ground, body, now)),
  )
  serve(app, contract.deleteOrganization, ({ caller, params, now }) =>
    domain.deleteOrganization(ground, caller, params.orgId, now),
  )

  serve(app, contract.listOwnUsers, ({ caller, query }) => listedUsers(ground, caller.organizationId, query))
  serve(app, contract.addOwnUser, async ({ caller, body, now }) =>
    addUser(ground, caller, await domain.administeredOrganization(ground, caller, caller.organizationId), body, now),
  )
  serve(app, contract.removeOwnUser, async ({ caller, params }) =>
    removeUser(ground, await domain.administeredOrganization(ground, caller, caller.organizationId), params.userId),
  )
  serve(app, contract.listUsersOf, async ({ caller, params, query }) => {
    const { id } = await domain.requiredOrganization(ground, caller, params.orgId)
    return listedUsers(ground, id, query)
  })
  serve(app, contract.addUserTo, async ({ caller, params, body, now }) =>
    addUser(ground, caller, await domain.administeredOrganization(ground, caller, params.orgId), body, now),
  )
  serve(app, contract.removeUserFrom, async ({ caller, params }) =>
    removeUser(ground, await domain.administeredOrganization(ground, caller, params.orgId), params.userId),
  )
}
