import { serve } from '@chancela/service-kernel/http'
import * as second from '../actions/accounts/second-factor.ts'
import * as domain from '../actions/organizations/users.ts'
import type { Context } from '../context.ts'
import { listUsers, resetSecondFactor, updateUser } from '../contract/organizations.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts the accounts of the instance on the surface, for its administration. */
export function serveUsers(app: PlatformApp, context: Context): void {
  serve(app, listUsers, ({ query }) => domain.listedAccounts(context, query))
  serve(app, resetSecondFactor, ({ caller, params, now }) =>
    second.resetSecondFactor(context, caller, params.subject, now),
  )
  serve(app, updateUser, ({ caller, params, body, now }) =>
    domain.updateUser(context, caller, params.subject, body, now),
  )
}
