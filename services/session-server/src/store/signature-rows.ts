import { type Db, insertRows, portableStatement } from '@chancela/service-kernel/store'
import { signatureMoves } from '../rules/signature-states.ts'
import type { SignatureRow, Tables } from './tables.ts'

export const insertSignature = (db: Db<Tables>, row: SignatureRow): Promise<void> =>
  insertRows(db, { signature: [row] })

export const findSignature = (db: Db<Tables>, id: string): Promise<SignatureRow | undefined> =>
  db.selectFrom('signature').selectAll().where('id', '=', id).executeTakeFirst()

export type SignatureMove = keyof typeof signatureMoves

/** What a move changes besides the state; a known document id and reason are kept. */
export interface SignatureChange {
  readonly documentId?: string | undefined
  readonly code?: string | undefined
  readonly detail?: string | undefined
  readonly endedAt?: Date | undefined
  /** When an open one is checked again. */
  readonly lookAt?: Date | undefined
}

interface Moving extends SignatureChange {
  readonly id: string
  readonly move: SignatureMove
}

const moveRow = portableStatement<Moving, { readonly id: string }>(
  'session_move_signature',
  ({ place, oneOf }) => `update signature set state = ${place(2)}, document_id = coalesce(${place(4)}, document_id),
    code = coalesce(${place(5)}, code), detail = coalesce(${place(6)}, detail), ended_at = ${place(7)},
    look_at = ${place(8)} where id = ${place(1)} and ${oneOf('state', 3)} returning id`,
  ({ id, move, documentId, code, detail, endedAt, lookAt }, list) => [
    id,
    signatureMoves[move].to,
    list(signatureMoves[move].from),
    documentId ?? null,
    code ?? null,
    detail ?? null,
    endedAt?.toISOString() ?? null,
    lookAt?.toISOString() ?? null,
  ],
)

/** Moves a signature to another state; false when it is not in a state the move starts from. */
export const moveSignature = async (
  db: Db<Tables>,
  id: string,
  move: SignatureMove,
  change: SignatureChange,
): Promise<boolean> => (await moveRow(db, { id, move, ...change })).length > 0

/** Open signatures due for a check, longest waiting first. */
export const openSignatures = (db: Db<Tables>, now: Date, limit: number): Promise<SignatureRow[]> =>
  db
    .selectFrom('signature')
    .selectAll()
    .where('look_at', '<=', now.toISOString())
    .orderBy('look_at')
    .limit(limit)
    .execute()

/** Has every open signature checked now, and returns their ids. */
export async function lookAtAllNow(db: Db<Tables>, now: Date): Promise<readonly string[]> {
  const update = db.updateTable('signature').set({ look_at: now.toISOString() })
  const rows = await update.where('look_at', 'is not', null).returning('id').execute()
  return rows.map(({ id }) => id)
}

export const lookLater = async (db: Db<Tables>, id: string, lookAt: Date): Promise<void> => {
  await db
    .updateTable('signature')
    .set({ look_at: lookAt.toISOString() })
    .where('id', '=', id)
    .where('look_at', 'is not', null)
    .execute()
}

/** Deletes up to `limit` signatures that began before a time, except open ones; returns how many. */
export async function deleteSignatures(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('signature')
    .select('id')
    .where('started_at', '<', before.toISOString())
    .where('look_at', 'is', null)
    .orderBy('started_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('signature').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
