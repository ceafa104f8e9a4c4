import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@chancela/service-kernel/clock'
import { insertRows } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import { CONCLUDING } from '../actions/documents/act.ts'
import { emitOfEach } from '../actions/documents/document-events.ts'
import type { Context } from '../context.ts'
import { concludingDocuments, moveToConcluded } from '../store/concluding.ts'
import type { DocumentRow } from '../store/tables.ts'
import { timelineRow } from '../store/timeline-rows.ts'

/** Documents concluded in one transaction. */
const AT_ONCE = 50

/** Poll interval that makes up for missed wake-ups. */
const EVERY = 15 * SECOND

/**
 * Least time between the beginnings of two transactions: a document that comes alone is concluded at once, those that
 * come one after the other are gathered.
 */
const GATHER_MS = 30

/** Work on a document between the end of its flow and its conclusion. */
export type FinalProcessing = (document: DocumentRow) => Promise<void>

/**
 * Concludes documents whose flow has ended. The status is the queue: a document left in FlowConcluded by a process that
 * died is found by the next poll of any instance.
 */
export function concludeDocuments(context: Context, finish: FinalProcessing): Worker {
  let next = 0
  return sweeper(context, { name: 'document conclusion', every: EVERY, channel: CONCLUDING }, async () => {
    const early = next - performance.now()
    if (early > 0) await pause(early)
    next = performance.now() + GATHER_MS
    const waiting = await concludingDocuments(context.store.db, AT_ONCE)
    for (const document of waiting) await finish(document)
    if (waiting.length > 0) await conclude(context, waiting)
    return waiting.length === AT_ONCE
  })
}

const conclude = (context: Context, documents: readonly DocumentRow[]): Promise<void> =>
  context.store.transaction(async (tx) => {
    const now = context.clock()
    const ids = documents.map(({ id }) => id)
    // Fewer rows when another instance concluded some first.
    const concluded = await moveToConcluded(tx, ids, now)
    await insertRows(tx, {
      timeline: concluded.map(({ id }) => timelineRow({ documentId: id, type: 'Concluded' }, now)),
    })
    for (const organization of new Set(concluded.map(({ organization_id }) => organization_id))) {
      const itsOwn = concluded.filter(({ organization_id }) => organization_id === organization)
      await emitOfEach(context, tx, 'DocumentConcluded', itsOwn, now)
    }
    for (const document of concluded)
      if (document.disable_notifications === 0) await context.notices.concluded(tx, document, now)
  })
