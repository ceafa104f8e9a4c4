import { SECOND } from '@chancela/service-kernel/clock'
import { move } from '@chancela/service-kernel/store'
import { CONCLUDING } from '../domain/act.ts'
import { tellOf } from '../domain/document-events.ts'
import { timelineRow } from '../domain/timeline.ts'
import { documentMoves } from '../domain/vocabulary.ts'
import type { DocumentRow } from '../store/tables.ts'
import type { Ground } from '../wiring.ts'
import { sweeper, type Worker } from './sweeper.ts'

/** Documents concluded in one transaction. */
const AT_ONCE = 50

/** Missed wake-ups are made up for this often. */
const EVERY = 15 * SECOND

/** What has to be done with a document whose flow has ended before it is concluded. */
export type FinalProcessing = (document: DocumentRow) => Promise<void>

/**
 * Concludes documents whose flow has ended. The status is the queue: what a process that died left in FlowConcluded is
 * found again by whoever looks next.
 */
export function concludeDocuments(ground: Ground, finish: FinalProcessing): Worker {
  return sweeper(ground, { name: 'documents are not concluded', every: EVERY, channel: CONCLUDING }, async () => {
    const waiting = await ground.store.db
      .selectFrom('document')
      .selectAll()
      .where('status', '=', 'FlowConcluded')
      .where('deleted_at', 'is', null)
      .orderBy('updated_at')
      .limit(AT_ONCE)
      .execute()
    for (const document of waiting) await finish(document)
    if (waiting.length > 0) await conclude(ground, waiting)
    return waiting.length === AT_ONCE
  })
}

const conclude = (ground: Ground, documents: readonly DocumentRow[]): Promise<void> =>
  ground.store.transaction(async (tx) => {
    const now = ground.clock()
    for (const { id, revision } of documents) {
      const set = { updated_at: now.toISOString(), revision: revision + 1 }
      const concluded = await move(tx, {
        table: 'document',
        column: 'status',
        id,
        moves: documentMoves,
        move: 'conclude',
        set,
      })
      // Another instance was quicker.
      if (!concluded) continue
      await tx
        .insertInto('timeline')
        .values(timelineRow({ documentId: id, type: 'Concluded' }, now))
        .execute()
      await tellOf(ground, tx, 'DocumentConcluded', concluded, {}, now)
      if (concluded.disable_notifications === 0) await ground.notices.concluded(tx, concluded, now)
    }
  })
