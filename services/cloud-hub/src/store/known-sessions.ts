// Sessions whose value was given to a client.
import { type Db, move, moving, portableStatement } from '@chancela/service-kernel/store'
import { sessionMoves } from '../rules/session-states.ts'
import type { SessionRow, Tables } from './tables.ts'

const columns = [
  'id',
  'creation_id',
  'key_id',
  'provider_id',
  'type',
  'state',
  'sealed_grant',
  'alias',
  'expires_at',
  'list_size',
] as const

/** What using a session needs of its row; the certificate, its largest column, is read once. */
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

/** The certificate that is kept with a session, and its alias. */
export type Choice = Pick<SessionRow, 'alias' | 'certificate'>

export const choiceOf = (db: Db<Tables>, id: string): Promise<Choice | undefined> =>
  db.selectFrom('session').select(['alias', 'certificate']).where('id', '=', id).executeTakeFirst()

/** Stores the chosen certificate unless a concurrent call was first; returns the stored one. */
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

/** Replaces the grant by what is left of it; a session that is over is not changed. */
export async function keepGrant(db: Db<Tables>, id: string, sealed: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ sealed_grant: sealed })
    .where('id', '=', id)
    .where('sealed_grant', 'is not', null)
    .execute()
}

/**
 * Reserves a session for one provider call, under the grant that was read; false when it is not available, or when
 * another call has changed the grant since: the old one would authorize hashes again that were already signed.
 */
export async function reserveSession(db: Db<Tables>, { id, sealed_grant }: KnownSession): Promise<boolean> {
  const reserved = { table: 'session', column: 'state', moves: sessionMoves, move: 'reserve' } as const
  const { numUpdatedRows } = await moving(db, reserved)
    .where('id', '=', id)
    .where('sealed_grant', '=', sealed_grant)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type SessionMove = 'release' | 'use' | 'finish' | 'end'

/** Moves a session to another state; false when it is not in a state the move starts from. */
export async function moveSession(
  db: Db<Tables>,
  id: string,
  name: SessionMove,
  set: Partial<Pick<SessionRow, 'state_hash' | 'sealed_step' | 'sealed_grant' | 'ended_at' | 'reason'>> = {},
): Promise<boolean> {
  const moved = await move(db, { table: 'session', column: 'state', id, moves: sessionMoves, move: name, set })
  return moved !== undefined
}
