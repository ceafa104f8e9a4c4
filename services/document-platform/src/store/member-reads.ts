import { containingAnyCase, type Db } from '@chancela/service-kernel/store'
import type { Page } from '../rules/paging.ts'
import type { AccountRow, ContactRow, MemberRow, Tables } from './tables.ts'

/** A user of an organization with the roles there. */
export type Member = Pick<ContactRow, 'id' | 'name' | 'identifier' | 'email' | 'phone'> &
  Pick<MemberRow, 'administrator' | 'manager' | 'operator' | 'account_id' | 'created_at'>

const members = (db: Db<Tables>, organizationId: string) =>
  db
    .selectFrom('member as m')
    .innerJoin('contact as p', (join) =>
      join.onRef('p.organization_id', '=', 'm.organization_id').onRef('p.id', '=', 'm.person_id'),
    )
    .where('m.organization_id', '=', organizationId)

const columns = [
  'p.id',
  'p.name',
  'p.identifier',
  'p.email',
  'p.phone',
  'm.account_id',
  'm.administrator',
  'm.manager',
  'm.operator',
  'm.created_at',
] as const

/** Every user of an organization, by name. */
export const membersOf = (db: Db<Tables>, organizationId: string): Promise<readonly Member[]> =>
  members(db, organizationId).select(columns).orderBy('p.name').orderBy('p.id').execute()

export const findMember = (db: Db<Tables>, organizationId: string, personId: string): Promise<Member | undefined> =>
  members(db, organizationId).select(columns).where('p.id', '=', personId).executeTakeFirst()

const matchingMembers = (db: Db<Tables>, organizationId: string, text: string | undefined) =>
  members(db, organizationId).$if(text !== undefined, (query) =>
    query.where((where) => where.or([containingAnyCase('p.name', text!), containingAnyCase('p.email', text!)])),
  )

export const listMembers = (
  db: Db<Tables>,
  organizationId: string,
  text: string | undefined,
  { limit, offset, order }: Page,
): Promise<readonly Member[]> =>
  matchingMembers(db, organizationId, text)
    .select(columns)
    .orderBy('p.name', order)
    .orderBy('p.id', order)
    .limit(limit)
    .offset(offset)
    .execute()

export const countMembers = async (
  db: Db<Tables>,
  organizationId: string,
  text: string | undefined,
): Promise<number> => {
  const counted = matchingMembers(db, organizationId, text).select(({ fn }) => fn.countAll<number | string>().as('n'))
  return Number((await counted.executeTakeFirstOrThrow()).n)
}

/** The users with an address whom nobody signs in as yet, and their organizations; deleted ones are left out. */
export const invitedAt = (db: Db<Tables>, email: string) =>
  db
    .selectFrom('member as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .innerJoin('contact as c', (join) =>
      join.onRef('c.organization_id', '=', 'm.organization_id').onRef('c.id', '=', 'm.person_id'),
    )
    .select(['c.organization_id', 'c.id', 'c.name'])
    .where('c.email', '=', email)
    .where('m.account_id', 'is', null)
    .where('o.deleted_at', 'is', null)
    .orderBy('c.organization_id')
    .execute()

const matchingAccounts = (db: Db<Tables>, text: string | undefined) =>
  db
    .selectFrom('account')
    .$if(text !== undefined, (query) =>
      query.where((where) => where.or([containingAnyCase('name', text!), containingAnyCase('email', text!)])),
    )

/** Everybody who signs in, by name. */
export const listAccounts = (
  db: Db<Tables>,
  text: string | undefined,
  { limit, offset, order }: Page,
): Promise<readonly AccountRow[]> =>
  matchingAccounts(db, text)
    .selectAll()
    .orderBy('name', order)
    .orderBy('id', order)
    .limit(limit)
    .offset(offset)
    .execute()

export const countAccounts = async (db: Db<Tables>, text: string | undefined): Promise<number> => {
  const counted = matchingAccounts(db, text).select(({ fn }) => fn.countAll<number | string>().as('n'))
  return Number((await counted.executeTakeFirstOrThrow()).n)
}

/** The organizations that an account works for, the first one first, and who it is there; deleted ones are left out. */
export const membershipsOf = (db: Db<Tables>, accountId: string) =>
  db
    .selectFrom('member as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .innerJoin('contact as c', (join) =>
      join.onRef('c.organization_id', '=', 'm.organization_id').onRef('c.id', '=', 'm.person_id'),
    )
    .select(['o.id', 'o.name', 'o.owner_id', 'o.require_second_factor', 'm.administrator', 'm.manager', 'm.operator'])
    .select(['c.id as contact_id', 'c.name as contact_name'])
    .where('m.account_id', '=', accountId)
    .where('o.deleted_at', 'is', null)
    .orderBy('m.created_at')
    .orderBy('o.id')
    .execute()
