import { containing, containingAnyCase, type Db } from '@chancela/service-kernel/store'
import type { Page } from '../rules/paging.ts'
import type { MemberRow, PersonRow, Tables } from './tables.ts'

/** A user of an organization with the roles there. */
export type Member = Pick<PersonRow, 'id' | 'name' | 'identifier' | 'email'> &
  Pick<MemberRow, 'administrator' | 'manager' | 'operator' | 'created_at'>

const members = (db: Db<Tables>, organizationId: string) =>
  db
    .selectFrom('member as m')
    .innerJoin('person as p', 'p.id', 'm.person_id')
    .where('m.organization_id', '=', organizationId)

const columns = [
  'p.id',
  'p.name',
  'p.identifier',
  'p.email',
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

const matchingPersons = (db: Db<Tables>, text: string | undefined) =>
  db
    .selectFrom('person')
    .$if(text !== undefined, (query) =>
      query.where((where) =>
        where.or([
          containingAnyCase('name', text!),
          containingAnyCase('email', text!),
          containing('identifier', text!.replaceAll(/[.-]/g, '')),
        ]),
      ),
    )

/** People the instance knows, by name. */
export const listPersons = (
  db: Db<Tables>,
  text: string | undefined,
  { limit, offset, order }: Page,
): Promise<readonly PersonRow[]> =>
  matchingPersons(db, text)
    .selectAll()
    .orderBy('name', order)
    .orderBy('id', order)
    .limit(limit)
    .offset(offset)
    .execute()

export const countPersons = async (db: Db<Tables>, text: string | undefined): Promise<number> => {
  const counted = matchingPersons(db, text).select(({ fn }) => fn.countAll<number | string>().as('n'))
  return Number((await counted.executeTakeFirstOrThrow()).n)
}

/** The memberships of a person, oldest first; without deleted organizations. */
export const membershipsOf = (db: Db<Tables>, personId: string) =>
  db
    .selectFrom('member as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.name', 'o.owner_id', 'm.administrator', 'm.manager', 'm.operator'])
    .where('m.person_id', '=', personId)
    .where('o.deleted_at', 'is', null)
    .orderBy('m.created_at')
    .orderBy('o.id')
    .execute()
