import { containing, containingAnyCase, type Db, portableStatement } from '@chancela/service-kernel/store'
import type { Page } from '../rules/paging.ts'
import { SYSTEM_ORGANIZATION } from '../rules/system-organization.ts'
import type { ApplicationRole, OrganizationRow, Tables } from './tables.ts'

/** An organization as documents and events show it. */
export interface OrganizationInfo {
  readonly id: string
  readonly name: string
  readonly identifier: string | null
  readonly owner: { readonly id: string; readonly name: string } | null
}

const live = portableStatement<string, OrganizationRow>(
  'documents_organization',
  ({ place }) => `select id, name, identifier, owner_id, time_zone, billing, require_second_factor,
      public_documents, verification_stamp, created_at, deleted_at from organization
    where id = ${place(1)} and deleted_at is null`,
  (id) => [id],
)

export const findOrganization = async (db: Db<Tables>, id: string): Promise<OrganizationRow | undefined> =>
  (await live(db, id))[0]

const listening = portableStatement<string, Pick<OrganizationInfo, 'id' | 'name' | 'identifier'>>(
  'documents_listening_organization',
  ({ place }) => `select o.id, o.name, o.identifier from organization as o
    where o.id = ${place(1)} and o.owner_id is null and exists (select 1 from webhook_endpoint where owner_id = o.id)`,
  (id) => [id],
)

/** An organization that receives document events; undefined without webhooks, as with every personal one. */
export async function listeningOrganization(db: Db<Tables>, id: string): Promise<OrganizationInfo | undefined> {
  const [found] = await listening(db, id)
  return found && { ...found, owner: null }
}

export async function organizationInfo(db: Db<Tables>, id: string): Promise<OrganizationInfo | undefined> {
  const row = await db
    .selectFrom('organization as o')
    .leftJoin('contact as c', (join) => join.onRef('c.organization_id', '=', 'o.id').onRef('c.id', '=', 'o.owner_id'))
    .select(['o.id', 'o.name', 'o.identifier', 'c.id as owner_id', 'c.name as owner_name'])
    .where('o.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, identifier, owner_id, owner_name } = row
  return { id, name, identifier, owner: owner_id === null ? null : { id: owner_id, name: owner_name! } }
}

/** The filter of an organization list. */
export interface OrganizationFilter {
  readonly text?: string | undefined
  /** Undefined: both kinds. */
  readonly personal?: boolean | undefined
}

const matching = (db: Db<Tables>, { text, personal }: OrganizationFilter) =>
  db
    .selectFrom('organization')
    .where('deleted_at', 'is', null)
    .where('id', '!=', SYSTEM_ORGANIZATION)
    .$if(personal !== undefined, (query) => query.where('owner_id', personal ? 'is not' : 'is', null))
    .$if(text !== undefined, (query) =>
      query.where((where) => where.or([containingAnyCase('name', text!), containing('identifier', text!)])),
    )

export const listOrganizations = (
  db: Db<Tables>,
  filter: OrganizationFilter,
  { limit, offset, order }: Page,
): Promise<readonly OrganizationRow[]> =>
  matching(db, filter).selectAll().orderBy('name', order).orderBy('id', order).limit(limit).offset(offset).execute()

export const countOrganizations = async (db: Db<Tables>, filter: OrganizationFilter): Promise<number> =>
  Number(
    (
      await matching(db, filter)
        .select(({ fn }) => fn.countAll<number | string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

/** An application of an organization. */
export interface ScopedApplication {
  readonly application_id: string
  readonly name: string
  readonly role: ApplicationRole
  readonly folder_ids: string | null
  readonly created_at: string
  readonly disabled_at: string | null
}

/** The applications of an organization, by name. */
export const scopesOf = (db: Db<Tables>, organizationId: string): Promise<readonly ScopedApplication[]> =>
  db
    .selectFrom('application_scope as s')
    .innerJoin('client_application as a', 'a.id', 's.application_id')
    .select(['s.application_id', 's.name', 's.role', 's.folder_ids', 'a.created_at', 'a.disabled_at'])
    .where('s.organization_id', '=', organizationId)
    .orderBy('s.name')
    .execute()
