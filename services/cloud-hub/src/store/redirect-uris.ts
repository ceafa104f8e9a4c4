import type { Db } from '@chancela/service-kernel/store'
import type { RedirectUriRow, Tables } from './tables.ts'

/** A registration as it is shown. */
export interface RedirectUri {
  readonly keyId: string
  readonly uri: string
  readonly createdAt: string
}

/** Inserts a registration; an existing one stays unchanged. */
export async function insertRedirectUri(db: Db<Tables>, row: RedirectUriRow): Promise<void> {
  await db
    .insertInto('redirect_uri')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes a registration; returns whether there was one. */
export async function deleteRedirectUri(db: Db<Tables>, keyId: string, uri: string): Promise<boolean> {
  const registration = db.deleteFrom('redirect_uri').where('key_id', '=', keyId).where('uri', '=', uri)
  const { numDeletedRows } = await registration.executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The registrations of a key, or of all; oldest first. */
export function redirectUris(db: Db<Tables>, keyId?: string): Promise<readonly RedirectUri[]> {
  return db
    .selectFrom('redirect_uri')
    .select(['key_id as keyId', 'uri', 'created_at as createdAt'])
    .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId!))
    .orderBy('created_at')
    .orderBy('uri')
    .execute()
}

/** Whether a key is usable: not revoked, not expired, and its application not disabled. */
export async function isKeyInForce(db: Db<Tables>, keyId: string, now: Date): Promise<boolean> {
  const key = await db
    .selectFrom('api_key')
    .innerJoin('client_application', 'client_application.id', 'api_key.application_id')
    .select('api_key.expires_at')
    .where('api_key.id', '=', keyId)
    .where('api_key.revoked_at', 'is', null)
    .where('client_application.disabled_at', 'is', null)
    .executeTakeFirst()
  return key !== undefined && (key.expires_at === null || key.expires_at > now.toISOString())
}
