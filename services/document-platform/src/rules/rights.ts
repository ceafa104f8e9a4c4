// Who may do what in an organization: one table, enforced where a caller is let in (`parts/access/access.ts`) and where
// a document is looked up (`actions/documents/required-document.ts`), and shown on the page of the organization.
import type { Caller } from './caller.ts'
import { refuse } from './refuse.ts'

/** What a caller is to the organization; a user may have several roles, and the widest counts. */
const roles = ['administrator', 'manager', 'operator', 'basic', 'application', 'folderApplication'] as const
type Role = (typeof roles)[number]

/**
 * How far a right reaches. `all`: everything of the organization (of their folders, for applications that have some).
 * `involved`: documents the user created, takes part in or observes. `own`: what the user created.
 */
export type Reach = 'all' | 'involved' | 'own' | 'none'

type Row = Readonly<Record<Role, Reach>>

const row = (...reaches: readonly [Reach, Reach, Reach, Reach, Reach, Reach]): Row =>
  Object.fromEntries(roles.map((role, at) => [role, reaches[at]])) as Row

/** Each operation of the API, as routes name them in `access`. */
export const rights = {
  //                          administrator, manager, operator, basic, application, folderApplication
  'documents.create': row('all', 'all', 'all', 'none', 'all', 'all'),
  'documents.read': row('all', 'all', 'involved', 'involved', 'all', 'all'),
  'documents.change': row('all', 'all', 'own', 'none', 'all', 'all'),
  'documents.sign': row('involved', 'involved', 'involved', 'involved', 'all', 'all'),
  // Users have the pages, where a document is seen before it is signed.
  'documents.create-signed': row('none', 'none', 'none', 'none', 'all', 'all'),
  'documents.act-for': row('all', 'none', 'none', 'none', 'all', 'all'),
  'documents.count': row('all', 'all', 'none', 'none', 'all', 'none'),
  'documents.notify': row('all', 'all', 'none', 'none', 'all', 'none'),
  'signatures.validate': row('all', 'all', 'all', 'all', 'all', 'all'),
  'flows.read': row('all', 'all', 'all', 'none', 'all', 'all'),
  'flows.create': row('all', 'all', 'all', 'none', 'all', 'none'),
  'flows.change': row('all', 'all', 'own', 'none', 'all', 'none'),
  'templates.read': row('all', 'all', 'all', 'none', 'all', 'all'),
  'templates.change': row('all', 'all', 'none', 'none', 'all', 'none'),
  'folders.read': row('all', 'all', 'all', 'all', 'all', 'all'),
  'folders.create': row('all', 'all', 'all', 'none', 'all', 'all'),
  'folders.change': row('all', 'all', 'none', 'none', 'all', 'all'),
  'organization.read': row('all', 'all', 'all', 'all', 'all', 'all'),
  'organization.change': row('all', 'none', 'none', 'none', 'all', 'none'),
  'users.read': row('all', 'all', 'none', 'none', 'all', 'none'),
  'users.change': row('all', 'none', 'none', 'none', 'all', 'none'),
  'applications.manage': row('all', 'none', 'none', 'none', 'all', 'none'),
  'webhooks.manage': row('all', 'none', 'none', 'none', 'all', 'none'),
  'audit.read': row('all', 'none', 'none', 'none', 'all', 'none'),
} as const satisfies Readonly<Record<string, Row>>

export type Operation = keyof typeof rights

export const operations = Object.keys(rights) as readonly Operation[]

const widest: readonly Reach[] = ['all', 'involved', 'own', 'none']

/** The roles of a caller; every user has the basic one. */
function rolesOf({ type, rights: given, folderIds }: Caller): readonly Role[] {
  if (type === 'Application') return [folderIds === null ? 'application' : 'folderApplication']
  const users: readonly Role[] = ['administrator', 'manager', 'operator']
  return [...users.filter((role) => given[role as keyof typeof given]), 'basic']
}

/** How far a caller's right to an operation reaches. */
export function reachOf(caller: Caller, operation: Operation): Reach {
  const reaches = rolesOf(caller).map((role) => rights[operation][role])
  return widest.find((reach) => reaches.includes(reach))!
}

/** Refuses a caller who may not do it to anything. */
export function requireOperation(caller: Caller, operation: Operation): void {
  if (reachOf(caller, operation) === 'none') throw refuse('Forbidden', { operation })
}

/** How far a caller may go in everything. */
export const reachesOf = (caller: Caller): Readonly<Record<Operation, Reach>> =>
  Object.fromEntries(operations.map((operation) => [operation, reachOf(caller, operation)])) as Record<Operation, Reach>
