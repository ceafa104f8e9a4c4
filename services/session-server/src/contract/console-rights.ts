// What the roles of the console allow here, besides what every console has.
import { administrators, type ConsoleRights, commonRights, everyRole, helpers } from '@chancela/admin-console/contract'

export const consoleRights = {
  ...commonRights,
  'overview.read': everyRole,
  'certificates.read': everyRole,
  // A certificate that was renewed or comes back into force: its holder is told so at once.
  'certificates.recheck': helpers,
  'certificates.manage': administrators,
  'sessions.read': everyRole,
  'sessions.end': helpers,
  'signatures.read': everyRole,
  'lockouts.read': everyRole,
  'lockouts.clear': helpers,
  'workstations.read': everyRole,
  'workstations.enrol': helpers,
  // Whose certificates a workstation may offer is not a help desk's to say.
  'workstations.manage': administrators,
} as const satisfies ConsoleRights

export type SessionServerRight = keyof typeof consoleRights
