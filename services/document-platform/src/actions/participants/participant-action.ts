import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { readAction } from '../../contract/signatures.ts'
import { tieTo } from '../../parts/access/tickets.ts'
import { needsEmailCode, unavailableIn, unavailableMethods } from '../../rules/authentication-methods.ts'
import { signersMarks } from '../../rules/authentication-stamps.ts'
import { canAct } from '../../rules/flow-progress.ts'
import { requiredCompany, wantsCompany } from '../../rules/participant-certificate.ts'
import { contextOf } from '../../rules/security-contexts.ts'
import { actionKinds } from '../../rules/vocabulary.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { FlowStep, ParticipantRow } from '../../store/tables.ts'
import { actionState } from '../documents/act.ts'
import { contentLocation } from '../documents/content.ts'
import { needsCode } from './decide.ts'
import type { Acting } from './participant-access.ts'

/** The data of a participant's page. */
export async function participantAction(context: Context, acting: Acting): Promise<Static<typeof readAction.answer>> {
  const { document, steps, participant } = acting
  const own = { documentId: document.id, participantId: participant.id, ...tieTo(participant) }
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
        location: contentLocation(context, { ...own, type: 'Attachment', id }),
      })),
    contentLocation: contentLocation(context, { ...own, type: 'Original' }),
    signedContentLocation: document.signatures > 0 ? contentLocation(context, { ...own, type: 'Signatures' }) : null,
  }
}

function actionPart({ settings, notices }: Context, acting: Acting) {
  const { document, step, participant, options, needsEmail, until } = acting
  const { action } = step
  const { signs } = actionKinds[action.type]
  const marks = signersMarks(options)
  const requiresEmailCode = signs ? needsEmailCode(options) || needsEmail : needsCode(acting)
  const canSendCode = notices.enabled && participant.email !== null
  const allowCertificate = contextOf(document)?.allowDigitalSignature !== false
  const unavailable = [
    ...unavailableIn(options).map((option) => unavailableMethods[option]),
    ...(requiresEmailCode && !canSendCode ? ['Email' as const] : []),
  ]
  return {
    id: action.id,
    type: action.type,
    status: statusOf(step, participant),
    title: action.title,
    participant: { name: participant.name, identifier: participant.identifier, email: participant.email },
    isActing: document.status === 'Pending' && canAct(actionState(step), participant.id),
    allowElectronicSignature: options.allowElectronicSignature === true && unavailable.length === 0,
    unavailableAuthentications: unavailable,
    allowCertificate,
    allowCloudCertificate: allowCertificate && settings.CloudHub.ApiKey !== '',
    allowToken: allowCertificate && settings.SessionServer.ApiKey !== '',
    requiresEmailCode,
    refusalRequiresEmailCode: needsCode(acting),
    ticketExpirationDate: until?.toISOString() ?? null,
    canPlaceMark: document.format === 'Pades' && signs && marks.length === 0,
    marks: [...marks],
    requiredCertificateTypeToSign: options.requiredCertificateTypeToSign ?? null,
    requireCompanyCertificate: wantsCompany(options),
    requiredCompanyIdentifier: requiredCompany(options) ?? null,
    language: options.notificationLanguage ?? 'Pt',
  }
}

/** Status of one participant; the other participants of a rule may have decided the action. */
const statusOf = ({ action }: FlowStep, { completed_at, refused_at }: ParticipantRow): string =>
  completed_at ? 'Completed' : refused_at ? 'Refused' : action.status
