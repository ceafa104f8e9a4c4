// Documents whose flow has ended and that wait for their conclusion.
import { startsOf } from '@chancela/service-kernel/states'
import { type Db, portableStatement } from '@chancela/service-kernel/store'
import { documentMoves } from '../rules/vocabulary.ts'
import { type DocumentJson, documentJson, readDocuments } from './document-reads.ts'
import type { DocumentRow, Tables } from './tables.ts'

const waiting = portableStatement<number, DocumentJson>(
  'documents_concluding',
  (notation) => `select ${documentJson(notation)} from document
    where status in (${startsOf(documentMoves, 'conclude')}) and deleted_at is null order by updated_at limit ${notation.place(1)}`,
  (most) => [most],
)

/** The documents that have waited longest. */
export const concludingDocuments = async (db: Db<Tables>, most: number): Promise<readonly DocumentRow[]> =>
  readDocuments(await waiting(db, most))

const conclude = portableStatement<{ readonly ids: readonly string[]; readonly at: string }, DocumentJson>(
  'documents_conclude',
  // The plus keeps SQLite from scanning the status index instead of looking up each id.
  (
    notation,
  ) => `update document set status = '${documentMoves.conclude.to}', updated_at = ${notation.place(2)}, revision = revision + 1
    where ${notation.oneOf('id', 1)} and ${notation.dialect === 'sqlite' ? '+' : ''}status in (${startsOf(documentMoves, 'conclude')})
    returning ${documentJson(notation)}`,
  ({ ids, at }, list) => [list(ids), at],
)

/** Moves documents to their final status; returns those that were not there yet. The `where` is the lock. */
export async function moveToConcluded(
  db: Db<Tables>,
  ids: readonly string[],
  now: Date,
): Promise<readonly DocumentRow[]> {
  const moved = new Map(readDocuments(await conclude(db, { ids, at: now.toISOString() })).map((row) => [row.id, row]))
  return ids.flatMap((id) => moved.get(id) ?? [])
}
