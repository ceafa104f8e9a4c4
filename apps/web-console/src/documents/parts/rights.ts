import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../api/session.ts'
import type { Me } from '../api/types.ts'

/** Everything that needs a right, as the service names it and in the order of its table. */
export const operations = [
  'documents.create',
  'documents.read',
  'documents.change',
  'documents.sign',
  'documents.create-signed',
  'documents.act-for',
  'documents.count',
  'documents.notify',
  'signatures.validate',
  'flows.read',
  'flows.create',
  'flows.change',
  'templates.read',
  'templates.change',
  'folders.read',
  'folders.create',
  'folders.change',
  'organization.read',
  'organization.change',
  'users.read',
  'users.change',
  'applications.manage',
  'webhooks.manage',
  'audit.read',
] as const

export type Operation = (typeof operations)[number]

type Visitor = Pick<Me, 'id' | 'rights'>

/** Whether a user may do it to anything at all. */
export const may = ({ rights }: Visitor, operation: Operation): boolean => (rights[operation] ?? 'none') !== 'none'

/** Whether a user may do it to what somebody created: a right may reach no further than one's own. */
export const mayWith = ({ id, rights }: Visitor, operation: Operation, createdBy: { readonly id: string }): boolean =>
  rights[operation] === 'all' || (rights[operation] === 'own' && createdBy.id === id)

/**
 * What the visitor may do; nothing until it is loaded. Pages only hide what the service would refuse: the check is the
 * service's.
 */
export function useRights() {
  const { data: me } = useQuery(meQuery)
  return {
    isKnown: me !== undefined,
    may: (operation: Operation) => me !== undefined && may(me, operation),
    mayWith: (operation: Operation, createdBy: { readonly id: string }) =>
      me !== undefined && mayWith(me, operation, createdBy),
  }
}
