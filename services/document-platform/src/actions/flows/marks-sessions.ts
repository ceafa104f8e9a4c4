// Sessions in which a person places marks on files; their page has access to nothing but the session (document-platform
// facts 1.3).
import { randomUUID } from 'node:crypto'
import { MINUTE, plus } from '@chancela/service-kernel/clock'
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
import type { RequestedAction, RequestedPerson } from '../../rules/flow-plan.ts'
import { refuse } from '../../rules/refuse.ts'
import { actionKinds } from '../../rules/vocabulary.ts'
import { flowOf } from '../../store/document-reads.ts'
import type { DocumentRow, MarksSessionRow } from '../../store/tables.ts'
import { contentLocation } from '../documents/content.ts'
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

export async function beginOnUploads(
  context: Context,
  caller: Caller,
  { files, flowActions }: Static<typeof createMarksSession.body>,
  now: Date,
) {
  const uploads = await requiredUploads(
    context,
    caller,
    files.map(({ id }) => id),
  )
  const shown = files.map(({ name, displayName, contentType }, index): SessionFile => {
    const upload = uploads[index]!
    return {
      id: upload.id,
      name,
      displayName: displayName ?? name,
      contentType: contentType || upload.content_type,
      isDocument: false,
    }
  })
  return begin(context, caller, shown, (flowActions ?? []).flatMap(requestedParticipants), now)
}

const requestedParticipants = ({ type, title, user, ruleUsers, signRuleUsers }: RequestedAction): Participants => {
  const people: readonly RequestedPerson[] = actionKinds[type].isRule
    ? (ruleUsers ?? signRuleUsers ?? [])
    : user
      ? [user]
      : []
  return people.map(({ name, email, identifier }) => ({
    flowActionId: null,
    name: name || email || identifier || title || type,
    type,
  }))
}

export async function beginOnDocuments(
  context: Context,
  caller: Caller,
  { documents }: Static<typeof createDocumentMarksSession.body>,
  now: Date,
) {
  const rows: DocumentRow[] = []
  for (const id of documents) rows.push(await requiredLiveDocument(context, caller, 'documents.change', id))
  const participants = await Promise.all(rows.map((row) => openParticipants(context, row)))
  const shown = rows.map(({ id, name, filename, mime_type }) => ({
    id,
    name: filename,
    displayName: name,
    contentType: mime_type,
    isDocument: true,
  }))
  return begin(context, caller, shown, participants.flat(), now)
}

/** Participants who have not acted yet. */
const openParticipants = async ({ store }: Context, { id }: DocumentRow): Promise<Participants> =>
  (await flowOf(store.db, id)).flatMap(({ action, participants }) =>
    participants
      .filter(({ completed_at, refused_at }) => completed_at === null && refused_at === null)
      .map(({ name }) => ({ flowActionId: action.id, name, type: action.type })),
  )

async function begin(
  { store, publicUrl }: Context,
  { organizationId }: Caller,
  files: readonly SessionFile[],
  participants: Participants,
  now: Date,
): Promise<{ readonly id: string; readonly embedUrl: string }> {
  const id = randomUUID()
  await store.db
    .insertInto('marks_session')
    .values({
      id,
      organization_id: organizationId,
      files: JSON.stringify(files),
      participants: JSON.stringify(participants),
      data: null,
      created_at: now.toISOString(),
      expires_at: plus(now, LIFE_MINUTES * MINUTE).toISOString(),
    })
    .execute()
  return { id, embedUrl: `${publicUrl}/position-marks/${id}?v=1` }
}

/** The placed marks, for the organization that started the session. */
export async function readSession(context: Context, { organizationId }: Caller, id: string, now: Date) {
  const session = await requiredSession(context, id, now)
  if (session.organization_id !== organizationId) throw refuse('MarksSessionNotFound', { id })
  const files = filesOf(session).map(({ isDocument: _, ...file }) => file)
  return { id: session.id, files, data: dataOf(session) }
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

const dataOf = ({ data }: MarksSessionRow): SessionData => (data === null ? null : JSON.parse(data))

/** The data of the page, with the URLs of its files. */
export async function readPage(context: Context, id: string, now: Date) {
  const session = await requiredSession(context, id, now)
  return {
    id: session.id,
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
