// Changes to a pending flow (document-platform facts 1.5): participants who have acted stay, and no action is added
// before the pending step.

import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { editFlow as contract } from '../../contract/documents.ts'
import { authenticationStamps, changesStamps } from '../../rules/authentication-stamps.ts'
import type { Caller } from '../../rules/caller.ts'
import {
  type ActionOptions,
  checkOptions,
  type PlannedPerson,
  planFlow,
  planPerson,
  readEmail,
  requireAvailable,
} from '../../rules/flow-plan.ts'
import { firstStep } from '../../rules/flow-progress.ts'
import { refuse } from '../../rules/refuse.ts'
import { contextOf, requireFitting, type SecurityContext } from '../../rules/security-contexts.ts'
import { actionKinds } from '../../rules/vocabulary.ts'
import { releaseAction } from '../../store/action-moves.ts'
import { type KnownContact, knowContacts } from '../../store/contacts.ts'
import { flowOf, lockedWithFlow } from '../../store/document-reads.ts'
import { replaceTerms, termsNow } from '../../store/document-terms.ts'
import type { DocumentRow, FlowStep, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { actionRows, observerRow } from './create-documents.ts'

type Request = Static<typeof contract.body>
type Tx = Transaction<Tables>

export const editFlow = (context: Context, caller: Caller, { id }: DocumentRow, request: Request, now: Date) =>
  context.store.transaction(async (tx) => {
    // Read anew under the lock: somebody may have signed, or ended the document, since the caller was let in.
    const { document, steps: before } = (await lockedWithFlow(tx, id))!
    if (document.status !== 'Pending') throw refuse('DocumentNotPending', { id, status: document.status })
    const foundBy = await termsNow(tx, [document])
    await removeActions(tx, before, request.deletedFlowActionIds ?? [])
    await changeActions(tx, document, before, request.editedFlowActions ?? [], now)
    const known = await addActions(context, tx, document, before, request.addedFlowActions ?? [], now)
    await changeObservers(tx, document, request, now)
    await replaceTerms(tx, foundBy, await termsNow(tx, [document]))
    const released = await releaseFirst(tx, document, now)
    await tx
      .updateTable('document')
      .set(({ ref, eb }) => ({ updated_at: now.toISOString(), revision: eb(ref('revision'), '+', 1) }))
      .where('id', '=', document.id)
      .execute()
    await tx
      .insertInto('timeline')
      .values(timelineRow({ documentId: document.id, type: 'FlowEdited', agent: caller }, now))
      .execute()
    await context.notices.pending(tx, document, released, now)
    return { rectifiedParticipants: known.flatMap(rectified) }
  })

const hasActed = ({ participants }: FlowStep): boolean =>
  participants.some(({ completed_at, refused_at }) => completed_at !== null || refused_at !== null)

function requiredStep(steps: readonly FlowStep[], id: string): FlowStep {
  const step = steps.find(({ action }) => action.id === id.toLowerCase())
  if (!step) throw refuse('FlowActionNotFound', { flowActionId: id })
  if (hasActed(step)) throw refuse('InvalidFlowAction', { flowActionId: id, reason: 'Somebody has acted on it.' })
  return step
}

/** The pending step: no action is added before it. */
const currentStep = (steps: readonly FlowStep[]): number =>
  firstStep(steps.filter(({ action }) => action.status !== 'Completed').map(({ action }) => action.step))

async function removeActions(tx: Tx, steps: readonly FlowStep[], ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { action } = requiredStep(steps, id)
    await tx.deleteFrom('participant').where('action_id', '=', action.id).execute()
    await tx.deleteFrom('flow_action').where('id', '=', action.id).execute()
  }
}

async function changeActions(
  tx: Tx,
  document: DocumentRow,
  steps: readonly FlowStep[],
  edits: NonNullable<Request['editedFlowActions']>,
  now: Date,
): Promise<void> {
  const context = contextOf(document)
  for (const [index, edit] of edits.entries()) {
    const asked = { edit, at: `editedFlowActions[${index}]`, context }
    const step = requiredStep(steps, edit.flowActionId)
    await changeAction(tx, step, currentStep(steps), asked, now)
    await changeParticipants(tx, step, asked)
  }
}

/** An edit, and where it stands in the request. */
interface AskedEdit {
  readonly edit: NonNullable<Request['editedFlowActions']>[number]
  readonly at: string
  /** The context of the document. */
  readonly context: SecurityContext | null
}

async function changeAction(
  tx: Tx,
  { action }: FlowStep,
  current: number,
  { edit, at, context }: AskedEdit,
  now: Date,
): Promise<void> {
  const {
    flowActionId,
    step,
    title,
    ruleName,
    ruleUsers: _people,
    signRuleUsers: _formerPeople,
    participantEmailAddress: _email,
    participantPhoneNumber: _phone,
    ...options
  } = edit
  if (step && step !== action.step && (step < current || action.status === 'Pending'))
    throw refuse('InvalidFlowAction', { flowActionId, reason: 'A step that has begun cannot be moved to or from.' })
  refuseNewStamps(changesStamps(JSON.parse(action.options) as ActionOptions, options))
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== null))
  // What the document asked for before stays, also a way to identify people that new flows cannot ask for.
  requireAvailable(given, at)
  const changed: ActionOptions = { ...JSON.parse(action.options), ...given }
  checkOptions(changed, at)
  if (context) requireFitting(context, { type: action.type, options: changed }, at)
  await tx
    .updateTable('flow_action')
    .set({
      step: step ?? action.step,
      title: title ?? action.title,
      rule_name: ruleName ?? action.rule_name,
      options: JSON.stringify(changed),
      updated_at: now.toISOString(),
    })
    .where('id', '=', action.id)
    .execute()
}

/** Stamps are part of the pages since the document was created; the pages of what people read do not change under them. */
function refuseNewStamps(asked: boolean): void {
  if (asked)
    throw refuse('InvalidFlowAction', {
      field: 'prePositionedMarks',
      reason: 'AuthenticationStamp is for new documents.',
    })
}

async function changeParticipants(tx: Tx, { action, participants }: FlowStep, { edit, at }: AskedEdit): Promise<void> {
  for (const { userId, email, phone } of contactChanges(action, participants, { edit, at })) {
    const participant = participants.find(({ person_id }) => person_id === userId.toLowerCase())
    if (!participant)
      throw refuse('InvalidFlowAction', { flowActionId: action.id, reason: `${userId} takes no part in it.` })
    await tx
      .updateTable('participant')
      .set({ email: email ?? participant.email, phone: phone || participant.phone })
      .where('id', '=', participant.id)
      .execute()
  }
}

interface ContactChange {
  readonly userId: string
  readonly email: string | null
  readonly phone: string | null | undefined
}

const forRules = ['ruleUsers', 'signRuleUsers'] as const
const notForRules = ['participantEmailAddress', 'participantPhoneNumber'] as const

/** New addresses: of each member of a rule by its id, of any other action's one participant without. */
function contactChanges(
  { type }: FlowStep['action'],
  participants: FlowStep['participants'],
  { edit, at }: Omit<AskedEdit, 'context'>,
): readonly ContactChange[] {
  const { ruleUsers, signRuleUsers, participantEmailAddress, participantPhoneNumber } = edit
  const list = ruleUsers ? 'ruleUsers' : 'signRuleUsers'
  const members = ruleUsers ?? signRuleUsers ?? []
  const { isRule } = actionKinds[type]
  const misplaced = (isRule ? notForRules : forRules).find((field) => edit[field]?.length)
  if (misplaced)
    throw refuse('InvalidFlowAction', {
      field: `${at}.${misplaced}`,
      reason: isRule ? 'is not for rules' : 'is for rules',
    })
  if (isRule)
    return members.map(({ userId, emailAddress, phoneNumber }, index) => ({
      userId,
      email: readEmail(emailAddress, `${at}.${list}[${index}].emailAddress`),
      phone: phoneNumber,
    }))
  const email = readEmail(participantEmailAddress, `${at}.participantEmailAddress`)
  return [{ userId: participants[0]!.person_id, email, phone: participantPhoneNumber }]
}

async function addActions(
  { settings }: Context,
  tx: Tx,
  document: DocumentRow,
  before: readonly FlowStep[],
  added: NonNullable<Request['addedFlowActions']>,
  now: Date,
): Promise<readonly KnownContact[]> {
  if (added.length === 0) return []
  const there = before.reduce((sum, { participants }) => sum + participants.length, 0)
  const planned = planFlow(added, {
    most: settings.Documents.MaxSignersPerDocument - there,
    list: 'addedFlowActions',
  })
  refuseNewStamps(planned.some(({ options }) => authenticationStamps(options).length > 0))
  const context = contextOf(document)
  for (const [index, action] of planned.entries())
    if (context) requireFitting(context, action, `addedFlowActions[${index}]`)
  const current = currentStep(before)
  const tooEarly = planned.findIndex(({ step }) => step < current)
  if (tooEarly >= 0)
    throw refuse('InvalidFlowAction', {
      field: `addedFlowActions[${tooEarly}].step`,
      reason: `must be ${current} or later`,
    })
  const known = await knowContacts(
    tx,
    document.organization_id,
    planned.flatMap(({ participants }) => participants),
    now,
  )
  const people = new Map(known.map(({ asked, contact }) => [asked, contact]))
  const last = Math.max(...before.map(({ action }) => action.position))
  const steps = planned.map((action, index) => actionRows(document, [], action, last + 1 + index, false, people, now))
  await tx
    .insertInto('flow_action')
    .values(steps.map(({ action }) => action))
    .execute()
  await tx
    .insertInto('participant')
    .values(steps.flatMap(({ participants }) => [...participants]))
    .execute()
  if (planned.some(({ type }) => actionKinds[type].signs))
    await tx.updateTable('document').set({ has_signers: 1 }).where('id', '=', document.id).execute()
  return known
}

async function changeObservers(tx: Tx, document: DocumentRow, request: Request, now: Date): Promise<void> {
  const there = await tx.selectFrom('observer').selectAll().where('document_id', '=', document.id).execute()
  const required = (id: string): string => {
    if (there.some((observer) => observer.id === id.toLowerCase())) return id.toLowerCase()
    throw refuse('ObserverNotFound', { observerId: id })
  }
  for (const id of request.deletedObserverIds ?? [])
    await tx.deleteFrom('observer').where('id', '=', required(id)).execute()
  for (const [index, { observerId, emailAddress }] of (request.editedObservers ?? []).entries())
    await tx
      .updateTable('observer')
      .set({ email: readEmail(emailAddress, `editedObservers[${index}].emailAddress`) })
      .where('id', '=', required(observerId))
      .execute()
  const added = request.addedObservers ?? []
  if (added.length === 0) return
  const planned = added.map(
    ({ user }, index): PlannedPerson =>
      planPerson(user, {
        needsCpf: false,
        wrong: (field, reason) =>
          refuse('InvalidFlowAction', { field: `addedObservers[${index}].user.${field}`, reason }),
      }),
  )
  const known = await knowContacts(tx, document.organization_id, planned, now)
  await tx
    .insertInto('observer')
    .values(known.map((one, index) => observerRow(document.id, one, added[index]!.notificationLanguage ?? null)))
    .execute()
}

/** Releases what is not pending yet in the first open step: the step that was pending may have been removed. */
async function releaseFirst(tx: Tx, document: DocumentRow, now: Date): Promise<readonly FlowStep[]> {
  const steps = await flowOf(tx, document.id)
  const open = steps.filter(({ action }) => action.status === 'Created' || action.status === 'Pending')
  if (open.length === 0) throw refuse('FlowRequired', { reason: 'Nobody would be left to act.' })
  const current = firstStep(open.map(({ action }) => action.step))
  const waiting = open.filter(({ action }) => action.step === current && action.status === 'Created')
  const released: FlowStep[] = []
  for (const step of waiting) if (await releaseAction(tx, step.action.id, now)) released.push(step)
  return released
}

/** A user of the organization, or a contact named by its id, keeps the name it has there: the request is corrected. */
function rectified({ asked, contact }: KnownContact) {
  if (asked.name === '' || asked.name === contact.name) return []
  const requested = { name: asked.name, identifier: asked.identifier, email: asked.email }
  return [
    {
      userId: contact.id,
      requested,
      rectified: { name: contact.name, identifier: contact.identifier, email: contact.email },
    },
  ]
}
