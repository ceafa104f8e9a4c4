// What the roles of an application in a subscription allow (pki-core facts 4.6).
import { refuse } from './refuse.ts'

export type Role = 'Admin' | 'Manager' | 'Worker' | 'Monitor'

/** Everything that needs a right, and who has it. */
export const operations = {
  'authentications.run': ['Admin', 'Manager', 'Worker'],
  'files.upload': ['Admin', 'Manager', 'Worker'],
  'documents.read': ['Admin', 'Manager', 'Worker', 'Monitor'],
  'documents.write': ['Admin', 'Manager', 'Worker'],
  'documents.delete': ['Admin', 'Manager'],
  'signatures.run': ['Admin', 'Manager', 'Worker'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Operation = keyof typeof operations

/** The application that calls, in the subscription it calls for. */
export interface Caller {
  readonly applicationId: string
  readonly application: string
  readonly subscriptionId: string
  readonly roles: readonly Role[]
}

/** A valid key whose application may not do it is told so: 403, not 401. */
export function requireOperation(caller: Caller, operation: Operation): void {
  const allowed: readonly Role[] = operations[operation]
  if (!caller.roles.some((role) => allowed.includes(role))) throw refuse('Forbidden', { operation })
}
