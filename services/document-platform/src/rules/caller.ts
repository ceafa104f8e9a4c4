import type { ApplicationRole } from '../store/tables.ts'
import { refuse } from './refuse.ts'
import type { Agent } from './vocabulary.ts'

/** Who calls for an organization: one of its applications by its key, or a user who signed in. */
export interface Caller extends Agent {
  readonly organizationId: string
  readonly role: ApplicationRole
  /** What a user may do; an application may do all of it. */
  readonly rights: Rights
  /** Folders the caller is restricted to, inner ones included; nothing for all. */
  readonly folderIds: readonly string[] | null
  /** The person behind a session. */
  readonly personId: string | null
}

export interface Rights {
  /** Users, applications, webhooks, settings of the organization. */
  readonly administrator: boolean
  /** Every document of the organization. */
  readonly manager: boolean
  /** Creates documents. */
  readonly operator: boolean
}

/** Whether a caller may look at the whole instance. */
export const isAdministration = ({ role }: Caller): boolean => role === 'Administration'

/**
 * The organization of a path: the caller's own, or any for the administration; another one is forbidden
 * (document-platform facts 1.2).
 */
export function requireOrganization(caller: Caller, organizationId: string): string {
  if (organizationId.toLowerCase() === caller.organizationId || isAdministration(caller))
    return organizationId.toLowerCase()
  throw refuse('Forbidden', { organizationId })
}

/** Refuses a user without the right. */
export function requireRight(caller: Caller, right: keyof Rights): void {
  if (!caller.rights[right]) throw refuse('Forbidden', { right })
}
