import { serve } from '@chancela/service-kernel/http'
import * as domain from '../actions/organizations/users.ts'
import type { Ground } from '../context.ts'
import { listUsers, updateUser } from '../contract/organizations.ts'
import type { PlatformApp } from './platform-app.ts'

/** Puts everybody the instance knows on the surface, for its administration. */
export function serveUsers(app: PlatformApp, ground: Ground): void {
  serve(app, listUsers, ({ query }) => domain.listedPersons(ground, query))
  serve(app, updateUser, ({ params, body, now }) => domain.updateUser(ground, params.subject, body, now))
}
