import { randomUUID } from 'node:crypto'
import { type ErrorVocabulary, refuser } from '../../errors/index.ts'
import { type Db, isUniqueViolation, type Store, storeOf } from '../../store/index.ts'
import { type KeyForm, newSecret, secretHash, writtenKey } from './secret.ts'
import type { ApiKeyRow, ApiKeyTables, ClientApplicationRow } from './tables.ts'

/** Refusals of the key management; a service that exposes it adds these to its vocabulary. */
export const apiKeyErrors = {
  'application.name-invalid': {
    status: 400,
    message: 'An application name has 1 to 100 characters, no vertical bar and no control character.',
  },
  'application.name-taken': { status: 409, message: 'Another application has this name.' },
  'application.not-found': { status: 404, message: 'No application has this id.' },
  'api-key.description-missing': { status: 400, message: 'A key needs a description.' },
  'api-key.not-found': { status: 404, message: 'No key has this id.' },
} as const satisfies ErrorVocabulary

const refuse = refuser(apiKeyErrors)

/** Notification channel of key changes, for every instance. */
export const KEY_CHANNEL = 'api-keys'

/** The public part of a key; the secret is shown once, at creation. */
export type ApiKey = Omit<ApiKeyRow, 'hash'> & { readonly application: string }

export interface NewKey {
  readonly applicationId: string
  /** What the key is for; people distinguish keys by it. */
  readonly description: string
  /** Never expires when absent. */
  readonly expiresAt?: Date
  /** Default `secret`. */
  readonly form?: KeyForm
  /** The name in the written key, where users know the application by another one. */
  readonly writtenName?: string
}

// The bar separates the name from the secret in a written key; control characters are not allowed in a header.
const NAME = /^[^|\p{Cc}]{1,100}$/u

type KeyStore<Tables extends ApiKeyTables> = Store<Tables>

/** Makes a client application; names are unique. Only commands at the machine itself say that it is the operator's. */
export async function createApplication<Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
  name: string,
  now: Date,
  { byOperator = false }: { readonly byOperator?: boolean } = {},
): Promise<ClientApplicationRow> {
  const application: ClientApplicationRow = {
    id: randomUUID(),
    name: name.trim(),
    created_at: now.toISOString(),
    disabled_at: null,
    by_operator: byOperator ? 1 : 0,
  }
  if (!NAME.test(application.name)) throw refuse('application.name-invalid')
  try {
    await keyTables(store).db.insertInto('client_application').values(application).execute()
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('application.name-taken', { name: application.name }, error) : error
  }
  return application
}

export const listApplications = <Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
): Promise<readonly ClientApplicationRow[]> =>
  keyTables(store).db.selectFrom('client_application').selectAll().orderBy('name').execute()

/** Makes a key. `key` is what its user writes into a header; it cannot be shown again. */
export async function createKey<Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
  { applicationId, description, expiresAt, form = 'secret', writtenName }: NewKey,
  now: Date,
): Promise<{ readonly id: string; readonly key: string }> {
  if (!description.trim()) throw refuse('api-key.description-missing')
  const secret = newSecret()
  const id = randomUUID()
  return changeKeys(store, async (db) => {
    const { name } = await applicationOf(db, applicationId)
    await db
      .insertInto('api_key')
      .values({
        id,
        application_id: applicationId,
        hash: secretHash(secret),
        description: description.trim(),
        created_at: now.toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        revoked_at: null,
        last_used_at: null,
      })
      .execute()
    return { id, key: writtenKey(form, writtenName ?? name, secret) }
  })
}

/** All keys, or those of one application, oldest first. */
export function listKeys<Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
  applicationId?: string,
): Promise<readonly ApiKey[]> {
  return keyTables(store)
    .db.selectFrom('api_key as k')
    .innerJoin('client_application as a', 'a.id', 'k.application_id')
    .select([
      'k.id',
      'k.application_id',
      'a.name as application',
      'k.description',
      'k.created_at',
      'k.expires_at',
      'k.revoked_at',
      'k.last_used_at',
    ])
    .$if(applicationId !== undefined, (query) => query.where('k.application_id', '=', applicationId!))
    .orderBy('k.created_at')
    .orderBy('k.id')
    .execute()
}

/** Revokes a key for good; revoking it again changes nothing, and is answered false. */
export const revokeKey = <Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
  id: string,
  now: Date,
): Promise<boolean> =>
  changeKeys(store, async (db) => {
    const known = await db.selectFrom('api_key').select('id').where('id', '=', id).executeTakeFirst()
    if (!known) throw refuse('api-key.not-found', { id })
    const { numUpdatedRows } = await db
      .updateTable('api_key')
      .set({ revoked_at: now.toISOString() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })

/** Refuses every key of an application until it is enabled again. */
export const disableApplication = <Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
  id: string,
  now: Date,
): Promise<void> => setDisabled(store, id, now.toISOString())

export const enableApplication = <Tables extends ApiKeyTables>(store: KeyStore<Tables>, id: string): Promise<void> =>
  setDisabled(store, id, null)

const setDisabled = <Tables extends ApiKeyTables>(
  store: KeyStore<Tables>,
  id: string,
  disabledAt: string | null,
): Promise<void> =>
  changeKeys(store, async (db) => {
    await applicationOf(db, id)
    await db.updateTable('client_application').set({ disabled_at: disabledAt }).where('id', '=', id).execute()
  })

async function applicationOf(db: Db<ApiKeyTables>, id: string): Promise<ClientApplicationRow> {
  const found = await db.selectFrom('client_application').selectAll().where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse('application.not-found', { id })
  return found
}

const changeKeys = <Tables extends ApiKeyTables, T>(
  store: KeyStore<Tables>,
  change: (db: Db<ApiKeyTables>) => Promise<T>,
): Promise<T> =>
  keyTables(store).transaction(async (tx) => {
    const result = await change(tx)
    await keyTables(store).notify(tx, KEY_CHANNEL)
    return result
  })

/** A service's store, typed with these tables only. */
export const keyTables = storeOf<ApiKeyTables>()
