import type { Db } from '@chancela/service-kernel/store'
import type { SessionRow, Tables } from './tables.ts'

/**
 * Returns the session that waits for an OAuth state and clears the state: of two requests with one state, only one gets
 * the session.
 */
export const takeState = (db: Db<Tables>, stateHash: string): Promise<SessionRow | undefined> =>
  db
    .updateTable('session')
    .set({ state_hash: null })
    .where('state_hash', '=', stateHash)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

/** The session that waits for an OAuth state, without clearing it. */
export const sessionOfState = (db: Db<Tables>, stateHash: string): Promise<SessionRow | undefined> =>
  db
    .selectFrom('session')
    .selectAll()
    .where('state_hash', '=', stateHash)
    .where('state', '=', 'pending')
    .executeTakeFirst()

/** Replaces the step of a session that still waits with it; of two concurrent replacements, only one succeeds. */
export async function replaceStep(
  db: Db<Tables>,
  { id, state_hash, sealed_step: former }: SessionRow,
  sealed_step: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ sealed_step })
    .where('id', '=', id)
    .where('state_hash', '=', state_hash)
    .where('sealed_step', '=', former)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What a session waits for at its next redirect. */
interface NextStep {
  readonly state_hash: string
  readonly sealed_step: string
}

/** Makes a session wait for another redirect; returns whether it was still pending. */
export async function awaitState(db: Db<Tables>, id: string, next: NextStep): Promise<boolean> {
  const session = db.updateTable('session').set(next).where('id', '=', id).where('state', '=', 'pending')
  const { numUpdatedRows } = await session.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ids of the sessions of a creation that wait for the holder. */
export async function waitingSessions(db: Db<Tables>, creationId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('creation_id', '=', creationId)
    .where('state', '=', 'pending')
    .where('state_hash', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
