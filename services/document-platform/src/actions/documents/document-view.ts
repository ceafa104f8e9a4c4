// Documents as the API shows them (document-platform facts 1.6).
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Document, FlowAction } from '../../contract/models.ts'
import { needsEmailCode } from '../../rules/authentication-methods.ts'
import type { Caller } from '../../rules/caller.ts'
import type { ActionOptions } from '../../rules/flow-plan.ts'
import { contextOf } from '../../rules/security-contexts.ts'
import { type ActionType, actionKinds } from '../../rules/vocabulary.ts'
import { flowOf } from '../../store/document-reads.ts'
import { organizationInfo } from '../../store/organization-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow } from '../../store/tables.ts'
import { mayReach } from './required-document.ts'

export async function documentView(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  document: DocumentRow,
): Promise<Static<typeof Document>> {
  const { db } = store
  const mayChange = await mayReach(store, caller, 'documents.change', document)
  const [steps, organization, folder, observers, attachments, tags] = await Promise.all([
    flowOf(db, document.id),
    organizationInfo(db, document.organization_id),
    document.folder_id === null
      ? undefined
      : db.selectFrom('folder').selectAll().where('id', '=', document.folder_id).executeTakeFirst(),
    db.selectFrom('observer').selectAll().where('document_id', '=', document.id).execute(),
    db.selectFrom('attachment').selectAll().where('document_id', '=', document.id).execute(),
    db.selectFrom('tag').selectAll().where('document_id', '=', document.id).execute(),
  ])
  const isPending = document.status === 'Pending' && document.deleted_at === null
  return {
    id: document.id,
    name: document.name,
    filename: document.filename,
    fileSize: document.size,
    mimeType: document.mime_type,
    checksumMd5: document.md5,
    key: document.key,
    status: document.status,
    isConcluded: document.status === 'Concluded',
    hasSignature: document.signatures > 0,
    isDeleted: document.deleted_at !== null,
    isEnvelope: document.is_envelope === 1,
    isScanned: false,
    forceCadesSignature: document.force_cades === 1,
    signatureType: document.signature_type as Static<typeof Document>['signatureType'],
    securityContext: contextOf(document),
    type: document.type,
    folder: folder ? { id: folder.id, name: folder.name, parentId: folder.parent_id } : null,
    organization: organization ?? null,
    creationDate: document.created_at,
    updateDate: document.updated_at,
    expirationDate: document.expires_at,
    expirationDateWithoutTime: document.expiration_day,
    createdBy: { id: document.created_by_id, name: document.created_by_name },
    description: document.description,
    statusUpdatedBy:
      document.status_by_id === null
        ? null
        : { id: document.status_by_id, name: document.status_by_name!, type: document.status_by_type! },
    statusUpdateReason: document.status_reason,
    tags: tags.map(({ id, label, value }) => ({ id, label, value })),
    notifiedEmails: JSON.parse(document.notified_emails) as string[],
    observers: observers.map((observer) => ({
      id: observer.id,
      user: {
        id: observer.person_id,
        name: observer.name,
        identifier: observer.identifier,
        email: observer.email,
        phone: null,
      },
      notificationLanguage: observer.language,
    })),
    attachments: attachments.map((attachment) => ({
      id: attachment.id,
      displayName: attachment.display_name,
      name: attachment.name,
      contentType: attachment.content_type,
      size: attachment.size,
      isPrivate: attachment.is_private === 1,
    })),
    permissions: { move: mayChange && document.deleted_at === null, editFlow: mayChange && isPending },
    hideDownloadOptionForPendingDocuments: false,
    flowActions: steps.map(actionView),
  }
}

type ActionView = Static<typeof FlowAction>

/** An action; rules list their participants, any other action has exactly one. */
function actionView({ action, participants }: FlowStep): ActionView {
  const options = JSON.parse(action.options) as ActionOptions
  const { isRule } = actionKinds[action.type as ActionType]
  const [only] = participants
  return {
    ...options,
    id: action.id,
    type: action.type,
    status: action.status,
    step: action.step,
    user: isRule || !only ? null : personView(only),
    ruleUsers: isRule ? participants.map(ruleUserView) : [],
    signRuleUsers: isRule
      ? participants.map((each) => ({ ...personView(each), signatureDate: each.completed_at }))
      : [],
    numberRequiredActions: isRule ? action.required : null,
    numberRequiredSignatures: isRule ? action.required : null,
    title: action.title,
    ruleName: action.rule_name,
    creationDate: action.created_at,
    pendingDate: action.pending_at,
    updateDate: action.updated_at,
    refusalReason: isRule ? null : (only?.refusal_reason ?? null),
    isElectronic: participants.some(({ is_electronic }) => is_electronic === 1),
    requireEmailAuthenticationToSignElectronically: needsEmailCode(options),
    marks: options.prePositionedMarks ?? [],
  }
}

const personView = ({ person_id, name, identifier, email, phone }: ParticipantRow) => ({
  id: person_id,
  name,
  identifier,
  email,
  phone,
})

const ruleUserView = (participant: ParticipantRow) => ({
  ...personView(participant),
  completeActionDate: participant.completed_at,
  isElectronic: participant.is_electronic === 1,
  hasRefused: participant.refused_at !== null,
  refusalDate: participant.refused_at,
  refusalReason: participant.refusal_reason,
})
