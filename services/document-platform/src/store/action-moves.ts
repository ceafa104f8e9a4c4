import { type Db, move } from '@chancela/service-kernel/store'
import { actionMoves } from '../rules/vocabulary.ts'
import type { FlowActionRow, Tables } from './tables.ts'

/** Releases an action: it becomes pending, and its participants may act. */
export const releaseAction = (db: Db<Tables>, id: string, now: Date): Promise<FlowActionRow | undefined> =>
  moveAction(db, id, 'release', now, now.toISOString())

/** Resets an action as if nobody had acted. */
export const beginActionAgain = (db: Db<Tables>, id: string, now: Date): Promise<FlowActionRow | undefined> =>
  moveAction(db, id, 'beginAgain', now, null)

const moveAction = (db: Db<Tables>, id: string, by: 'release' | 'beginAgain', now: Date, pending_at: string | null) =>
  move(db, {
    table: 'flow_action',
    column: 'status',
    id,
    moves: actionMoves,
    move: by,
    set: { pending_at, updated_at: now.toISOString() },
  })
