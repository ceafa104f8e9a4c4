import type { ApplicationRole, SignInWay } from '../store/tables.ts'
import { refuse } from './refuse.ts'
import type { Agent } from './vocabulary.ts'

/** The caller on behalf of an organization: one of its applications by key, or a signed-in user. */
export interface Caller extends Agent {
  readonly organizationId: string
  readonly role: ApplicationRole
  /** What a user was made in the organization; `rules/rights.ts` says what that allows. */
  readonly rights: Rights
  /** Folders the caller is restricted to, subfolders included; null for all. */
  readonly folderIds: readonly string[] | null
  /** The account behind a session; its `id` is that of the user in the organization. */
  readonly accountId: string | null
  readonly sessionId: string | null
  /** How a user proved who they are, and when last; null for applications. */
  readonly proof: { readonly way: SignInWay; readonly at: string | null } | null
  /** Whether the organization asks the user for a second factor before anything else. */
  readonly mustEnrol: boolean
  /** The address of the client. */
  readonly ip: string
}

export interface Rights {
  /** Users, applications, webhooks, settings of the organization, and every document of it. */
  readonly administrator: boolean
  /** Every document of the organization. */
  readonly manager: boolean
  /** Creates documents. */
  readonly operator: boolean
}

/** Whether a caller may access the whole instance. */
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
