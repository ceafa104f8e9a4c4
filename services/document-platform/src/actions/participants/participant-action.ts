import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { readAction } from '../../contract/signatures.ts'
import { canAct } from '../../rules/flow-progress.ts'
import { actionKinds } from '../../rules/vocabulary.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { FlowStep, ParticipantRow } from '../../store/tables.ts'
import { actionState } from '../documents/act.ts'
import { contentLocation } from '../documents/content.ts'
import { needsEmailCode } from '../documents/document-view.ts'
import { needsCode } from './decide.ts'
import type { Acting } from './participant-access.ts'

/** The data of a participant's page. */
export async function participantAction(context: Context, acting: Acting): Promise<Static<typeof readAction.answer>> {
  const { document, steps } = acting
  const [organization, attachments] = await Promise.all([
    findOrganization(context.store.db, document.organization_id),
    context.store.db.selectFrom('attachment').selectAll().where('document_id', '=', document.id).execute(),
  ])
  return {
    document: {
      id: document.id,
      name: document.name,
      key: document.key,
      status: document.status,
      mimeType: document.mime_type,
      description: document.description,
      createdBy: document.created_by_name,
      organization: organization?.name ?? null,
      expirationDate: document.expires_at,
    },
    action: actionPart(context, acting),
    participants: steps.flatMap((step) =>
      step.participants.map((each) => ({
        name: each.name,
        step: step.action.step,
        type: step.action.type,
        status: statusOf(step, each),
      })),
    ),
    // Private attachments are only for the organization.
    attachments: attachments
      .filter(({ is_private }) => is_private === 0)
      .map(({ id, display_name, content_type }) => ({
        id,
        displayName: display_name,
        contentType: content_type,
        location: contentLocation(context, { documentId: document.id, type: 'Attachment', id }),
      })),
    contentLocation: contentLocation(context, { documentId: document.id, type: 'Original' }),
    signedContentLocation:
      document.signatures > 0 ? contentLocation(context, { documentId: document.id, type: 'Signatures' }) : null,
  }
}

function actionPart({ settings }: Context, acting: Acting) {
  const { document, step, participant, options, needsEmail, until } = acting
  const { action } = step
  const { signs } = actionKinds[action.type]
  const marks = options.prePositionedMarks ?? []
  return {
    id: action.id,
    type: action.type,
    status: statusOf(step, participant),
    title: action.title,
    participant: { name: participant.name, identifier: participant.identifier, email: participant.email },
    isActing: document.status === 'Pending' && canAct(actionState(step), participant.id),
    allowElectronicSignature: options.allowElectronicSignature === true,
    allowCloudCertificate: settings.CloudHub.ApiKey !== '',
    requiresEmailCode: signs ? needsEmailCode(options) || needsEmail : needsCode(acting),
    refusalRequiresEmailCode: needsCode(acting),
    ticketExpirationDate: until?.toISOString() ?? null,
    canPlaceMark: document.format === 'Pades' && signs && marks.length === 0,
    marks,
    requiredCertificateTypeToSign: options.requiredCertificateTypeToSign ?? null,
    language: options.notificationLanguage ?? 'Pt',
  }
}

/** Status of one participant; the other participants of a rule may have decided the action. */
const statusOf = ({ action }: FlowStep, { completed_at, refused_at }: ParticipantRow): string =>
  completed_at ? 'Completed' : refused_at ? 'Refused' : action.status
