import type { EventLog } from '@chancela/service-kernel/events'
import type { Db, Store } from '@chancela/service-kernel/store'
import { type Actor, nameOf } from '../rules/actor.ts'
import { type PauseMove, pauseMoves, saidPause } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { telling } from '../rules/sentences.ts'
import { QUEUE_CHANNEL } from './job-ledger.ts'
import type { PipelineStateRow, Tables } from './tables.ts'

/** The stored pause flag; it survives restarts and is shared by all instances. */
export const readPipelineState = (db: Db<Tables>): Promise<PipelineStateRow> =>
  db.selectFrom('pipeline_state').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()

/** Actor, time and reason of a pause or resume. */
export interface PauseRequest {
  readonly actor: Actor
  readonly reason: string | undefined
  readonly now: Date
}

interface Dependencies {
  readonly store: Store<Tables>
  readonly events: EventLog
}

/** Pauses or resumes; false when it already was in that state. */
export async function movePipeline(
  dependencies: Dependencies,
  move: PauseMove,
  request: PauseRequest,
): Promise<boolean> {
  const seen = await readPipelineState(dependencies.store.db)
  if ((seen.paused === 1) === pauseMoves[move].paused) return false
  await moveFrom(dependencies, seen, move, request)
  return true
}

/**
 * Moves the flag from the state the caller has read, with the event in the same transaction. Compare-and-set: of two
 * callers with the same state one moves it, the other gets `pipeline.race-lost`.
 */
export const moveFrom = (
  { store, events }: Dependencies,
  seen: Pick<PipelineStateRow, 'version'>,
  move: PauseMove,
  request: PauseRequest,
): Promise<void> =>
  store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('pipeline_state')
      .set({ ...stateOf(move, request), version: seen.version + 1 })
      .where('id', '=', 1)
      .where('version', '=', seen.version)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw refuse('pipeline.race-lost')
    const { actor, reason } = request
    const { paused } = pauseMoves[move]
    const changes = { before: { paused: !paused }, after: { paused } }
    const what = telling(saidPause(move, actor, reason))
    await events.record(tx, { type: pauseMoves[move].eventType, actor, ...what, changes })
    // Workers that found the queue paused poll again.
    if (move === 'resume') await store.notify(tx, QUEUE_CHANNEL)
  })

const stateOf = (move: PauseMove, { actor, reason, now }: PauseRequest): Partial<PipelineStateRow> =>
  move === 'pause'
    ? { paused: 1, paused_at: now.toISOString(), paused_by: nameOf(actor), reason: reason ?? null }
    : { paused: 0, resumed_at: now.toISOString(), paused_by: null, reason: null }
