// Who acts: the participant of a ticket, or the participant a member of the organization acts as.

import type { Context } from '../../context.ts'
import { isStillTied } from '../../parts/access/tickets.ts'
import type { Caller } from '../../rules/caller.ts'
import type { ActionOptions } from '../../rules/flow-plan.ts'
import { canAct } from '../../rules/flow-progress.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Agent, actionKinds } from '../../rules/vocabulary.ts'
import { documentByKey, documentWithFlow, flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow } from '../../store/tables.ts'
import { actionState } from '../documents/act.ts'

/** A participant with the document and the action to act on. */
export interface Acting {
  readonly document: DocumentRow
  readonly steps: readonly FlowStep[]
  readonly step: FlowStep
  readonly participant: ParticipantRow
  readonly options: ActionOptions
  /** Whether the action's URL requires a code by e-mail. */
  readonly needsEmail: boolean
  /** When the ticket expires; nothing for a member. */
  readonly until: Date | null
  /** Who asked for the address of the action; nothing for a participant who got it by e-mail, or signed in. */
  readonly by: Agent | null
}

/** The participant of a ticket; the ticket must belong to the document with this key. */
export async function actingByTicket(
  context: Pick<Context, 'store' | 'tickets' | 'clock'>,
  key: string,
  ticket: string,
): Promise<Acting> {
  const acting = await actingByOldTicket(context, key, ticket)
  if (context.clock() > acting.until!) throw refuse('ActionTicketInvalidOrExpired')
  return acting
}

/** The same for a ticket that may have expired: it still says whose it was. */
export async function actingByOldTicket(
  context: Pick<Context, 'store' | 'tickets'>,
  key: string,
  ticket: string,
): Promise<Acting> {
  const { allowed, until } = await openTicket(context, key, ticket)
  const read = await documentWithFlow(context.store.db, allowed.documentId)
  const found = read && participantIn(read.steps, allowed.participantId)
  const isGood = found && read.document.key === key && read.document.deleted_at === null
  if (!isGood || !isStillTied(allowed, found.participant)) throw await wrongTicket(context, key)
  return { ...read, ...found, needsEmail: allowed.needsEmail, until, by: allowed.by ?? null }
}

async function openTicket(context: Pick<Context, 'store' | 'tickets'>, key: string, ticket: string) {
  try {
    return context.tickets.open('action', ticket)
  } catch (error) {
    if (await documentByKey(context.store.db, key)) throw error
    throw refuse('DocumentInvalidKey', { key }, error)
  }
}

const wrongTicket = async ({ store }: Pick<Context, 'store'>, key: string) =>
  (await documentByKey(store.db, key)) ? refuse('ActionTicketInvalidOrExpired') : refuse('DocumentInvalidKey', { key })

function participantIn(steps: readonly FlowStep[], participantId: string) {
  for (const step of steps) {
    const participant = step.participants.find(({ id }) => id === participantId)
    if (participant) return { step, participant, options: JSON.parse(step.action.options) as ActionOptions }
  }
  return undefined
}

/** Which pending action a member of the organization acts on. */
interface WantedAction {
  readonly flowActionId?: string | null | undefined
  /** CPF in the caller's certificate: it selects among the participants of a rule. */
  readonly cpf?: string | null
}

/** The participant a member acts as: a user as self, an application as the one the action or the certificate names. */
export async function actingMember(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  document: DocumentRow,
  { flowActionId, cpf }: WantedAction,
): Promise<Acting> {
  const steps = await flowOf(store.db, document.id)
  const open = steps
    .filter(({ action }) => !flowActionId || action.id === flowActionId.toLowerCase())
    .flatMap((step) => step.participants.filter(({ id }) => canAct(actionState(step), id)))
    .filter(({ person_id }) => caller.type === 'Application' || person_id === caller.id)
  const chosen = open.find(({ identifier }) => identifier !== null && identifier === cpf) ?? open[0]
  if (!chosen) throw refuse('ParticipantNotFound', { id: document.id })
  return { document, steps, ...participantIn(steps, chosen.id)!, needsEmail: false, until: null, by: null }
}

/** Refuses an act the participant is not asked for now. */
export function requireOpen(acting: Acting, what: 'sign' | 'approve'): void {
  const { step } = acting
  const isAsked = actionKinds[step.action.type].signs === (what === 'sign')
  if (!isAsked)
    throw refuse('InvalidFlowAction', { documentId: acting.document.id, reason: 'The action asks for something else.' })
  requireOpenAction(acting)
}

/** Refuses a participant who has nothing to do on the document now. */
export function requireOpenAction({ document, step, participant }: Acting): void {
  if (document.status === 'Pending' && canAct(actionState(step), participant.id)) return
  throw refuse('InvalidFlowAction', {
    documentId: document.id,
    reason: 'The participant has nothing to do here now.',
  })
}
