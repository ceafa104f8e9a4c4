// What the roles of a console allow. Routes name their right in `access`; a service adds its own rights to these.

/**
 * An administrator does everything. An auditor reads everything that may be read, exports it and changes nothing but
 * their own account. Support is a help desk: it reads what holders ask about and does what helps them at once.
 */
export const consoleRoles = ['administrator', 'auditor', 'support'] as const

export type ConsoleRole = (typeof consoleRoles)[number]

/** One right. */
export interface ConsoleRight {
  readonly roles: readonly ConsoleRole[]
  /** Whether a session must have shown lately whose it is: a copied cookie is not enough. */
  readonly proven?: true
}

export type ConsoleRights = Readonly<Record<string, ConsoleRight>>

export const everyRole: ConsoleRight = { roles: consoleRoles }
export const readers: ConsoleRight = { roles: ['administrator', 'auditor'] }
export const helpers: ConsoleRight = { roles: ['administrator', 'support'] }
export const administrators: ConsoleRight = { roles: ['administrator'] }
export const provenAdministrators: ConsoleRight = { ...administrators, proven: true }

/** The rights that every console has. */
export const commonRights = {
  'applications.read': readers,
  'applications.manage': administrators,
  'keys.manage': provenAdministrators,
  'administrators.read': readers,
  'administrators.manage': provenAdministrators,
  'administrators.sign-out': administrators,
  'events.read': readers,
  'events.export': readers,
} as const satisfies ConsoleRights

export type CommonRight = keyof typeof commonRights
