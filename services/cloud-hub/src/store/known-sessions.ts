// Sessions that clients have the value of.
import { type Db, move, moving, portableStatement } from '@chancela/service-kernel/store'
import { sessionMoves } from '../rules/session-states.ts'
import type { CreationRow, SessionRow, Tables } from './tables.ts'

const columns = [
  'id',
  'creation_id',
  'key_id',
  'provider_id',
  'type',
  'state',
  'sealed_grant',
  'alias',
  'certificate',
  'expires_at',
] as const

/** What using a session needs of its row. */
export type KnownSession = Pick<SessionRow, (typeof columns)[number]>

const byValue = portableStatement<string, KnownSession>(
  'hub_session_by_value',
  ({ place }) => `select ${columns} from session where value_hash = ${place(1)}`,
  (valueHash) => [valueHash],
)

export const sessionByValue = async (db: Db<Tables>, valueHash: string): Promise<KnownSession | undefined> =>
  (await byValue(db, valueHash))[0]

export const sessionById = (db: Db<Tables>, id: string): Promise<KnownSession | undefined> =>
  db.selectFrom('session').select(columns).where('id', '=', id).executeTakeFirst()

/** Whom the client asked for, where it did. */
export const requestedHolder = (db: Db<Tables>, creationId: string): Promise<Pick<CreationRow, 'identifier'>> =>
  db.selectFrom('creation').select('identifier').where('id', '=', creationId).executeTakeFirstOrThrow()

type Choice = Pick<SessionRow, 'alias' | 'certificate'>

/** Keeps the certificate that was chosen, unless somebody was faster; returns the one that is kept. */
export const keepCertificate = (db: Db<Tables>, id: string, choice: Choice): Promise<Choice> =>
  db
    .updateTable('session')
    .set(({ fn, val, ref }) => ({
      alias: fn.coalesce(ref('alias'), val(choice.alias)),
      certificate: fn.coalesce(ref('certificate'), val(choice.certificate)),
    }))
    .where('id', '=', id)
    .returning(['alias', 'certificate'])
    .executeTakeFirstOrThrow()

/** Puts what is left of a grant in its place; nothing happens to a session that is over. */
export async function keepGrant(db: Db<Tables>, id: string, sealed: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ sealed_grant: sealed })
    .where('id', '=', id)
    .where('sealed_grant', 'is not', null)
    .execute()
}

/**
 * Takes a session for one call of its provider, under the grant that was read; false when it is not to be had, or when
 * another call has changed the grant since: whoever signs under the old one would authorize again what was signed.
 */
export async function reserveSession(db: Db<Tables>, { id, sealed_grant }: KnownSession): Promise<boolean> {
  const reserved = { table: 'session', column: 'state', moves: sessionMoves, move: 'reserve' } as const
  const { numUpdatedRows } = await moving(db, reserved)
    .where('id', '=', id)
    .where('sealed_grant', '=', sealed_grant)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type SessionMove = 'release' | 'use' | 'end'

/** Moves a session on; false when it was in no state the move starts from. */
export async function moveSession(
  db: Db<Tables>,
  id: string,
  name: SessionMove,
  set: Partial<Pick<SessionRow, 'state_hash' | 'sealed_step' | 'sealed_grant' | 'ended_at' | 'reason'>> = {},
): Promise<boolean> {
  const moved = await move(db, { table: 'session', column: 'state', id, moves: sessionMoves, move: name, set })
  return moved !== undefined
}
