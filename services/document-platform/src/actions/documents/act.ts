// Acts of participants: sign, approve, refuse. Each act and all its effects are written in one transaction.
import { insertRows, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { isDayOver } from '../../rules/expiration.ts'
import { type ActionState, canAct, type Progress, progressAfter } from '../../rules/flow-progress.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Agent, documentMoves } from '../../rules/vocabulary.ts'
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
  /** DER, base64; null for approvals. */
  readonly certificate: string | null
  readonly evidences: object
  /** The signed file and the document revision it was made from; undefined for approvals. */
  readonly signed?: SignedFile
  /** Whether e-mails are sent. Default true. */
  readonly notifies?: boolean
  /** Who did it for the participant: an application or an administrator with a ticket, without a code. */
  readonly by?: Agent | null
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

/** Channel that notifies the instances when a flow has ended. */
export const CONCLUDING = 'documents-concluding'

/** Records a signature or approval and advances the flow. Refused when a concurrent act changed the document first. */
export const recordAct = (context: Context, act: ParticipantAct, now: Date): Promise<DocumentRow> =>
  thenConcluding(context, (tx) => writeRecord(context, tx, act, now))

/** Records the act of a document that comes to be with it: `create` writes the document, in the same transaction. */
export const recordWithDocument = (
  context: Context,
  create: (tx: Tx) => Promise<{ readonly act: ParticipantAct; readonly found: FoundDocument }>,
  now: Date,
): Promise<DocumentRow> =>
  thenConcluding(context, async (tx) => {
    const { act, found } = await create(tx)
    return writeRecord(context, tx, act, now, found)
  })

async function writeRecord(
  context: Context,
  tx: Tx,
  act: ParticipantAct,
  now: Date,
  found?: FoundDocument,
): Promise<DocumentRow> {
  const { document, steps, step, participant } = await openAct(tx, act, now, found)
  if (act.signed && act.signed.fromRevision !== document.revision) throw refuse('DocumentChanged')
  const at = now.toISOString()
  const progress = progressAfter(stateOf(steps), { participantId: act.participantId, act: 'complete' }, endsBy(context))
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
          ...agentOf(participant, act.by),
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
  // Last, because every act of the organization updates these rows: their locks are held until the commit.
  await countTransactions(context, tx, document.organization_id, billed, 1, now)
  if (act.signed?.isTimestamped) await countTransactions(context, tx, document.organization_id, 'Timestamper', 1, now)
  return moved
}

interface ParticipantRefusal {
  readonly documentId: string
  readonly participantId: string
  readonly reason: string
  /** As of a `ParticipantAct`. */
  readonly by?: Agent | null
}

/** Who did it, for the timeline: the participant, or who acted for the participant, then named in the detail. */
const agentOf = ({ person_id, name }: ParticipantRow, by: Agent | null | undefined) =>
  by
    ? { agent: { id: by.id, name: by.name, type: by.type }, detail: name }
    : { agent: { id: person_id, name, type: 'Participant' as const }, detail: null }

/** Records that a participant refused; the document is refused with it unless the flow can do without. */
export const recordRefusal = (
  context: Context,
  { documentId, participantId, reason, by: organization }: ParticipantRefusal,
  now: Date,
): Promise<DocumentRow> =>
  thenConcluding(context, async (tx) => {
    const { document, steps, step, participant } = await openAct(tx, { documentId, participantId }, now)
    const at = now.toISOString()
    const progress = progressAfter(stateOf(steps), { participantId, act: 'refuse' }, endsBy(context))
    const acted = { ...participant, refused_at: at, refusal_reason: reason }
    const by = { id: participant.person_id, name: participant.name, type: 'User' } as const
    const moved = await moveOn(
      tx,
      { document, acted, progress, ...(progress.move === 'refuse' && { by, reason }) },
      now,
    )
    const { agent, detail } = agentOf(participant, organization)
    await insertRows(tx, {
      timeline: [
        timelineRow(
          {
            documentId,
            type: 'Refused',
            agent,
            actionId: step.action.id,
            detail: detail ? `${detail}: ${reason}` : reason,
          },
          now,
        ),
      ],
    })
    await emitOf(context, tx, 'DocumentRefused', moved, { refusal: { ...actorData(participant, at), reason } }, now)
    if (moved.status === 'Refused') await context.notices.refused(tx, moved, participant.name, reason, now)
    else await context.notices.pending(tx, moved, releasedOf(steps, progress), now)
    return moved
  })

/**
 * Runs the work in a transaction and, when the flow has ended, wakes the concluding workers: after the commit, because
 * PostgreSQL serializes the commits of transactions that notify. The act stays recorded; a lost wake-up is made up for
 * by the workers' next poll.
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

/** A document with its flow, which nobody else can change. */
interface FoundDocument {
  readonly document: DocumentRow
  readonly steps: readonly FlowStep[]
}

type WantedAct = Pick<ParticipantAct, 'documentId' | 'participantId'> & Partial<Pick<ParticipantAct, 'kind'>>

/**
 * The document and the action a participant can act on now. Past its day nobody acts, though the worker that expires it
 * may not have come yet: it would be concluded after its expiration date (spec 3 A, Events).
 */
async function openAct(tx: Tx, { documentId, participantId, kind }: WantedAct, now: Date, known?: FoundDocument) {
  const found = known ?? (await lockedWithFlow(tx, documentId))
  if (!found || found.document.deleted_at !== null) throw refuse('DocumentNotFound', { id: documentId })
  const { document, steps } = found
  const step = steps.find(({ participants }) => participants.some(({ id }) => id === participantId))
  const participant = step?.participants.find(({ id }) => id === participantId)
  // Whoever signed holds a token that was completed.
  if (kind === 'certificate' && participant?.completed_at)
    throw refuse('SignatureTokenInvalidOrExpired', { reason: 'It is completed.' })
  const isOpen = document.status === 'Pending' && !isDayOver(document, now)
  if (!isOpen || !step || !participant || !canAct(actionState(step), participantId))
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

/** Writes the new states; the document's status changes only by the table of its moves. */
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
