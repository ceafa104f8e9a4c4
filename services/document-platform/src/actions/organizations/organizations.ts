// Organizations and their administration (document-platform facts 1.1, 1.3).
import { randomUUID } from 'node:crypto'
import { endpointsOf } from '@chancela/outbox/webhooks'
import { changesOf } from '@chancela/service-kernel/events'
import { isUniqueViolation } from '@chancela/service-kernel/store'
import { isCnpj } from '@chancela/signature-engine/x509'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type {
  createOrganization as createRoute,
  listOrganizations as listRoute,
  OrganizationDetails,
  updateOrganization as updateRoute,
} from '../../contract/organizations.ts'
import { SCOPE_CHANNEL } from '../../parts/access/access.ts'
import { type Caller, requireOrganization } from '../../rules/caller.ts'
import { isTimeZone } from '../../rules/expiration.ts'
import { pageOf, textOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import { reachOf } from '../../rules/rights.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import * as reads from '../../store/organization-reads.ts'
import type { OrganizationRow, Tables } from '../../store/tables.ts'
import { deleteDocuments } from '../documents/end-documents.ts'
import { webhookView } from './webhooks.ts'

type Details = Static<typeof OrganizationDetails>

/** The organization of a path, if the caller may see it. */
export async function requiredOrganization({ store }: Pick<Context, 'store'>, caller: Caller, orgId: string) {
  const organization = await reads.findOrganization(store.db, requireOrganization(caller, orgId))
  if (!organization) throw refuse('OrganizationNotFound', { id: orgId })
  return organization
}

/** An organization with its webhooks; where they go and who pays is told to those who administer it. */
export async function organizationDetails(
  { store: { db } }: Pick<Context, 'store'>,
  caller: Caller,
  row: OrganizationRow,
): Promise<Details> {
  const info = await reads.organizationInfo(db, row.id)
  const administers = reachOf(caller, 'webhooks.manage') === 'all'
  const webhooks = administers ? await endpointsOf(db, row.id) : []
  return {
    ...info!,
    isPersonal: row.owner_id !== null,
    timeZone: row.time_zone,
    requireSecondFactor: row.require_second_factor === 1,
    publicDocuments: row.public_documents === 1,
    verificationStamp: row.verification_stamp,
    creationDate: row.created_at,
    webhooks: webhooks.map(webhookView),
    billingInformation: row.billing === null || !administers ? null : JSON.parse(row.billing),
  }
}

export async function listedOrganizations(context: Context, caller: Caller, query: Static<typeof listRoute.query>) {
  const { db } = context.store
  const filter = { text: textOf(query), personal: query.personal }
  const rows = await reads.listOrganizations(db, filter, pageOf(query))
  const items = await Promise.all(rows.map((row) => organizationDetails(context, caller, row)))
  return { items, totalCount: await reads.countOrganizations(db, filter), nextCursor: null }
}

/** Fields absent from the request stay unchanged. */
export async function updateOrganization(
  { store, audit }: Context,
  caller: Caller,
  row: OrganizationRow,
  {
    name,
    timeZone,
    billingInformation,
    requireSecondFactor,
    publicDocuments,
    verificationStamp,
  }: Static<typeof updateRoute.body>,
  now: Date,
): Promise<OrganizationRow> {
  const changes = {
    name: name.trim(),
    require_second_factor: flagOf(requireSecondFactor, row.require_second_factor),
    public_documents: flagOf(publicDocuments, row.public_documents),
    verification_stamp: verificationStamp === undefined ? row.verification_stamp : verificationStamp,
    time_zone: timeZone ? knownTimeZone(timeZone) : row.time_zone,
    billing:
      billingInformation === undefined
        ? row.billing
        : billingInformation === null
          ? null
          : JSON.stringify(billingInformation),
  }
  const changed = { ...row, ...changes }
  const differing = changesOf(auditedOf(row), auditedOf(changed))
  await store.transaction(async (tx) => {
    await tx.updateTable('organization').set(changes).where('id', '=', row.id).execute()
    const kind = 'OrganizationChanged'
    if (differing) await audit.record(tx, { kind, organizationId: row.id, actor: caller, ...differing }, now)
  })
  return changed
}

const flagOf = (wanted: boolean | null | undefined, now: number): number => (wanted == null ? now : Number(wanted))

/** What the audit tells of an organization. */
const auditedOf = (row: OrganizationRow) => ({
  name: row.name,
  identifier: row.identifier,
  ownerId: row.owner_id,
  timeZone: row.time_zone,
  billingInformation: row.billing === null ? null : JSON.parse(row.billing),
  requireSecondFactor: row.require_second_factor === 1,
  publicDocuments: row.public_documents === 1,
  verificationStamp: row.verification_stamp,
})

function knownTimeZone(name: string): string {
  if (!isTimeZone(name)) throw refuse('InvalidRequest', { timeZone: 'is not known' })
  return name
}

/** Creates an organization; with an owner it is that user's personal organization. */
export async function createOrganization(
  { store, settings, audit }: Context,
  caller: Caller,
  { name, identifier, timeZone, ownerId }: Static<typeof createRoute.body>,
  now: Date,
): Promise<OrganizationRow> {
  const row: OrganizationRow = {
    id: randomUUID(),
    name: name.trim(),
    identifier: identifier ? cnpjOf(identifier) : null,
    owner_id: ownerId?.toLowerCase() ?? null,
    time_zone: knownTimeZone(timeZone ?? settings.Documents.DefaultTimeZone),
    billing: null,
    require_second_factor: 0,
    public_documents: 0,
    verification_stamp: null,
    created_at: now.toISOString(),
    deleted_at: null,
  }
  try {
    await store.transaction(async (tx) => {
      await tx.insertInto('organization').values(row).execute()
      if (row.owner_id !== null) await own(tx, row, row.owner_id)
      const created = { kind: 'OrganizationCreated', organizationId: row.id, actor: caller } as const
      await audit.record(tx, { ...created, after: auditedOf(row) }, now)
    })
  } catch (error) {
    throw isUniqueViolation(error)
      ? refuse('OrganizationIdentifierTaken', { identifier: row.identifier }, error)
      : error
  }
  return row
}

function cnpjOf(identifier: string): string {
  const cnpj = identifier.replaceAll(/[./\s-]/g, '').toUpperCase()
  if (!isCnpj(cnpj)) throw refuse('InvalidRequest', { identifier: 'is no valid CNPJ' })
  return cnpj
}

/** The owner of a personal organization is its one user, under the id of the account. */
async function own(tx: Transaction<Tables>, { id, created_at }: OrganizationRow, accountId: string): Promise<void> {
  const owner = await tx.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirst()
  if (!owner) throw refuse('UserNotFound', { id: accountId })
  const { name, email, phone } = owner
  await tx
    .insertInto('contact')
    .values({
      organization_id: id,
      id: accountId,
      name,
      identifier: null,
      email,
      phone,
      created_at,
      updated_at: created_at,
    })
    .execute()
  const everything = { administrator: 1, manager: 1, operator: 1 }
  await tx
    .insertInto('member')
    .values({ organization_id: id, person_id: accountId, ...everything, account_id: accountId, created_at })
    .execute()
}

/**
 * Deletes an organization with its documents, and notifies its webhooks. The webhooks stay until that event is
 * delivered: no other event can occur in the organization, and retention removes them once no delivery is pending.
 */
export async function deleteOrganization(context: Context, caller: Caller, orgId: string, now: Date): Promise<void> {
  const id = orgId.toLowerCase()
  if (id === SYSTEM_ORGANIZATION) throw refuse('Forbidden', { organizationId: id })
  await context.store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('organization')
      .set({ deleted_at: now.toISOString() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw refuse('OrganizationNotFound', { id })
    const documents = await tx
      .selectFrom('document')
      .selectAll()
      .where('organization_id', '=', id)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
    await deleteDocuments(context, tx, documents, caller, 'DeletedByOrganization', now)
    await context.store.notify(tx, SCOPE_CHANNEL)
    const before = { documents: documents.length }
    await context.audit.record(tx, { kind: 'OrganizationDeleted', organizationId: id, actor: caller, before }, now)
  })
}
