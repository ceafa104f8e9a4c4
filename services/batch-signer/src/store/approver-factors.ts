// Authenticator apps of approvers, and in which browsers a code was given lately.
import { type Db, type Store, writeAlone } from '@chancela/service-kernel/store'
import { sql, type Transaction } from 'kysely'
import type { ApproverFactorRow, ApproverWindowRow, Tables } from './tables.ts'

type Tx = Transaction<Tables>

export const findFactor = (db: Db<Tables>, key: string): Promise<ApproverFactorRow | undefined> =>
  db.selectFrom('approver_factor').selectAll().where('approver_key', '=', key).executeTakeFirst()

export const listFactors = (db: Db<Tables>): Promise<ApproverFactorRow[]> =>
  db.selectFrom('approver_factor').selectAll().orderBy('approver_key').execute()

type NewFactor = Pick<ApproverFactorRow, 'approver_key' | 'sealed_seed' | 'last_step' | 'enrolled_at'>

/**
 * Stores an app that was confirmed. Of two at once the first wins; only a seed that no longer opens (`stale`) is
 * replaced.
 */
export async function insertFactor(tx: Tx, factor: NewFactor, stale: string | undefined): Promise<boolean> {
  const { approver_key, ...values } = { ...factor, failures: 0, locked_until: null }
  const stored = await tx
    .insertInto('approver_factor')
    .values({ approver_key, ...values })
    .onConflict((known) =>
      known
        .column('approver_key')
        .doUpdateSet(values)
        .where('approver_factor.sealed_seed', '=', stale ?? ''),
    )
    .returning('approver_key')
    .executeTakeFirst()
  return stored !== undefined
}

/** Forgets an app, and closes the windows of its codes; what it was, if there was one. */
export async function deleteFactor(tx: Tx, key: string): Promise<ApproverFactorRow | undefined> {
  await tx.deleteFrom('approver_window').where('approver_key', '=', key).execute()
  return tx.deleteFrom('approver_factor').where('approver_key', '=', key).returningAll().executeTakeFirst()
}

interface Attempt {
  readonly now: Date
  /** Wrong codes in a row that close the enrolment. */
  readonly most: number
  readonly lockedUntil: Date
}

/**
 * Counts an attempt as failed before its code is looked at, and closes the enrolment with the last one allowed: of any
 * number of guesses at once, no more than those are looked at. Undefined while it is closed.
 */
export const takeAttempt = (
  store: Store<Tables>,
  key: string,
  { now, most, lockedUntil }: Attempt,
): Promise<ApproverFactorRow | undefined> => {
  const closing = sql.lit(lockedUntil.toISOString())
  return writeAlone(store, (db) =>
    db
      .updateTable('approver_factor')
      .set({
        // A closing that is over begins the count anew.
        failures: sql<number>`case when locked_until is null then failures + 1 else 1 end`,
        locked_until: sql<string>`case when locked_until is null and failures + 1 >= ${sql.lit(most)} then ${closing} end`,
      })
      .where('approver_key', '=', key)
      .where((row) => row.or([row('locked_until', 'is', null), row('locked_until', '<=', now.toISOString())]))
      .returningAll()
      .executeTakeFirst(),
  )
}

/**
 * Takes the time step of a right code, so that none of it is accepted again, and forgets the failures. False when
 * another took it first, or the app was replaced meanwhile.
 */
export async function takeStep(
  tx: Tx,
  { approver_key, sealed_seed }: Pick<ApproverFactorRow, 'approver_key' | 'sealed_seed'>,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('approver_factor')
    .set({ last_step: step, failures: 0, locked_until: null })
    .where('approver_key', '=', approver_key)
    .where('sealed_seed', '=', sealed_seed)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Opens a window in place of the one before; those that are over go with it. */
export async function openWindow(tx: Tx, window: ApproverWindowRow, now: Date): Promise<void> {
  await tx
    .deleteFrom('approver_window')
    .where((row) => row.or([row('until', '<=', now.toISOString()), row('session_id', '=', window.session_id)]))
    .execute()
  await tx.insertInto('approver_window').values(window).execute()
}

/** The open window of a browser session; it belongs to one person. */
export const findWindow = (
  db: Db<Tables>,
  { sessionId, key }: { readonly sessionId: string; readonly key: string },
  now: Date,
): Promise<ApproverWindowRow | undefined> =>
  db
    .selectFrom('approver_window')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('approver_key', '=', key)
    .where('until', '>', now.toISOString())
    .executeTakeFirst()

/** Uses up a window that is good once; false when another call was first. */
export async function useWindow(
  store: Store<Tables>,
  { session_id, verified_at }: ApproverWindowRow,
): Promise<boolean> {
  const { numDeletedRows } = await writeAlone(store, (db) =>
    db
      .deleteFrom('approver_window')
      .where('session_id', '=', session_id)
      .where('verified_at', '=', verified_at)
      .executeTakeFirst(),
  )
  return numDeletedRows > 0n
}

/** Closes the window of a browser session that ends. */
export async function closeWindow(db: Db<Tables>, sessionId: string): Promise<void> {
  await db.deleteFrom('approver_window').where('session_id', '=', sessionId).execute()
}
