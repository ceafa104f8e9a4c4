// The audit of uses of sessions.
import { isoText } from '@chancela/service-kernel/clock'
import { type Db, dialectOf, insertRows, newRowId, runStatement } from '@chancela/service-kernel/store'
import type { SessionRow, SessionUseRow, Tables } from './tables.ts'

/** One use of a session. */
export interface SessionUse {
  readonly session: Pick<SessionRow, 'id' | 'key_id' | 'provider_id'>
  readonly action: SessionUseRow['action']
  /** `ok`, the answered code, or why the session was ended. */
  readonly outcome: string
  readonly hashes?: number
  readonly digestAlgorithm?: string
  readonly alias?: string | undefined
  /** At the provider. */
  readonly milliseconds?: number
  readonly correlationId?: string
}

export const useRow = (use: SessionUse, now: Date): SessionUseRow => ({
  id: newRowId(now),
  at: isoText(now),
  session_id: use.session.id,
  key_id: use.session.key_id,
  provider_id: use.session.provider_id,
  action: use.action,
  outcome: use.outcome,
  hashes: use.hashes ?? 0,
  digest_algorithm: use.digestAlgorithm ?? null,
  alias: use.alias ?? null,
  milliseconds: use.milliseconds === undefined ? null : Math.round(use.milliseconds),
  correlation_id: use.correlationId ?? null,
})

const columns = [
  'id',
  'at',
  'session_id',
  'key_id',
  'provider_id',
  'action',
  'outcome',
  'hashes',
  'digest_algorithm',
  'alias',
  'milliseconds',
  'correlation_id',
] as const satisfies readonly (keyof SessionUseRow)[]

const valuesOf = (row: SessionUseRow): readonly unknown[] => columns.map((name) => row[name])

/** Read by position: SQLite would search every row for each name. */
const sqliteInsert = `insert into session_use (${columns}) select ${columns.map((_, at) => `value ->> ${at}`)} from json_each(?)`

/** One statement for any number of rows: it needs no transaction around it, which halves its cost. */
export async function insertUses(db: Db<Tables>, rows: readonly SessionUseRow[]): Promise<void> {
  if (dialectOf(db) === 'postgres') await insertRows(db, { session_use: rows })
  else await runStatement(db, sqliteInsert, [JSON.stringify(rows.map(valuesOf))])
}

/** Records one use, in the transaction of the change it describes. */
export const recordUse = (db: Db<Tables>, use: SessionUse, now: Date): Promise<void> =>
  insertUses(db, [useRow(use, now)])
