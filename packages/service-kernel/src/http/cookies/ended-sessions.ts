import { type Kysely, sql } from 'kysely'
import type { Db, Store } from '../../store/index.ts'

/** Sessions that were signed out before their time: a copy of their cookie opens nothing any more. */
export interface EndedSessions {
  has(id: string): Promise<boolean>
  /** Remembers a session as ended until it would have ended by itself; true for the one call that ended it. */
  note(id: string, until: Date, now: Date): Promise<boolean>
}

/** The table of ended sessions; a service whose sessions are only in cookies adds it to its own. */
export interface EndedSessionTables {
  ended_session: {
    id: string
    /** ISO 8601. */
    until: string
  }
}

/** The schema step of the table. */
export async function createEndedSessions(db: Kysely<unknown>): Promise<void> {
  await sql`create table ended_session (id text primary key, until text not null)`.execute(db)
}

/** Ended sessions in the service's store, so that they stay ended over restarts and for every process. */
export function endedSessions<Tables>(store: Pick<Store<Tables>, 'db'>): EndedSessions {
  const db = store.db as unknown as Db<EndedSessionTables>
  return {
    has: async (id) =>
      (await db.selectFrom('ended_session').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
    note: async (id, until, now) => {
      // There are as many as people sign out within the longest session.
      await db.deleteFrom('ended_session').where('until', '<', now.toISOString()).execute()
      const row = { id, until: until.toISOString() }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('ended_session')
        .values(row)
        .onConflict((known) => known.column('id').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}
