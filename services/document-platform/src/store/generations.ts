import { type Db, move } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { generationMoves, type LineError } from '../rules/generation.ts'
import type { GenerationRow, Tables } from './tables.ts'

/** Wakes the worker that makes documents. */
export const GENERATING = 'generating'

/** Most errors that are kept; all are counted. */
const MOST_ERRORS = 1000

/** Of the generations that are not at their end the one that waited longest: a large one must not hold up the others. */
export const nextGeneration = (db: Db<Tables>): Promise<GenerationRow | undefined> =>
  db
    .selectFrom('generation')
    .selectAll()
    .where('status', 'in', ['Created', 'Processing'])
    .orderBy('updated_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const findGeneration = (
  db: Db<Tables>,
  organizationId: string,
  id: string,
): Promise<GenerationRow | undefined> =>
  db
    .selectFrom('generation')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

export const moveGeneration = (
  db: Db<Tables>,
  id: string,
  name: keyof typeof generationMoves,
  now: Date,
): Promise<GenerationRow | undefined> =>
  move(db, {
    table: 'generation',
    column: 'status',
    id,
    moves: generationMoves,
    move: name,
    set: { updated_at: now.toISOString() },
  })

/** Puts a generation behind the others, after a failure that is not its own. */
export const postponeGeneration = async (db: Db<Tables>, id: string, now: Date): Promise<void> => {
  await db.updateTable('generation').set({ updated_at: now.toISOString() }).where('id', '=', id).execute()
}

/**
 * Counts the next row as done, in the transaction of its document. Of two that work on it one wins, and after a crash the
 * row is done again only if nothing of it was written. False when somebody else has it, or the generation has ended.
 */
export async function takeRow(
  tx: Transaction<Tables>,
  { id, next_row, completed, failed, errors }: GenerationRow,
  outcome: LineError | null,
  now: Date,
): Promise<boolean> {
  const known = JSON.parse(errors) as readonly LineError[]
  const told = outcome && known.length < MOST_ERRORS ? [...known, outcome] : known
  const { numUpdatedRows } = await tx
    .updateTable('generation')
    .set({
      next_row: next_row + 1,
      completed: completed + (outcome ? 0 : 1),
      failed: failed + (outcome ? 1 : 0),
      errors: JSON.stringify(told),
      updated_at: now.toISOString(),
    })
    .where('id', '=', id)
    .where('next_row', '=', next_row)
    .where('status', '=', 'Processing')
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}
