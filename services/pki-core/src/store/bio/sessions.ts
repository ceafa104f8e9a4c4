import { type Db, move, moving } from '@chancela/service-kernel/store'
import { bioSessionMoves } from '../../rules/bio/session-states.ts'
import type { Tables } from '../tables.ts'
import type { BioSessionRow, BioSubjectRow } from './tables.ts'

export const insertSession = async (db: Db<Tables>, row: BioSessionRow): Promise<void> => {
  await db.insertInto('bio_session').values(row).execute()
}

/** A session of the subscription; those of others do not exist for it. */
export const findSession = (
  db: Db<Tables>,
  { subscriptionId, id }: { readonly subscriptionId: string; readonly id: string },
): Promise<BioSessionRow | undefined> =>
  db
    .selectFrom('bio_session')
    .selectAll()
    .where('id', '=', id)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

export const findSessionBy = (
  db: Db<Tables>,
  column: 'token_hash' | 'ticket_hash',
  hash: string,
): Promise<BioSessionRow | undefined> =>
  db.selectFrom('bio_session').selectAll().where(column, '=', hash).executeTakeFirst()

/** Uses the ticket; undefined when it was used before. */
export const useTicket = (db: Db<Tables>, id: string, now: Date): Promise<BioSessionRow | undefined> =>
  db
    .updateTable('bio_session')
    .set({ completed_at: now.toISOString() })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export type SessionChange = Partial<
  Pick<
    BioSessionRow,
    'failure' | 'consent' | 'attempts' | 'capture' | 'face_image' | 'subject_id' | 'subject_identifier' | 'ended_at'
  >
>

export const moveSession = (
  db: Db<Tables>,
  id: string,
  step: keyof typeof bioSessionMoves,
  set: SessionChange = {},
): Promise<BioSessionRow | undefined> =>
  move(db, { table: 'bio_session', column: 'state', id, moves: bioSessionMoves, move: step, set })

/** Ends a session with its frame, if no other frame came before; undefined otherwise. */
export const endSession = (
  db: Db<Tables>,
  { id, frame }: BioSessionRow,
  step: 'succeed' | 'fail',
  set: SessionChange,
): Promise<BioSessionRow | undefined> =>
  moving(db, { table: 'bio_session', column: 'state', moves: bioSessionMoves, move: step, set })
    .where('id', '=', id)
    .where('frame', '=', frame)
    .returningAll()
    .executeTakeFirst()

/** Goes on to the next frame, if no other frame came before; undefined otherwise. */
export const nextFrame = (
  db: Db<Tables>,
  { id, frame }: BioSessionRow,
  set: SessionChange,
): Promise<BioSessionRow | undefined> =>
  db
    .updateTable('bio_session')
    .set({ ...set, frame: frame + 1 })
    .where('id', '=', id)
    .where('frame', '=', frame)
    .where('state', '=', 'InProgress')
    .returningAll()
    .executeTakeFirst()

/**
 * Takes from the sessions of a subject what is about the person. Of one that runs only the name goes: what it captures
 * goes with its end, and an enrollment is a new consent.
 */
export async function forgetSubject(
  db: Db<Tables>,
  { id, subscription_id }: Pick<BioSubjectRow, 'id' | 'subscription_id'>,
): Promise<void> {
  const ofSubject = db
    .updateTable('bio_session')
    .where('subject_id', '=', id)
    .where('subscription_id', '=', subscription_id)
  await ofSubject
    .set({ subject_identifier: null, consent: null, capture: null, face_image: null })
    .where('ended_at', 'is not', null)
    .execute()
  await ofSubject.set({ subject_identifier: null }).where('type', '!=', 'Enrollment').execute()
}

/** Ends up to `limit` sessions whose time is over; nothing of the person stays. */
export async function expireSessions(db: Db<Tables>, now: Date, limit: number): Promise<number> {
  const over = db
    .selectFrom('bio_session')
    .select('id')
    .where('state', 'in', [...bioSessionMoves.expire.from])
    .where('expires_at', '<=', now.toISOString())
    .limit(limit)
  const set = { ended_at: now.toISOString(), capture: null, face_image: null }
  const { numUpdatedRows } = await moving(db, {
    table: 'bio_session',
    column: 'state',
    moves: bioSessionMoves,
    move: 'expire',
    set,
  })
    .where('id', 'in', over)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Drops the pictures of up to `limit` sessions that ended before. */
export async function dropPictures(db: Db<Tables>, endedBefore: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('bio_session')
    .select('id')
    .where('ended_at', '<=', endedBefore.toISOString())
    .where('face_image', 'is not', null)
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('bio_session')
    .set({ face_image: null })
    .where('id', 'in', old)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes up to `limit` sessions that ended before. */
export async function purgeSessions(db: Db<Tables>, endedBefore: Date, limit: number): Promise<number> {
  const old = db.selectFrom('bio_session').select('id').where('ended_at', '<=', endedBefore.toISOString()).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('bio_session').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
