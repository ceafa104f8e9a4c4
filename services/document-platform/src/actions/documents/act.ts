// What participants do: sign, approve, refuse. One transaction each, and everything it leads to is in it.
import { insertRows, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { type ActionState, canAct, type Progress, progressAfter } from '../../rules/flow-progress.ts'
import { refuse } from '../../rules/refuse.ts'
import { documentMoves } from '../../rules/vocabulary.ts'
import { writeAct } from '../../store/act-writes.ts'
import { lockedWithFlow } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow, SignatureRow, Tables } from '../../store/tables.ts'
import { type TimelineType, timelineRow } from '../../store/timeline-rows.ts'
import { countTransactions, type TransactionType } from '../organizations/billing.ts'
import { actorData, emitOf } from './document-events.ts'

type Tx = Transaction<Tables>

/** An act of a participant that can be recorded. */
export interface ParticipantAct {
  readonly documentId: string
  readonly participantId: string
  readonly kind: SignatureRow['kind']
  /** DER, base64; nothing for approvals. */
  readonly certificate: string | null
  readonly evidences: object
  /** The signed file, and the revision of the document it was made from; nothing for approvals. */
  readonly signed?: SignedFile
  /** Whether anybody is told by e-mail. Default true. */
  readonly notifies?: boolean
}

interface SignedFile {
  readonly digest: string
  readonly size: number
  readonly fromRevision: number
  readonly isTimestamped: boolean
}

interface ActKind {
  readonly event: 'DocumentSigned' | 'DocumentApproved'
  readonly field: 'signature' | 'approval'
  readonly timeline: TimelineType
  readonly billed: TransactionType
}

const actKinds: Readonly<Record<SignatureRow['kind'], ActKind>> = {
  certificate: { event: 'DocumentSigned', field: 'signature', timeline: 'Signed', billed: 'Signature' },
  electronic: {
    event: 'DocumentSigned',
    field: 'signature',
    timeline: 'SignedElectronically',
    billed: 'ElectronicSignature',
  },
  approval: { event: 'DocumentApproved', field: 'approval', timeline: 'Approved', billed: 'Approval' },
}

/** Channel on which instances learn that a flow has ended. */
export const CONCLUDING = 'documents-concluding'

/** Records that a participant signed or approved, and lets the flow go on. Refused when somebody was quicker. */
export const recordAct = (context: Context, act: ParticipantAct, now: Date): Promise<DocumentRow> =>
  thenConcluding(context, async (tx) => {
    const { document, steps, step, participant } = await openAct(tx, act.documentId, act.participantId, act.signed)
    if (act.signed && act.signed.fromRevision !== document.revision)
      throw refuse('SignatureTokenInvalidOrExpired', { reason: 'The document has changed meanwhile.' })
    const at = now.toISOString()
    const progress = progressAfter(
      stateOf(steps),
      { participantId: act.participantId, act: 'complete' },
      endsBy(context),
    )
    const acted: ParticipantRow = { ...participant, completed_at: at, is_electronic: act.kind === 'electronic' ? 1 : 0 }
    const moved = await moveOn(tx, { document, acted, progress, signed: act.signed }, now)
    const { event, field, timeline, billed } = actKinds[act.kind]
    await insertRows(tx, {
      signature: [
        {
          id: newRowId(now),
          document_id: document.id,
          action_id: step.action.id,
          participant_id: participant.id,
          kind: act.kind,
          at,
          certificate: act.certificate,
          evidences: JSON.stringify(act.evidences),
        },
      ],
      timeline: [
        timelineRow(
          {
            documentId: document.id,
            type: timeline,
            agent: { id: participant.person_id, name: participant.name, type: 'Participant' },
            actionId: step.action.id,
          },
          now,
        ),
        ...(moved.status === 'FlowConcluded'
          ? [timelineRow({ documentId: document.id, type: 'FlowConcluded' }, now)]
          : []),
      ],
    })
    await emitOf(context, tx, event, moved, { [field]: actorData(participant, at) }, now)
    if (moved.status !== 'FlowConcluded' && act.notifies !== false)
      await context.notices.pending(tx, moved, releasedOf(steps, progress), now)
    // Last, because every act of the organization writes these rows: they are held until this one is durable.
    await countTransactions(context, tx, document.organization_id, billed, 1, now)
    if (act.signed?.isTimestamped) await countTransactions(context, tx, document.organization_id, 'Timestamper', 1, now)
    return moved
  })

/** Records that a participant refused; the document is refused with it unless the flow can do without. */
export const recordRefusal = (
  context: Context,
  { documentId, participantId, reason }: { documentId: string; participantId: string; reason: string },
  now: Date,
): Promise<DocumentRow> =>
  thenConcluding(context, async (tx) => {
    const { document, steps, step, participant } = await openAct(tx, documentId, participantId)
    const at = now.toISOString()
    const progress = progressAfter(stateOf(steps), { participantId, act: 'refuse' }, endsBy(context))
    const acted = { ...participant, refused_at: at, refusal_reason: reason }
    const by = { id: participant.person_id, name: participant.name, type: 'User' } as const
    const moved = await moveOn(
      tx,
      { document, acted, progress, ...(progress.move === 'refuse' && { by, reason }) },
      now,
    )
    const agent = { ...by, type: 'Participant' } as const
    await insertRows(tx, {
      timeline: [timelineRow({ documentId, type: 'Refused', agent, actionId: step.action.id, detail: reason }, now)],
    })
    await emitOf(context, tx, 'DocumentRefused', moved, { refusal: { ...actorData(participant, at), reason } }, now)
    if (moved.status === 'Refused') await context.notices.refused(tx, moved, participant.name, reason, now)
    else await context.notices.pending(tx, moved, releasedOf(steps, progress), now)
    return moved
  })

/**
 * Does the work in a transaction and then, where the flow has ended, wakes those who conclude documents: after the commit,
 * because PostgreSQL lets transactions that notify commit only one by one. What was recorded stands; a wake-up that is
 * lost is made up for by their next look.
 */
async function thenConcluding(context: Context, work: (tx: Tx) => Promise<DocumentRow>): Promise<DocumentRow> {
  const moved = await context.store.transaction(work)
  if (moved.status === 'FlowConcluded') void wakeConcluding(context)
  return moved
}

async function wakeConcluding({ store, logger }: Context): Promise<void> {
  try {
    await store.notify(store.db, CONCLUDING)
  } catch (error) {
    logger.warn({ err: error }, 'document conclusion delayed')
  }
}

const endsBy = ({ settings }: Context) => ({
  refusalEndsDocument: !settings.Documents.AllowFlowActionRefusalToNotRefuseDocument,
})

/** The document and the action a participant can act on now. */
async function openAct(tx: Tx, documentId: string, participantId: string, signed?: ParticipantAct['signed']) {
  const found = await lockedWithFlow(tx, documentId)
  if (!found || found.document.deleted_at !== null) throw refuse('DocumentNotFound', { id: documentId })
  const { document, steps } = found
  const step = steps.find(({ participants }) => participants.some(({ id }) => id === participantId))
  const participant = step?.participants.find(({ id }) => id === participantId)
  // Whoever signed holds a token that was completed.
  if (signed && participant?.completed_at)
    throw refuse('SignatureTokenInvalidOrExpired', { reason: 'It is completed.' })
  if (document.status !== 'Pending' || !step || !participant || !canAct(actionState(step), participantId))
    throw refuse('InvalidFlowAction', { documentId, reason: 'The participant has nothing to do here now.' })
  return { document, steps, step, participant }
}

export const actionState = ({ action, participants }: FlowStep): ActionState => ({
  id: action.id,
  type: action.type,
  step: action.step,
  status: action.status,
  required: action.required,
  goesOn:
    (JSON.parse(action.options) as { allowRuleFlowToContinueIfRefused?: boolean }).allowRuleFlowToContinueIfRefused ===
    true,
  participants: participants.map(({ id, completed_at, refused_at }) => ({
    id,
    acted: completed_at !== null,
    refused: refused_at !== null,
  })),
})

const stateOf = (steps: readonly FlowStep[]) => ({ actions: steps.map(actionState) })

interface Movement {
  readonly document: DocumentRow
  readonly acted: ParticipantRow
  readonly progress: Progress
  readonly signed?: ParticipantAct['signed'] | undefined
  readonly by?: { readonly id: string; readonly name: string; readonly type: 'User' }
  readonly reason?: string
}

/** Writes what became of it all; a document is moved by the table of its states alone. */
async function moveOn(tx: Tx, movement: Movement, now: Date): Promise<DocumentRow> {
  const { document, acted, progress, signed, by, reason } = movement
  const at = now.toISOString()
  const moved: DocumentRow = {
    ...document,
    updated_at: at,
    revision: document.revision + 1,
    ...(progress.move && { status: documentMoves[progress.move].to }),
    ...(signed && {
      current_digest: signed.digest,
      current_size: signed.size,
      signatures: document.signatures + 1,
    }),
    ...(by && { status_by_id: by.id, status_by_name: by.name, status_by_type: by.type, status_reason: reason ?? null }),
  }
  await writeAct(tx, { participant: acted, actions: progress.changed, document: moved, at })
  return moved
}

const releasedOf = (steps: readonly FlowStep[], { released }: Progress): readonly FlowStep[] =>
  steps.filter(({ action }) => released.includes(action.id))
