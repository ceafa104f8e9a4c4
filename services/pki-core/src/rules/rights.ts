// What the roles of an application allow: in a subscription, and in the whole instance (pki-core facts 4.6).
import { refuse } from './refuse.ts'

export const roles = ['Admin', 'Manager', 'Worker', 'Monitor'] as const
export type Role = (typeof roles)[number]

export type RootRole = 'Owner' | 'Contributor' | 'Reader'

/** Everything that needs a right in a subscription, and who has it. */
export const operations = {
  'authentications.run': ['Admin', 'Manager', 'Worker'],
  'files.upload': ['Admin', 'Manager', 'Worker'],
  'documents.read': ['Admin', 'Manager', 'Worker', 'Monitor'],
  'documents.write': ['Admin', 'Manager', 'Worker'],
  'documents.delete': ['Admin', 'Manager'],
  'signatures.run': ['Admin', 'Manager', 'Worker'],
  'applications.read': ['Admin', 'Manager', 'Monitor'],
  'applications.manage': ['Admin', 'Manager'],
  'security-contexts.read': ['Admin', 'Manager', 'Worker', 'Monitor'],
  // Whom a subscription trusts is the decision that all others rest on.
  'security-contexts.manage': ['Admin'],
  'bio.run': ['Admin', 'Manager', 'Worker'],
  'bio.read': ['Admin', 'Manager', 'Worker', 'Monitor'],
  'bio.delete': ['Admin', 'Manager'],
  'sessions.run': ['Admin', 'Manager', 'Worker'],
  'sessions.read': ['Admin', 'Manager', 'Worker', 'Monitor'],
  'webhooks.manage': ['Admin', 'Manager'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Operation = keyof typeof operations

/** The same of the instance. */
export const rootOperations = {
  'subscriptions.read': ['Owner', 'Contributor', 'Reader'],
  'subscriptions.manage': ['Owner', 'Contributor'],
  'root-roles.manage': ['Owner'],
  'instance.monitor': ['Owner', 'Contributor', 'Reader'],
} as const satisfies Readonly<Record<string, readonly RootRole[]>>

export type RootOperation = keyof typeof rootOperations

/** What a role in the instance is in each of its subscriptions: `parentRoles` of the wire. */
const parents: Readonly<Record<RootRole, Role>> = { Owner: 'Admin', Contributor: 'Manager', Reader: 'Monitor' }

export const parentRolesOf = (held: readonly RootRole[]): readonly Role[] => [
  ...new Set(held.map((role) => parents[role])),
]

/** What an application has in one subscription. */
export interface SubscriptionRoles {
  readonly subscriptionId: string
  readonly roles: readonly Role[]
}

/** All that an application may do. */
export interface Standing {
  readonly subscriptions: readonly SubscriptionRoles[]
  readonly rootRoles: readonly RootRole[]
}

/** The roles in a subscription, whether they were given there or follow from those in the instance. */
export const rolesIn = ({ subscriptions, rootRoles }: Standing, subscriptionId: string): readonly Role[] => [
  ...new Set([
    ...subscriptions.filter((one) => one.subscriptionId === subscriptionId).flatMap(({ roles }) => roles),
    ...parentRolesOf(rootRoles),
  ]),
]

/** The application that calls, in the subscription it calls for. */
export interface Caller {
  readonly applicationId: string
  readonly application: string
  readonly subscriptionId: string
  readonly roles: readonly Role[]
}

/** The application that calls for the instance. */
export interface RootCaller {
  readonly applicationId: string
  readonly application: string
  readonly rootRoles: readonly RootRole[]
}

type Table = Readonly<Record<string, readonly string[]>>

const allows = (table: Table, held: readonly string[], operation: string): boolean =>
  held.some((role) => table[operation]!.includes(role))

/** Whether roles allow everything that others allow. */
const includes = (table: Table, held: readonly string[], given: readonly string[]): boolean =>
  Object.keys(table).every((operation) => !allows(table, given, operation) || allows(table, held, operation))

/** A valid key whose application may not do it is told so: 403, not 401. */
export function requireOperation({ roles }: Pick<Caller, 'roles'>, operation: Operation): void {
  if (!allows(operations, roles, operation)) throw refuse('Forbidden', { operation })
}

export function requireRootOperation({ rootRoles }: Pick<RootCaller, 'rootRoles'>, operation: RootOperation): void {
  if (!allows(rootOperations, rootRoles, operation)) throw refuse('Forbidden', { operation })
}

/**
 * Nobody gives what they do not have, and nobody gets hold of it in another way: whoever makes keys of an application,
 * changes or deletes it must have all that it has, in every subscription and in the instance.
 */
export function requireCovering(own: Standing, other: Standing): void {
  const isCovered =
    other.subscriptions.every(({ subscriptionId, roles }) =>
      includes(operations, rolesIn(own, subscriptionId), roles),
    ) &&
    (other.rootRoles.length === 0 ||
      (allows(rootOperations, own.rootRoles, 'root-roles.manage') &&
        includes(rootOperations, own.rootRoles, other.rootRoles)))
  if (!isCovered) throw refuse('Forbidden', { reason: 'The roles exceed those of the caller.' })
}
