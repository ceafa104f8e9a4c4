// Sessions in which a person places marks on files; their page has access to nothing but the session (document-platform
// facts 1.3).
import { randomUUID } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
import { mediaTypeOrAny } from '@chancela/service-kernel/http'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type {
  createDocumentMarksSession,
  createMarksSession,
  readMarksSession,
  readMarksSessionPage,
  saveMarks,
} from '../../contract/flows.ts'
import type { Caller } from '../../rules/caller.ts'
import { planFlow } from '../../rules/flow-plan.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  broughtMarks,
  peopleOf,
  type SessionAction,
  type SessionMark,
  shownName,
  withMarks,
} from '../../rules/session-marks.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, MarksSessionRow } from '../../store/tables.ts'
import { contentLocation } from '../documents/content.ts'
import { checkSource } from '../documents/create-documents.ts'
import { requiredLiveDocument } from '../documents/required-document.ts'
import { requiredUploads } from '../uploads/uploads.ts'

const LIFE_MINUTES = 60

/** A file of a session: an upload, or an existing document. */
interface SessionFile {
  readonly id: string
  readonly name: string
  readonly displayName?: string | null
  readonly contentType: string
  readonly isDocument: boolean
}

type SessionData = Static<typeof readMarksSession.answer>['data']
type Participants = Static<typeof readMarksSessionPage.answer>['participants']

/** What a session was begun with besides its files. */
interface SessionWishes {
  readonly isEnvelope: boolean
  readonly signatureType: Static<typeof readMarksSession.answer>['signatureType']
  readonly flowActions: readonly SessionAction[] | null
  /** The creation request, without its flow. */
  readonly request: object | null
}

const NO_WISHES: SessionWishes = { isEnvelope: false, signatureType: null, flowActions: null, request: null }

type UploadsRequest = Static<typeof createMarksSession.body>

export async function beginOnUploads(
  context: Context,
  caller: Caller,
  { files, flowActions, isEnvelope, signatureType }: UploadsRequest,
  now: Date,
) {
  const actions = flowActions ?? []
  return begin(context, caller, now, {
    files: await uploadedFiles(context, caller, files),
    participants: actions.flatMap(requestedParticipants),
    data: broughtMarks(actions),
    wishes: {
      isEnvelope: isEnvelope === true,
      signatureType: signatureType ?? null,
      flowActions: flowActions ?? null,
      request: null,
    },
  })
}

async function uploadedFiles(
  context: Context,
  caller: Caller,
  files: UploadsRequest['files'],
): Promise<readonly SessionFile[]> {
  const uploads = await requiredUploads(
    context,
    caller,
    files.map(({ id }) => id),
  )
  return files.map(({ name, displayName, contentType }, index): SessionFile => {
    const upload = uploads[index]!
    return {
      id: upload.id,
      name,
      displayName: displayName ?? name,
      contentType: mediaTypeOrAny(contentType || upload.content_type),
      isDocument: false,
    }
  })
}

const requestedParticipants = (action: SessionAction): Participants =>
  peopleOf(action).map((person) => ({
    flowActionId: action.id ?? null,
    name: shownName(person, action),
    type: action.type,
  }))

type DocumentsRequest = Static<typeof createDocumentMarksSession.body>

/** For a creation request, which comes back with the marks in it; or for documents that exist. */
export function beginOnDocuments(context: Context, caller: Caller, body: DocumentsRequest, now: Date) {
  const { documents, ...request } = body
  if (!documents) return beginOnRequest(context, caller, request, now)
  if (request.files) throw refuse('InvalidRequest', { documents: 'is given instead of files' })
  return beginOnExisting(context, caller, documents, now)
}

async function beginOnRequest(
  context: Context,
  caller: Caller,
  { files, flowActions, ...request }: Omit<DocumentsRequest, 'documents'>,
  now: Date,
) {
  checkSource({ ...request, ...(files && { files }) })
  if (!files?.length) throw refuse('InvalidRequest', { templateId: 'has no marks of its own: name files' })
  if (files.length > MOST_FILES) throw refuse('MaxFilesLimitReached', { limit: MOST_FILES, given: files.length })
  // What creation would refuse is refused before somebody places marks for it.
  planFlow(flowActions ?? [], { most: context.settings.Documents.MaxSignersPerDocument })
  const actions = (flowActions ?? []).map((action): SessionAction => ({ ...action, id: randomUUID() }))
  return begin(context, caller, now, {
    files: await uploadedFiles(context, caller, files),
    participants: actions.flatMap(requestedParticipants),
    data: broughtMarks(actions),
    wishes: {
      isEnvelope: request.isEnvelope === true,
      signatureType: request.signatureType ?? null,
      flowActions: actions,
      request: { files, ...request },
    },
  })
}

const MOST_FILES = 20

async function beginOnExisting(context: Context, caller: Caller, ids: readonly string[], now: Date) {
  const rows: DocumentRow[] = []
  for (const id of ids) rows.push(await requiredLiveDocument(context, caller, 'documents.change', id))
  const participants = await Promise.all(rows.map((row) => openParticipants(context, row)))
  const files = rows.map(({ id, name, filename, mime_type }) => ({
    id,
    name: filename,
    displayName: name,
    contentType: mime_type,
    isDocument: true,
  }))
  return begin(context, caller, now, { files, participants: participants.flat(), data: null, wishes: NO_WISHES })
}

/** Participants who have not acted yet. */
const openParticipants = async ({ store }: Context, { id }: DocumentRow): Promise<Participants> =>
  (await flowOf(store.db, id)).flatMap(({ action, participants }) =>
    participants
      .filter(({ completed_at, refused_at }) => completed_at === null && refused_at === null)
      .map(({ name }) => ({ flowActionId: action.id, name, type: action.type })),
  )

interface NewSession {
  readonly files: readonly SessionFile[]
  readonly participants: Participants
  readonly data: readonly SessionMark[] | null
  readonly wishes: SessionWishes
}

async function begin(
  { store, publicUrl }: Context,
  { organizationId }: Caller,
  now: Date,
  { files, participants, data, wishes }: NewSession,
): Promise<{ readonly id: string; readonly embedUrl: string }> {
  const id = randomUUID()
  await store.db
    .insertInto('marks_session')
    .values({
      id,
      organization_id: organizationId,
      files: JSON.stringify(files),
      participants: JSON.stringify(participants),
      data: data && JSON.stringify(data),
      wishes: JSON.stringify(wishes),
      created_at: now.toISOString(),
      expires_at: plus(now, LIFE_MINUTES * MINUTE).toISOString(),
    })
    .execute()
  return { id, embedUrl: `${publicUrl}/position-marks/${id}?v=1` }
}

/** The placed marks, for the organization that started the session. */
export async function readSession(
  context: Context,
  { organizationId }: Caller,
  id: string,
  now: Date,
): Promise<Static<typeof readMarksSession.answer>> {
  const session = await requiredSession(context, id, now)
  if (session.organization_id !== organizationId) throw refuse('MarksSessionNotFound', { id })
  const { flowActions, request, ...wishes } = wishesOf(session)
  const data = dataOf(session)
  const placed = flowActions && (data ? withMarks(flowActions, data) : flowActions)
  return {
    id: session.id,
    files: filesOf(session).map(({ isDocument, ...file }) => ({
      ...file,
      location: locationOf(context, { ...file, isDocument }),
    })),
    ...wishes,
    data,
    flowActions: placed && [...placed],
    request: request && { ...request, flowActions: placed!.map(({ id: _, ...action }) => action) },
  }
}

async function requiredSession({ store }: Context, id: string, now: Date): Promise<MarksSessionRow> {
  const session = await store.db
    .selectFrom('marks_session')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (!session) throw refuse('MarksSessionNotFound', { id })
  return session
}

const filesOf = ({ files }: MarksSessionRow) => JSON.parse(files) as readonly SessionFile[]

const wishesOf = ({ wishes }: MarksSessionRow): SessionWishes => (wishes === null ? NO_WISHES : JSON.parse(wishes))

const dataOf = ({ data }: MarksSessionRow): SessionData => (data === null ? null : JSON.parse(data))

/** The data of the page, with the URLs of its files. */
export async function readPage(context: Context, id: string, now: Date) {
  const session = await requiredSession(context, id, now)
  const { isEnvelope, signatureType } = wishesOf(session)
  return {
    id: session.id,
    isEnvelope,
    signatureType,
    files: filesOf(session).map((file) => ({
      id: file.id,
      name: file.displayName ?? file.name,
      contentType: file.contentType,
      location: locationOf(context, file),
    })),
    participants: JSON.parse(session.participants) as Participants,
    data: dataOf(session),
  }
}

const locationOf = (context: Context, { id, isDocument }: SessionFile): string =>
  contentLocation(context, isDocument ? { documentId: id, type: 'Original' } : { type: 'Upload', id })

export async function saveData(
  context: Context,
  id: string,
  { data }: Static<typeof saveMarks.body>,
  now: Date,
): Promise<void> {
  const session = await requiredSession(context, id, now)
  await context.store.db
    .updateTable('marks_session')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', session.id)
    .execute()
}
