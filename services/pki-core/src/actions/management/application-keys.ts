// Keys of applications: shown once, kept as hashes (pki-core facts 1.1, 4.6).
import { invalidField } from '@chancela/service-kernel/errors'
import { type ApiKey, createKey, listKeys, revokeKey } from '@chancela/service-kernel/http'
import type { Static } from 'typebox'
import type { createApplicationKey } from '../../contract/applications.ts'
import { refuse } from '../../rules/refuse.ts'
import { act, change, type Management, type Manager } from './acting.ts'
import { manageable, type Place, requiredApplication } from './applications.ts'

export async function listedKeys({ context: { store } }: Management, place: Place, id: string) {
  const application = await requiredApplication(store.db, place, id)
  return (await listKeys(store, application.id)).map(keyView)
}

/** A key gives all that its application may: whoever makes one must have that, too. */
export function newKey(
  management: Management,
  manager: Manager,
  place: Place,
  id: string,
  { description, expiresOn }: Static<typeof createApplicationKey.body>,
  now: Date,
) {
  if (description.trim() === '') throw invalidField('description', 'is required')
  const expiresAt = expiresOn ? new Date(expiresOn) : undefined
  if (expiresAt && !(expiresAt > now)) throw invalidField('expiresOn', 'must be a time to come')
  return change(management, async (tx, joined) => {
    const { application } = await manageable(tx, manager, place, id)
    const asked = { applicationId: application.id, description, ...(expiresAt && { expiresAt }) }
    const { id: keyId, key } = await createKey(joined, { ...asked, form: 'application|secret' }, now)
    const info = keyView((await listKeys(joined, application.id)).find((one) => one.id === keyId)!)
    const facts = { application: application.name, description: description.trim() }
    const changes = { before: {}, after: { description: info.description, expiresOn: info.expiresOn } }
    return [{ key, info }, act('ApiKeyCreated', manager.actor, ['api-key', keyId], facts, changes)]
  })
}

export function endKey(
  management: Management,
  manager: Manager,
  place: Place,
  { id, keyId }: { readonly id: string; readonly keyId: string },
  now: Date,
): Promise<void> {
  return change(management, async (tx, joined) => {
    const { application } = await manageable(tx, manager, place, id)
    const found = (await listKeys(joined, application.id)).find((one) => one.id === keyId.trim().toLowerCase())
    if (!found) throw refuse('EntityNotFound', { entity: 'ApplicationKey', id: keyId })
    if (!(await revokeKey(joined, found.id, now))) return [undefined]
    const facts = { application: application.name, description: found.description }
    const changes = { before: { revokedAt: null }, after: { revokedAt: now.toISOString() } }
    return [undefined, act('ApiKeyRevoked', manager.actor, ['api-key', found.id], facts, changes)]
  })
}

const keyView = (key: ApiKey) => ({
  id: key.id,
  type: 'ApiKey' as const,
  applicationId: key.application_id,
  description: key.description,
  expiresOn: key.expires_at,
  certificateThumbprint: null,
  dateCreated: key.created_at,
  dateRevoked: key.revoked_at,
  dateLastUsed: key.last_used_at,
})
