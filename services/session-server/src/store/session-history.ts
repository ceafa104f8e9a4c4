// The history of sessions: those that were opened, and attempts that failed.
import { containingAnyCase, type Db } from '@chancela/service-kernel/store'
import type { SessionAttemptRow, Tables } from './tables.ts'

export const insertAttempt = async (db: Db<Tables>, row: SessionAttemptRow): Promise<void> => {
  await db.insertInto('session_attempt').values(row).execute()
}

/** Deletes up to `limit` attempts before a time; returns how many. */
export async function deleteAttempts(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('session_attempt')
    .select('id')
    .where('at', '<', before.toISOString())
    .orderBy('at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('session_attempt').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export interface HistoryFilter {
  readonly cpf?: string
  /** Part of the application's name. */
  readonly application?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Id of the last entry of the previous page; ids sort by creation. */
  readonly before?: string
  readonly limit: number
}

export type OpenedSession = Awaited<ReturnType<typeof listOpenedSessions>>[number]
export type FailedAttempt = Awaited<ReturnType<typeof listFailedAttempts>>[number]

/** Sessions that were opened, also those that are over, newest first. */
export const listOpenedSessions = (db: Db<Tables>, { cpf, application, from, to, before, limit }: HistoryFilter) =>
  db
    .selectFrom('signing_session as s')
    .innerJoin('certificate as c', 'c.id', 's.certificate_id')
    .leftJoin('workstation as w', 'w.id', 'c.workstation_id')
    .leftJoin('client_application as a', 'a.id', 's.application_id')
    .select([
      's.id',
      's.cpf',
      's.custody',
      's.created_at',
      's.expires_at',
      's.ended_at',
      's.end_reason',
      's.signatures',
      's.address',
      's.correlation_id',
      'c.subject_name',
      'w.name as workstation',
      'a.name as application',
    ])
    .$if(cpf !== undefined, (query) => query.where('s.cpf', '=', cpf!))
    .$if(application !== undefined, (query) =>
      query.where('s.application_id', 'in', (row) =>
        row
          .selectFrom('client_application as named')
          .select('named.id')
          .where(containingAnyCase('named.name', application!)),
      ),
    )
    .$if(from !== undefined, (query) => query.where('s.created_at', '>=', from!.toISOString()))
    .$if(to !== undefined, (query) => query.where('s.created_at', '<', to!.toISOString()))
    .$if(before !== undefined, (query) => query.where('s.id', '<', before!))
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()

/** Attempts that failed, newest first. */
export const listFailedAttempts = (db: Db<Tables>, { cpf, application, from, to, before, limit }: HistoryFilter) =>
  db
    .selectFrom('session_attempt as t')
    .leftJoin('client_application as a', 'a.id', 't.application_id')
    .selectAll('t')
    .select('a.name as application')
    .$if(cpf !== undefined, (query) => query.where('t.cpf', '=', cpf!))
    .$if(application !== undefined, (query) =>
      query.where('t.application_id', 'in', (row) =>
        row
          .selectFrom('client_application as named')
          .select('named.id')
          .where(containingAnyCase('named.name', application!)),
      ),
    )
    .$if(from !== undefined, (query) => query.where('t.at', '>=', from!.toISOString()))
    .$if(to !== undefined, (query) => query.where('t.at', '<', to!.toISOString()))
    .$if(before !== undefined, (query) => query.where('t.id', '<', before!))
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute()
