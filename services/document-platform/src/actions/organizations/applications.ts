// Applications of organizations and their keys, shown once (document-platform facts 1.1).
import { Refusal } from '@chancela/service-kernel/errors'
import {
  type ApiKey,
  createApplication as createClient,
  createKey,
  listKeys,
  revokeKey,
  type StoredApiKeyRing,
} from '@chancela/service-kernel/http'
import { isUniqueViolation, joinedStore } from '@chancela/service-kernel/store'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createApplicationKey, createApplication as createRoute } from '../../contract/organizations.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { SYSTEM_ORGANIZATION } from '../../rules/system-organization.ts'
import { findFolder } from '../../store/folder-reads.ts'
import { type ScopedApplication, scopesOf } from '../../store/organization-reads.ts'
import type { ApplicationRole, ApplicationScopeRow, OrganizationRow } from '../../store/tables.ts'

/** What the functions on applications and keys need. */
export interface KeyContext {
  readonly context: Context
  readonly ring: StoredApiKeyRing
}

export async function listedApplications({ store }: Context, { id }: OrganizationRow) {
  const applications = await scopesOf(store.db, id)
  return Promise.all(
    applications.map(async (application) =>
      applicationView(application, await listKeys(store, application.application_id)),
    ),
  )
}

/** Makes an application with its first key, which comes last: what a crash leaves behind has none. */
export async function createApplication(
  { context, ring }: KeyContext,
  caller: Caller,
  organization: OrganizationRow,
  { name, role, folderIds }: Static<typeof createRoute.body>,
  now: Date,
) {
  const { store } = context
  const scope = {
    organization_id: organization.id,
    name: name.trim(),
    role: roleOf(organization, role),
    folder_ids: folderIds ? JSON.stringify(await ownFolders(context, organization, folderIds)) : null,
  }
  const client = await scopedClient(context, caller, scope, now)
  const application = { ...client, ...scope, application_id: client.id }
  const { key } = await newKey({ context, ring }, caller, application, { description: scope.name }, now)
  return { application: applicationView(application, await listKeys(store, client.id)), apiKey: key }
}

/** An application and its scope; of one name there is one in an organization. */
async function scopedClient(
  { store, audit }: Context,
  caller: Caller,
  scope: Omit<ApplicationScopeRow, 'application_id'>,
  now: Date,
) {
  try {
    return await store.transaction(async (tx) => {
      const client = await named(() => createClient(joinedStore(store, tx), uniqueName(scope), now))
      await tx
        .insertInto('application_scope')
        .values({ application_id: client.id, ...scope })
        .execute()
      const { organization_id: organizationId, name, role, folder_ids } = scope
      const after = { role, folderIds: folder_ids === null ? null : JSON.parse(folder_ids) }
      const subject = { kind: 'application', id: client.id, name }
      await audit.record(tx, { kind: 'ApplicationCreated', organizationId, actor: caller, subject, after }, now)
      return client
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw refuse('ApplicationNameInvalid', { reason: 'Another application has this name.' }, error)
  }
}

/** Unique in the instance, and short enough for the kernel; users see the organization's own name. */
const uniqueName = ({ name, organization_id }: Pick<ApplicationScopeRow, 'name' | 'organization_id'>): string =>
  name === '' ? name : `${name.slice(0, 60)} (${organization_id})`

/** Roles beyond an organization belong to applications of the administration alone. */
function roleOf({ id }: OrganizationRow, role: ApplicationRole | null | undefined): ApplicationRole {
  const isSystem = id === SYSTEM_ORGANIZATION
  const wanted = role ?? (isSystem ? 'Administration' : 'Organization')
  if ((wanted === 'Organization') === isSystem) throw refuse('Forbidden', { role: wanted })
  return wanted
}

async function ownFolders({ store }: Context, organization: OrganizationRow, ids: readonly string[]) {
  for (const id of ids) if (!(await findFolder(store.db, organization.id, id))) throw refuse('FolderNotFound', { id })
  return ids.map((id) => id.toLowerCase())
}

async function named<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    throw error instanceof Refusal ? refuse('ApplicationNameInvalid', { reason: error.message }, error) : error
  }
}

type OwnedApplication = Pick<ScopedApplication, 'application_id' | 'name'> & { readonly organization_id: string }

async function newKey(
  { context, ring }: KeyContext,
  caller: Caller,
  { application_id: applicationId, organization_id: organizationId, name: writtenName }: OwnedApplication,
  { description, expiresAt }: { readonly description: string; readonly expiresAt?: Date },
  now: Date,
) {
  const { store, audit } = context
  const asked = { applicationId, writtenName, description, ...(expiresAt && { expiresAt }) }
  const made = await store.transaction(async (tx) => {
    const key = await createKey(joinedStore(store, tx), { ...asked, form: 'application|secret' }, now)
    const subject = { kind: 'apiKey', id: key.id, name: writtenName }
    const after = { applicationId, description, expirationDate: expiresAt?.toISOString() ?? null }
    await audit.record(tx, { kind: 'ApiKeyCreated', organizationId, actor: caller, subject, after }, now)
    return key
  })
  // The new key works from the caller's next request on.
  await ring.refresh()
  return made
}

export async function createFurtherKey(
  keys: KeyContext,
  caller: Caller,
  organization: OrganizationRow,
  applicationId: string,
  { description, expirationDate }: Static<typeof createApplicationKey.body>,
  now: Date,
) {
  const application = await requiredApplication(keys.context, organization, applicationId)
  const expiresAt = expirationDate ? new Date(expirationDate) : undefined
  if (expiresAt && !(expiresAt > now)) throw refuse('InvalidRequest', { expirationDate: 'is no date to come' })
  if (description.trim() === '') throw refuse('InvalidRequest', { description: 'is required' })
  const { id, key } = await newKey(keys, caller, application, { description, ...(expiresAt && { expiresAt }) }, now)
  return { id, apiKey: key }
}

export async function revokeApplicationKey(
  { context, ring }: KeyContext,
  caller: Caller,
  organization: OrganizationRow,
  { applicationId, keyId }: { readonly applicationId: string; readonly keyId: string },
  now: Date,
): Promise<void> {
  const { application_id, name } = await requiredApplication(context, organization, applicationId)
  const found = (await listKeys(context.store, application_id)).find(({ id }) => id === keyId.toLowerCase())
  if (!found) throw refuse('ApiKeyNotFound', { id: keyId })
  const { store, audit } = context
  await store.transaction(async (tx) => {
    if (!(await revokeKey(joinedStore(store, tx), found.id, now))) return
    const subject = { kind: 'apiKey', id: found.id, name }
    const before = { applicationId: application_id, description: found.description }
    const revoked = { kind: 'ApiKeyRevoked', organizationId: organization.id, actor: caller } as const
    await audit.record(tx, { ...revoked, subject, before }, now)
  })
  await ring.refresh()
}

async function requiredApplication({ store }: Context, organization: OrganizationRow, id: string) {
  const found = (await scopesOf(store.db, organization.id)).find(
    ({ application_id }) => application_id === id.toLowerCase(),
  )
  if (!found) throw refuse('ApplicationNotFound', { id })
  return { ...found, organization_id: organization.id }
}

const applicationView = (application: ScopedApplication, keys: readonly ApiKey[]) => ({
  id: application.application_id,
  name: application.name,
  role: application.role,
  folderIds: application.folder_ids === null ? null : (JSON.parse(application.folder_ids) as string[]),
  isDisabled: application.disabled_at !== null,
  creationDate: application.created_at,
  keys: keys.map((key) => ({
    id: key.id,
    description: key.description,
    creationDate: key.created_at,
    expirationDate: key.expires_at,
    revocationDate: key.revoked_at,
    lastUseDate: key.last_used_at,
  })),
})
