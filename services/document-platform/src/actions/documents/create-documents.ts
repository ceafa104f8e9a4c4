// Creates a document for each file, or one envelope of all files (document-platform facts 1.5). Nothing is written
// before the whole request is validated.
import { randomUUID } from 'node:crypto'
import { mediaTypeOrAny } from '@chancela/service-kernel/http'
import { insertRows, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { createDocuments as contract } from '../../contract/documents.ts'
import type { RenditionLanguage } from '../../parts/renditions/rendition-info.ts'
import type { ExpectedParticipant } from '../../parts/renditions/signature-sheet.ts'
import { authenticationStamps } from '../../rules/authentication-stamps.ts'
import type { Caller } from '../../rules/caller.ts'
import { newDocumentKey } from '../../rules/document-key.ts'
import { type Expiration, readExpiration } from '../../rules/expiration.ts'
import { type PlannedAction, type PlannedPerson, planFlow, planPerson } from '../../rules/flow-plan.ts'
import { firstStep } from '../../rules/flow-progress.ts'
import { placedIn, requireOwnFiles } from '../../rules/placed-marks.ts'
import { refuse } from '../../rules/refuse.ts'
import { wordKey } from '../../rules/search-key.ts'
import { requiredContext, requireFitting, type SecurityContext } from '../../rules/security-contexts.ts'
import { actionKinds, type VerificationStamp } from '../../rules/vocabulary.ts'
import { type KnownContact, knowContacts, knownNames } from '../../store/contacts.ts'
import { termRows } from '../../store/document-terms.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type {
  AttachmentRow,
  ContactRow,
  DocumentRow,
  FlowActionRow,
  FlowStep,
  ObserverRow,
  OrganizationRow,
  ParticipantRow,
  Tables,
  TagRow,
  UploadRow,
} from '../../store/tables.ts'
import { timelineRow } from '../../store/timeline-rows.ts'
import { placeOf } from '../folders/folders.ts'
import { countTransactions } from '../organizations/billing.ts'
import { notifiedEmails } from '../participants/notified-emails.ts'
import { filledTemplate, requireFields } from '../templates/filled-template.ts'
import { fieldsOf, requiredTemplate } from '../templates/templates.ts'
import { requiredUploads } from '../uploads/uploads.ts'
import { emitCreated } from './document-events.ts'
import { type PreparedFile, prepareFiles } from './file-content.ts'
import { type StampedFile, stampedFile, stampOf } from './stamp-files.ts'

type Request = Static<typeof contract.body>

type Tx = Transaction<Tables>

/** The result for each file. */
export interface CreatedDocument {
  readonly uploadId: string
  readonly documentId: string
  readonly attachments: readonly { readonly uploadId: string; readonly attachmentId: string }[]
}

type Creating = Context & { readonly signal?: AbortSignal }

/** Documents of a request; `prepared` files take the place of those it names. */
export async function createDocuments(
  context: Creating,
  caller: Caller,
  request: Request,
  now: Date,
  prepared?: readonly PreparedFile[],
): Promise<readonly CreatedDocument[]> {
  const planned = await planDocuments(context, caller, request, now, prepared && { prepared })
  const written = await context.store.transaction((tx) => writePlanned(context, tx, planned, now))
  return written.flatMap(({ file, document, attachments }) =>
    file.uploadIds.map((uploadId) => ({
      uploadId,
      documentId: document.id,
      attachments: attachments.map(({ row, uploadId: of }) => ({ uploadId: of, attachmentId: row.id })),
    })),
  )
}

/** A request that was validated as a whole, with its files: nothing is written yet. */
export interface PlannedDocuments {
  readonly caller: Caller
  readonly request: Request
  readonly organization: OrganizationRow
  readonly securityContext: SecurityContext | null
  readonly expiration: Expiration | null
  readonly actions: readonly PlannedAction[]
  readonly observers: readonly PlannedPerson[]
  readonly files: readonly StampedFile[]
  readonly attachments: readonly UploadRow[]
  /** Whether the signature of its only signer is written with it: nobody is asked to act. */
  readonly isSigned?: boolean
}

/** Files that take the place of those a request names; stamped ones get no further stamp. */
type GivenFiles = { readonly prepared: readonly PreparedFile[] } | { readonly stamped: readonly StampedFile[] }

/** Validates a request. */
export async function planDocuments(
  context: Creating,
  caller: Caller,
  request: Request,
  now: Date,
  given?: GivenFiles,
): Promise<PlannedDocuments> {
  const { Documents } = context.settings
  if (!given) checkSource(request)
  const organization = await findOrganization(context.store.db, caller.organizationId)
  if (!organization) throw refuse('OrganizationNotFound')
  const actions = planFlow(request.flowActions, { most: Documents.MaxSignersPerDocument })
  const securityContext = contextFor(Documents.SecurityContexts, request, actions)
  const observers = (request.observers ?? []).map((observer, index) => planObserver(observer.user, index))
  const expiration = request.expirationDate ? readExpiration(request.expirationDate, organization.time_zone, now) : null
  checkCounts(request, Documents)
  checkMarks(request)
  const files =
    given && 'stamped' in given
      ? given.stamped
      : await stamped(
          context,
          stampOf(context, organization, request.verificationStamp),
          caller,
          request,
          actions,
          given?.prepared ?? (await filesOf(context, caller, request)),
        )
  const attachments = await requiredUploads(
    context,
    caller,
    (request.attachments ?? []).map(({ id }) => id),
  )
  return { caller, request, organization, securityContext, expiration, actions, observers, files, attachments }
}

/** Writes the documents of a request with all that belongs to them. */
export async function writePlanned(
  context: Context,
  tx: Tx,
  planned: PlannedDocuments,
  now: Date,
): Promise<readonly WrittenDocument[]> {
  const folderId = await placeOf(tx, planned.caller, planned.request, now)
  return writeDocuments(context, tx, { ...planned, folderId, now })
}

/** Every file with the verification code of its document, and stamped where that is asked for. */
async function stamped(
  context: Context,
  stamp: VerificationStamp,
  caller: Caller,
  request: Request,
  actions: readonly PlannedAction[],
  files: readonly PreparedFile[],
): Promise<readonly StampedFile[]> {
  const people = stamp.endsWith('Page') ? await expectedParticipants(context, caller, actions) : []
  const language = (actions[0]!.options.notificationLanguage ?? 'Pt').toLowerCase() as RenditionLanguage
  return Promise.all(
    files.map((file) =>
      stampedFile(context, file, {
        stamp,
        key: newDocumentKey(),
        documentName: nameOf(request, file),
        language,
        marks: actions.flatMap((action) =>
          authenticationStamps(optionsFor(placedIn(action, file.pagesBefore), file.uploadIds)),
        ),
        participants: people,
      }),
    ),
  )
}

/** Those who are to act, for the sheet that names them. */
async function expectedParticipants(
  { store }: Context,
  { organizationId }: Caller,
  actions: readonly PlannedAction[],
): Promise<readonly ExpectedParticipant[]> {
  const all = actions.flatMap((action) => action.participants.map((person) => ({ action, person })))
  const names = await knownNames(
    store.db,
    organizationId,
    all.map(({ person }) => person),
  )
  return all.map(({ action: { type, title } }, index) => ({
    role: actionKinds[type].signs ? 'Signer' : 'Approver',
    name: names[index]!,
    ...(title !== null && { title }),
  }))
}

const nameOf = ({ isEnvelope, envelopeName }: Request, file: PreparedFile): string =>
  (isEnvelope ? envelopeName!.trim() : file.displayName) || file.name

const planObserver = (user: Parameters<typeof planPerson>[0], index: number): PlannedPerson =>
  planPerson(user, {
    needsCpf: false,
    wrong: (field, reason) => refuse('InvalidFlowAction', { field: `observers[${index}].user.${field}`, reason }),
  })

const filesOf = async (context: Context, caller: Caller, request: Request): Promise<readonly PreparedFile[]> =>
  request.templateId
    ? [await fromTemplate(context, caller, request.templateId, request)]
    : prepareFiles(context, caller, request)

/** The file of a template, filled with the values of the request. */
async function fromTemplate(context: Context, caller: Caller, id: string, request: Request): Promise<PreparedFile> {
  const template = await requiredTemplate(context, caller, id)
  const values = request.templateFieldValues ?? {}
  requireFields(values, fieldsOf(template), 'templateFieldValues')
  return filledTemplate(context, template, {
    id: template.id,
    displayName: template.name,
    values: { ...request.additionalInfo?.fields, ...values },
    metadata: request.additionalInfo?.metadata ?? {},
    format: request.forceCadesSignature ? 'Cades' : 'Pades',
  })
}

/** Refuses what neither files nor a template can give. */
export function checkSource(request: Partial<Request>): void {
  const { files, templateId, templateFieldValues, participantsDataFile, isEnvelope } = request
  const wrong = (field: string, reason: string) => refuse('InvalidRequest', { [field]: reason })
  if (participantsDataFile) throw wrong('participantsDataFile', 'is for POST /api/documents/generation')
  if (templateFieldValues && !templateId) throw wrong('templateFieldValues', 'is for templateId')
  if (templateId && (files?.length || isEnvelope)) throw wrong('templateId', 'is given instead of files')
  if (!templateId && !files?.length) throw wrong('files', 'is required')
}

/** The context the request names; its flow must fit into it. */
function contextFor(
  configured: Context['settings']['Documents']['SecurityContexts'],
  { securityContextId }: Request,
  actions: readonly PlannedAction[],
): SecurityContext | null {
  if (!securityContextId) return null
  const context = requiredContext(configured, securityContextId)
  for (const [index, action] of actions.entries()) requireFitting(context, action, `flowActions[${index}]`)
  return context
}

function checkMarks({ files, flowActions }: Request): void {
  const uploadIds = files.map(({ id }) => id)
  for (const [index, { prePositionedMarks }] of flowActions.entries())
    requireOwnFiles(prePositionedMarks ?? [], uploadIds, `flowActions[${index}].prePositionedMarks`)
}

function checkCounts({ files, isEnvelope, envelopeName }: Request, limits: Context['settings']['Documents']): void {
  if (isEnvelope && files.length > limits.MaxFilesPerEnvelope)
    throw refuse('MaxFilesLimitReached', { limit: limits.MaxFilesPerEnvelope, given: files.length })
  if (isEnvelope && !envelopeName?.trim())
    throw refuse('EnvelopeRequiresPdf', { field: 'envelopeName', reason: 'is required' })
  if (files.length > limits.MaxDocumentsPerRequest)
    throw refuse('MaxDocumentsLimitReached', { limit: limits.MaxDocumentsPerRequest, given: files.length })
}

interface Creation extends PlannedDocuments {
  readonly folderId: string | null
  readonly now: Date
}

/** A document that was written, with its flow. */
export interface WrittenDocument {
  readonly file: StampedFile
  readonly document: DocumentRow
  readonly steps: readonly FlowStep[]
  readonly attachments: readonly { readonly uploadId: string; readonly row: AttachmentRow }[]
}

async function writeDocuments(context: Context, tx: Tx, creation: Creation): Promise<readonly WrittenDocument[]> {
  const { caller, request, files, observers, now } = creation
  const actions = creation.actions.map((action) => placedIn(action, files[0]!.pagesBefore))
  const people = actions.flatMap(({ participants }) => participants)
  const known = await knowContacts(tx, caller.organizationId, [...people, ...observers], now)
  const contactOf = new Map(known.map(({ asked, contact }) => [asked, contact]))
  const built = files.map((file) => {
    const document = documentRow(creation, file, actions)
    const steps = flowRows(document, file, actions, contactOf, now)
    return {
      file,
      document,
      steps,
      observers: observerRows(creation, document, observers, contactOf),
      attachments: attachmentRows(creation, document),
      tags: tagRows(creation, document),
    }
  })
  const rows = {
    document: built.map(({ document }) => document),
    flow_action: built.flatMap(({ steps }) => steps.map(({ action }) => action)),
    participant: built.flatMap(({ steps }) => steps.flatMap(({ participants }) => participants)),
    observer: built.flatMap(({ observers }) => observers),
    attachment: built.flatMap(({ attachments }) => attachments.map(({ row }) => row)),
    tag: built.flatMap(({ tags }) => tags),
    document_term: built.flatMap(({ document, steps, observers, tags }) =>
      termRows(
        document,
        steps.flatMap(({ participants }) => participants),
        observers,
        tags,
      ),
    ),
    timeline: built.flatMap(({ document: { id: documentId }, file: { told } }) => [
      timelineRow({ documentId, type: 'Created', agent: caller }, now),
      ...(told ? [timelineRow({ documentId, ...told }, now)] : []),
    ]),
  }
  await insertRows(tx, rows)
  await emitCreated(context, tx, rows.document, now)
  if (!creation.isSigned && !request.disableNotifications && !request.disablePendingActionNotifications)
    for (const { document, steps } of built)
      await context.notices.pending(
        tx,
        document,
        steps.filter(({ action }) => action.status === 'Pending'),
        now,
      )
  // Last, because every creation of the organization updates this row: its lock is held until the commit.
  await countTransactions(
    context,
    tx,
    caller.organizationId,
    request.isEnvelope ? 'Envelope' : 'Document',
    built.length,
    now,
  )
  return built
}

export function documentRow(creation: Creation, file: StampedFile, actions: readonly PlannedAction[]): DocumentRow {
  const { caller, request, expiration, folderId, now } = creation
  const at = now.toISOString()
  const name = nameOf(request, file)
  return {
    // Sortable ids keep the creation order, also within one millisecond: lists sort by id.
    id: file.documentId ?? newRowId(now),
    organization_id: caller.organizationId,
    folder_id: folderId,
    key: file.key,
    name,
    name_key: wordKey(name),
    filename: file.name,
    mime_type: file.contentType,
    size: file.size,
    md5: file.md5,
    status: 'Pending',
    format: file.format,
    is_envelope: request.isEnvelope ? 1 : 0,
    force_cades: request.forceCadesSignature ? 1 : 0,
    verification_stamp: request.verificationStamp ?? null,
    revocations: 0,
    signature_type: request.signatureType ?? 'None',
    security_context: creation.securityContext ? JSON.stringify(creation.securityContext) : null,
    type: request.type ?? null,
    description: request.description ?? null,
    expires_at: expiration?.at.toISOString() ?? null,
    expiration_day: expiration?.day ?? null,
    created_by_id: caller.id,
    created_by_name: caller.name,
    created_by_key: wordKey(caller.name),
    created_by_type: caller.type,
    created_at: at,
    updated_at: at,
    status_by_id: null,
    status_by_name: null,
    status_by_type: null,
    status_reason: null,
    deleted_at: null,
    has_signers: actions.some(({ type }) => actionKinds[type].signs) ? 1 : 0,
    revision: 1,
    original_digest: file.digest,
    current_digest: file.digest,
    current_size: file.size,
    signatures: 0,
    notified_emails: JSON.stringify(notifiedEmails(request.notifiedEmails ?? [])),
    disable_pending_notifications: request.disablePendingActionNotifications ? 1 : 0,
    disable_notifications: request.disableNotifications ? 1 : 0,
    timestamp_enabled: request.timestampEnabled ? 1 : 0,
    additional_info: request.additionalInfo ? JSON.stringify(request.additionalInfo) : null,
    xml_namespaces: request.xmlNamespaces ? JSON.stringify(request.xmlNamespaces) : null,
  }
}

type People = ReadonlyMap<PlannedPerson, ContactRow>

/** The flow of a new document; its first step is pending at once. */
function flowRows(
  document: Pick<DocumentRow, 'id' | 'organization_id'>,
  file: Pick<PreparedFile, 'uploadIds'>,
  actions: readonly PlannedAction[],
  people: People,
  now: Date,
): readonly FlowStep[] {
  const first = firstStep(actions.map(({ step }) => step))
  return actions.map((planned, position) =>
    actionRows(document, file.uploadIds, planned, position, planned.step === first, people, now),
  )
}

export function actionRows(
  document: Pick<DocumentRow, 'id' | 'organization_id'>,
  uploadIds: readonly string[],
  planned: PlannedAction,
  position: number,
  isPending: boolean,
  people: People,
  now: Date,
): FlowStep {
  const at = now.toISOString()
  const action: FlowActionRow = {
    id: randomUUID(),
    document_id: document.id,
    position,
    type: planned.type,
    step: planned.step,
    status: isPending ? 'Pending' : 'Created',
    required: planned.required,
    title: planned.title,
    rule_name: planned.ruleName,
    options: JSON.stringify(optionsFor(planned, uploadIds)),
    created_at: at,
    pending_at: isPending ? at : null,
    updated_at: null,
  }
  const participants = planned.participants.map((asked, at): ParticipantRow => {
    const contact = people.get(asked)!
    return {
      id: randomUUID(),
      action_id: action.id,
      document_id: document.id,
      organization_id: document.organization_id,
      position: at,
      person_id: contact.id,
      name: contact.name,
      name_key: wordKey(contact.name),
      identifier: contact.identifier ?? asked.identifier,
      email: asked.email ?? contact.email,
      phone: asked.phone ?? contact.phone,
      completed_at: null,
      refused_at: null,
      refusal_reason: null,
      is_electronic: 0,
      reminders: 0,
      reminded_at: null,
      revocations: 0,
    }
  })
  return { action, participants }
}

/** Of the marks those that are for this file: for all files, or for one of the uploads it was made of. */
function optionsFor(
  { options }: Pick<PlannedAction, 'options'>,
  uploadIds: readonly string[],
): PlannedAction['options'] {
  const { prePositionedMarks } = options
  if (!prePositionedMarks) return options
  const own = prePositionedMarks.filter(({ uploadId }) => !uploadId || uploadIds.includes(uploadId.toLowerCase()))
  return { ...options, prePositionedMarks: own }
}

const observerRows = (
  { request }: Creation,
  document: DocumentRow,
  observers: readonly PlannedPerson[],
  people: People,
): readonly ObserverRow[] =>
  observers.map((asked, index) =>
    observerRow(
      document.id,
      { asked, contact: people.get(asked)! },
      request.observers![index]!.notificationLanguage ?? null,
    ),
  )

/** Somebody who watches a document. */
export const observerRow = (
  documentId: string,
  { asked, contact }: KnownContact,
  language: string | null,
): ObserverRow => ({
  id: randomUUID(),
  document_id: documentId,
  person_id: contact.id,
  name: contact.name,
  identifier: contact.identifier,
  email: asked.email ?? contact.email,
  language,
})

const attachmentRows = (
  { request, attachments }: Creation,
  document: DocumentRow,
): readonly { readonly uploadId: string; readonly row: AttachmentRow }[] =>
  (request.attachments ?? []).map((asked, index) => {
    const upload = attachments[index]!
    return {
      uploadId: upload.id,
      row: {
        id: randomUUID(),
        document_id: document.id,
        display_name: asked.displayName || asked.name,
        name: asked.name,
        content_type: mediaTypeOrAny(asked.contentType || upload.content_type),
        digest: upload.digest,
        size: upload.size,
        is_private: asked.isPrivate ? 1 : 0,
      },
    }
  })

const tagRows = ({ request }: Creation, document: DocumentRow): readonly TagRow[] =>
  (request.tags ?? []).map(({ label, value }) => ({
    id: randomUUID(),
    document_id: document.id,
    organization_id: document.organization_id,
    label: label ?? null,
    value,
  }))
