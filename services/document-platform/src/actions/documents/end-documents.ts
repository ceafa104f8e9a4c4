// Documents that end before their flow completes: canceled, refused for the organization, expired, deleted.
import { move } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { deletionActions } from '../../contract/webhooks.ts'
import type { Caller } from '../../rules/caller.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Agent, documentMoves } from '../../rules/vocabulary.ts'
import { replaceTerms, termsNow } from '../../store/document-terms.ts'
import type { DocumentRow, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { recordDocument } from './document-audit.ts'
import { emitDeleted, emitOf, refuserData } from './document-events.ts'

type Tx = Transaction<Tables>

interface Ending {
  readonly move: 'cancel' | 'refuse' | 'expire'
  readonly agent: Agent | null
  readonly reason: string | null
}

/** Moves a pending document to its final status; undefined when it is no longer pending. */
async function end(tx: Tx, document: DocumentRow, { move: by, agent, reason }: Ending, now: Date) {
  return move(tx, {
    table: 'document',
    column: 'status',
    id: document.id,
    moves: documentMoves,
    move: by,
    set: {
      updated_at: now.toISOString(),
      revision: document.revision + 1,
      status_reason: reason,
      status_by_id: agent?.id ?? null,
      status_by_name: agent?.name ?? null,
      status_by_type: agent?.type ?? null,
    },
  })
}

export const cancelDocument = (context: Context, document: DocumentRow, agent: Caller, reason: string, now: Date) =>
  context.store.transaction(async (tx) => {
    const ended = await end(tx, document, { move: 'cancel', agent, reason }, now)
    if (!ended) throw refuse('DocumentNotPending', { id: document.id, status: document.status })
    await note(tx, document, 'Canceled', agent, reason, now)
    const canceledBy = { id: agent.id, name: agent.name, type: agent.type }
    await emitOf(context, tx, 'DocumentCanceled', ended, { canceledBy, reason }, now)
    await context.notices.canceled(tx, ended, reason, now)
    await recordDocument(context, tx, agent, 'DocumentCanceled', document, endedAs(document, ended, reason), now)
  })

export const refuseDocument = (context: Context, document: DocumentRow, agent: Caller, reason: string, now: Date) =>
  context.store.transaction(async (tx) => {
    const ended = await end(tx, document, { move: 'refuse', agent, reason }, now)
    if (!ended) throw refuse('DocumentNotPending', { id: document.id, status: document.status })
    await note(tx, document, 'Refused', agent, reason, now)
    const refusal = refuserData(agent, reason, now.toISOString())
    await emitOf(context, tx, 'DocumentRefused', ended, { refusal }, now)
    await context.notices.refused(tx, ended, agent.name, reason, now)
    await recordDocument(context, tx, agent, 'DocumentRefused', document, endedAs(document, ended, reason), now)
  })

const endedAs = (before: DocumentRow, after: DocumentRow, reason: string) => ({
  before: { status: before.status },
  after: { status: after.status, reason },
})

/** Expires a document past its deadline; false when a concurrent signature came first. */
export const expireDocument = (context: Context, document: DocumentRow, now: Date): Promise<boolean> =>
  context.store.transaction(async (tx) => {
    const ended = await end(tx, document, { move: 'expire', agent: null, reason: null }, now)
    if (!ended) return false
    await note(tx, document, 'Expired', null, null, now)
    const dates = { expirationDate: ended.expires_at, expirationDateWithoutTime: ended.expiration_day }
    await emitOf(context, tx, 'DocumentExpired', ended, dates, now)
    await context.notices.expired(tx, ended, now)
    return true
  })

export const deleteDocument = (context: Context, caller: Caller, document: DocumentRow, now: Date): Promise<void> =>
  context.store.transaction(async (tx) => {
    const deleted = await deleteDocuments(context, tx, [document], caller, 'DeletedByUserOrApplication', now)
    // Of two who delete it at once one did.
    if (deleted === 0) return
    await recordDocument(context, tx, caller, 'DocumentDeleted', document, { before: { status: document.status } }, now)
  })

/** Deletes documents together; skips those already deleted. How many it deleted. */
export async function deleteDocuments(
  context: Pick<Context, 'store'>,
  tx: Tx,
  documents: readonly DocumentRow[],
  agent: Agent,
  action: (typeof deletionActions)[number],
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const deleted: DocumentRow[] = []
  for (let from = 0; from < documents.length; from += 500) {
    const ids = documents.slice(from, from + 500).map(({ id }) => id)
    const rows = await tx
      .updateTable('document')
      .set({ deleted_at: at, updated_at: at })
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .returningAll()
      .execute()
    if (rows.length === 0) continue
    deleted.push(...rows)
    const live = rows.map((row) => ({ ...row, deleted_at: null }))
    await replaceTerms(tx, await termsNow(tx, live), await termsNow(tx, rows))
    await tx
      .insertInto('timeline')
      .values(rows.map(({ id }) => timelineRow({ documentId: id, type: 'Deleted', agent }, now)))
      .execute()
  }
  await emitDeleted(context, tx, deleted, action, now)
  return deleted.length
}

const note = (
  tx: Tx,
  { id }: DocumentRow,
  type: 'Canceled' | 'Refused' | 'Expired',
  agent: Agent | null,
  detail: string | null,
  now: Date,
) =>
  tx
    .insertInto('timeline')
    .values(timelineRow({ documentId: id, type, ...(agent && { agent }), detail }, now))
    .execute()
