// What the roles of the admin page allow here, besides what every console has.
import {
  administrators,
  type ConsoleRights,
  commonRights,
  everyRole,
  helpers,
  readers,
} from '@chancela/admin-console/contract'

export const consoleRights = {
  ...commonRights,
  'overview.read': everyRole,
  'providers.read': readers,
  // A test calls the provider with the credentials of the hub.
  'providers.manage': administrators,
  'sessions.read': everyRole,
  'sessions.end': helpers,
  'uses.read': everyRole,
} as const satisfies ConsoleRights

export type HubRight = keyof typeof consoleRights
