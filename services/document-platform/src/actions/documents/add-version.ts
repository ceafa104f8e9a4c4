// Adds a new file version to a document: its flow starts again (document-platform facts 1.3).

import { move } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { addEnvelopeVersion as contract } from '../../contract/documents.ts'
import type { RenditionLanguage } from '../../parts/renditions/rendition-info.ts'
import { authenticationStamps } from '../../rules/authentication-stamps.ts'
import type { Caller } from '../../rules/caller.ts'
import { isDayOver } from '../../rules/expiration.ts'
import type { ActionOptions } from '../../rules/flow-plan.ts'
import { firstStep } from '../../rules/flow-progress.ts'
import { inEnvelope, requireOwnFiles } from '../../rules/placed-marks.ts'
import { refuse } from '../../rules/refuse.ts'
import { wordKey } from '../../rules/search-key.ts'
import { actionKinds, documentMoves } from '../../rules/vocabulary.ts'
import { beginActionAgain, releaseAction } from '../../store/action-moves.ts'
import { documentById, flowOf } from '../../store/document-reads.ts'
import { replaceTerms, termsNow } from '../../store/document-terms.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { DocumentRow, FlowStep, Tables } from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { type PreparedFile, prepareFiles } from './file-content.ts'
import { stampedFile, stampOf, type WantedStamps } from './stamp-files.ts'

type Tx = Transaction<Tables>
type VersionRequest = Static<typeof contract.body>

export async function addVersion(
  context: Context & { readonly signal: AbortSignal },
  caller: Caller,
  document: DocumentRow,
  request: VersionRequest,
  now: Date,
): Promise<void> {
  const { files, envelopeName, additionalInfo } = request
  const isEnvelope = document.is_envelope === 1
  if (!isEnvelope && files.length > 1) throw refuse('EnvelopeRequiresPdf', { reason: 'The document is no envelope.' })
  const [prepared] = await prepareFiles(context, caller, {
    files,
    isEnvelope,
    envelopeName: envelopeName ?? document.name,
    forceCadesSignature: document.force_cades === 1,
    additionalInfo: additionalInfo ?? null,
  })
  const name = prepared!.displayName || prepared!.name
  const flow = remarked(await flowOf(context.store.db, document.id), request, prepared!)
  const organization = await findOrganization(context.store.db, document.organization_id)
  if (!organization) throw refuse('OrganizationNotFound')
  const wanted = {
    ...wantedStamps(document, name, flow),
    stamp: stampOf(context, organization, document.verification_stamp),
  }
  const file = await stampedFile(context, prepared!, wanted)
  await context.store.transaction(async (tx) => {
    const at = now.toISOString()
    const before = await documentById(tx, document.id)
    const foundBy = await termsNow(tx, before ? [before] : [])
    const again = await move(tx, {
      table: 'document',
      column: 'status',
      id: document.id,
      moves: documentMoves,
      move: 'beginAgain',
      set: {
        name,
        name_key: wordKey(name),
        filename: file.name,
        mime_type: file.contentType,
        format: file.format,
        size: file.size,
        md5: file.md5,
        original_digest: file.digest,
        current_digest: file.digest,
        current_size: file.size,
        signatures: 0,
        ...(additionalInfo && { additional_info: JSON.stringify(additionalInfo) }),
        ...withoutPastDay(document, now),
        updated_at: at,
        revision: document.revision + 1,
        status_by_id: null,
        status_by_name: null,
        status_by_type: null,
        status_reason: null,
      },
    })
    if (!again) throw refuse('DocumentNotFound', { id: document.id })
    await replaceTerms(tx, foundBy, await termsNow(tx, [again]))
    const steps = remarked(await flowOf(tx, document.id), request, prepared!)
    const first = firstStep(steps.map(({ action }) => action.step))
    if (request.prePositionedMarks?.length) await placeMarks(tx, steps, now)
    for (const { action } of steps) {
      await beginActionAgain(tx, action.id, now)
      if (action.step === first) await releaseAction(tx, action.id, now)
    }
    await tx
      .updateTable('participant')
      .set({ completed_at: null, refused_at: null, refusal_reason: null, is_electronic: 0, reminders: 0 })
      .where('document_id', '=', document.id)
      .execute()
    // The signatures belong to the old file, so their rows are deleted; the timeline keeps who signed.
    await tx.deleteFrom('signature').where('document_id', '=', document.id).execute()
    await tx
      .insertInto('timeline')
      .values([
        timelineRow({ documentId: document.id, type: 'NewVersion', agent: caller, detail: file.name }, now),
        ...(file.told ? [timelineRow({ documentId: document.id, ...file.told }, now)] : []),
      ])
      .execute()
    if (!request.disablePendingActionNotifications)
      await context.notices.pending(
        tx,
        again,
        steps.filter(({ action }) => action.step === first),
        now,
      )
  })
}

/** A day that is over would expire the new version at once, also where the former one was concluded in time. */
const withoutPastDay = (document: DocumentRow, now: Date) =>
  isDayOver(document, now) ? { expires_at: null, expiration_day: null } : {}

/** The new file is stamped as the document's first one was: with its code, at the places the flow has now. */
function wantedStamps(
  { key }: DocumentRow,
  documentName: string,
  steps: readonly FlowStep[],
): Omit<WantedStamps, 'stamp'> {
  const options = steps.map(({ action }) => JSON.parse(action.options) as ActionOptions)
  return {
    key,
    documentName,
    language: (options[0]?.notificationLanguage ?? 'Pt').toLowerCase() as RenditionLanguage,
    marks: options.flatMap(authenticationStamps),
    participants: steps.flatMap(({ action: { type, title }, participants }) =>
      participants.map(({ name }) => ({
        role: actionKinds[type].signs ? ('Signer' as const) : ('Approver' as const),
        name,
        ...(title !== null && { title }),
      })),
    ),
  }
}

/** The flow with the marks of the new file in the place of those on the old one. */
function remarked(
  steps: readonly FlowStep[],
  { files, prePositionedMarks }: VersionRequest,
  { pagesBefore }: PreparedFile,
): readonly FlowStep[] {
  const uploadIds = files.map(({ id }) => id)
  const changed = new Map<string, string>()
  for (const [index, { flowActionId, prePositionedDocumentMarks: marks }] of (prePositionedMarks ?? []).entries()) {
    const step = steps.find(({ action }) => action.id === flowActionId.toLowerCase())
    if (!step) throw refuse('FlowActionNotFound', { flowActionId })
    requireOwnFiles(marks, uploadIds, `prePositionedMarks[${index}].prePositionedDocumentMarks`)
    const options: ActionOptions = JSON.parse(step.action.options)
    changed.set(step.action.id, JSON.stringify({ ...options, prePositionedMarks: [...inEnvelope(marks, pagesBefore)] }))
  }
  return steps.map((step) => {
    const options = changed.get(step.action.id)
    return options === undefined ? step : { ...step, action: { ...step.action, options } }
  })
}

async function placeMarks(tx: Tx, steps: readonly FlowStep[], now: Date): Promise<void> {
  for (const { action } of steps)
    await tx
      .updateTable('flow_action')
      .set({ options: action.options, updated_at: now.toISOString() })
      .where('id', '=', action.id)
      .execute()
}
