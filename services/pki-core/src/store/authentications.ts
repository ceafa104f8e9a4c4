import { createHash } from 'node:crypto'
import { type Db, move } from '@chancela/service-kernel/store'
import { authenticationMoves } from '../rules/authentication-states.ts'
import type { AuthenticationRow, Tables } from './tables.ts'

/** What a token or a nonce is kept under. */
export const idOf = (token: string | Uint8Array): string => createHash('sha256').update(token).digest('base64url')

export const insertAuthentication = async (db: Db<Tables>, row: AuthenticationRow): Promise<void> => {
  await db.insertInto('authentication').values(row).execute()
}

/** One that has not expired, whatever its state. */
export const findAuthentication = (db: Db<Tables>, id: string, now: Date): Promise<AuthenticationRow | undefined> =>
  db
    .selectFrom('authentication')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()

/** Moves it on, once: of two who try at the same moment one gets the row. */
export const moveAuthentication = (
  db: Db<Tables>,
  id: string,
  step: keyof typeof authenticationMoves,
  set: Partial<Pick<AuthenticationRow, 'certificate' | 'signature'>> = {},
): Promise<AuthenticationRow | undefined> =>
  move(db, { table: 'authentication', column: 'state', id, moves: authenticationMoves, move: step, set })

/** Deletes up to `limit` authentications that have expired; returns how many. */
export async function purgeAuthentications(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('authentication')
    .select('id')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('authentication').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The same of nonces: what has expired is refused for that. */
export async function purgeNonces(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('used_nonce')
    .select('nonce')
    .where('expires_at', '<=', now.toISOString())
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('used_nonce').where('nonce', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
