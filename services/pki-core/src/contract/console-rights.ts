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
  'subscriptions.read': everyRole,
  'subscriptions.manage': administrators,
  'security-contexts.read': readers,
  'security-contexts.manage': administrators,
  'signature-sessions.read': everyRole,
  'signature-sessions.cancel': helpers,
  'bio-subjects.read': readers,
  'bio-subjects.delete': administrators,
  'activity.read': everyRole,
} as const satisfies ConsoleRights

export type CoreRight = keyof typeof consoleRights
