// Reminders of pending actions: requested by a caller, or scheduled.
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { notifyPending as notifyRoute, remindAction as remindRoute } from '../../contract/flows.ts'
import type { Caller } from '../../rules/caller.ts'
import { isEmail } from '../../rules/flow-plan.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Agent } from '../../rules/vocabulary.ts'
import { documentById, flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { requiredLiveDocument } from './required-document.ts'

type Tx = Transaction<Tables>

/** Reminds the participants of a pending action. */
export async function remindAction(
  context: Context,
  caller: Caller,
  { documentId, flowActionId }: Static<typeof remindRoute.body>,
  now: Date,
): Promise<void> {
  const document = await requiredLiveDocument(context, caller, 'documents.change', documentId)
  const steps = await flowOf(context.store.db, document.id)
  const step = steps.find(({ action }) => action.id === flowActionId.toLowerCase())
  if (!step) throw refuse('FlowActionNotFound', { flowActionId })
  if (document.status !== 'Pending' || step.action.status !== 'Pending')
    throw refuse('InvalidFlowAction', { flowActionId, reason: 'The action waits for nobody.' })
  if (!context.notices.enabled) throw refuse('EmailNotAvailable')
  await context.store.transaction((tx) => remind(context, tx, document, step, caller, now))
}

async function remind(
  { notices }: Pick<Context, 'notices'>,
  tx: Tx,
  document: DocumentRow,
  step: FlowStep,
  agent: Agent | undefined,
  now: Date,
): Promise<void> {
  await notices.reminder(tx, document, step, now)
  await tx
    .updateTable('participant')
    .set((row) => ({ reminders: row('reminders', '+', 1), reminded_at: now.toISOString() }))
    .where('action_id', '=', step.action.id)
    .where('completed_at', 'is', null)
    .where('refused_at', 'is', null)
    .execute()
  await tx
    .insertInto('timeline')
    .values(
      timelineRow(
        { documentId: document.id, type: 'Reminded', ...(agent && { agent }), actionId: step.action.id },
        now,
      ),
    )
    .execute()
}

/** E-mails each of these people a summary of their pending actions. */
export async function notifyPending(
  { store, notices }: Context,
  { organizationId }: Caller,
  { emails }: Static<typeof notifyRoute.body>,
  now: Date,
): Promise<void> {
  if (!notices.enabled) throw refuse('EmailNotAvailable')
  const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
  const wrong = addresses.find((address) => !isEmail(address))
  if (wrong !== undefined) throw refuse('InvalidRequest', { emails: `${wrong} is no e-mail address` })
  await store.transaction(async (tx) => {
    for (const address of addresses) await notices.summary(tx, organizationId, address, now)
  })
}

/** Reminds the participants of an action that is due; does nothing when it is no longer pending. */
export async function remindDue(context: Context, tx: Tx, action: { id: string; document_id: string }, now: Date) {
  const document = await documentById(tx, action.document_id)
  if (document?.status !== 'Pending' || document.deleted_at !== null || document.disable_notifications === 1) return
  const step = (await flowOf(tx, document.id)).find(({ action: { id } }) => id === action.id)
  if (step?.action.status === 'Pending') await remind(context, tx, document, step, undefined, now)
}
