// Webhook events about documents (spec 3 A, document-platform facts 2): the exact text, written in the same transaction
// as the change.
import { emitEvents } from '@chancela/outbox/webhooks'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { deletionActions, EventType } from '../../contract/webhooks.ts'
import type { Agent } from '../../rules/vocabulary.ts'
import { folderPath } from '../../store/folder-reads.ts'
import { listeningOrganization } from '../../store/organization-reads.ts'
import type { DocumentRow, ParticipantRow, Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>

/** Most documents one event carries. */
const DOCUMENTS_PER_EVENT = 100

type Data = Readonly<Record<string, unknown>>

/** Emits an event about one document: the common fields plus those of its type. */
export const emitOf = (
  context: Pick<Context, 'store'>,
  tx: Tx,
  type: EventType,
  document: DocumentRow,
  added: Data,
  now: Date,
): Promise<void> =>
  emit(context, tx, [{ type, documents: [document], data: ([common]) => ({ ...common, ...added }) }], now)

/** Emits an event for each of several documents of one organization. */
export const emitOfEach = (
  context: Pick<Context, 'store'>,
  tx: Tx,
  type: EventType,
  documents: readonly DocumentRow[],
  now: Date,
): Promise<void> =>
  emit(
    context,
    tx,
    documents.map((document) => ({ type, documents: [document], data: ([common]) => common! })),
    now,
  )

/** DocumentsCreated: one event for a hundred documents at most. */
export const emitCreated = (
  context: Pick<Context, 'store'>,
  tx: Tx,
  documents: readonly DocumentRow[],
  now: Date,
): Promise<void> =>
  emit(
    context,
    tx,
    rounds(documents).map((some) => ({
      type: 'DocumentsCreated',
      documents: some,
      data: (all) => ({ documents: all }),
    })),
    now,
  )

/** DocumentDeleted: of documents deleted together, the event lists the first hundred. */
export const emitDeleted = (
  context: Pick<Context, 'store'>,
  tx: Tx,
  documents: readonly DocumentRow[],
  action: (typeof deletionActions)[number],
  now: Date,
): Promise<void> => {
  const named = documents.slice(0, DOCUMENTS_PER_EVENT)
  if (named.length === 0) return Promise.resolve()
  return emit(
    context,
    tx,
    [{ type: 'DocumentDeleted', documents: named, data: (all) => ({ documents: all, action }) }],
    now,
  )
}

interface Emission {
  readonly type: EventType
  readonly documents: readonly DocumentRow[]
  readonly data: (documents: readonly Data[]) => Data
}

async function emit(
  { store }: Pick<Context, 'store'>,
  tx: Tx,
  emissions: readonly Emission[],
  now: Date,
): Promise<void> {
  const [first] = emissions.flatMap(({ documents }) => documents)
  if (!first) return
  const organization = await listeningOrganization(tx, first.organization_id)
  if (!organization) return
  const folders = new Map<string, Awaited<ReturnType<typeof folderPath>>>()
  for (const { folder_id } of emissions.flatMap(({ documents }) => documents))
    if (folder_id !== null && !folders.has(folder_id)) folders.set(folder_id, await folderPath(tx, folder_id))
  const commonOf = (document: DocumentRow): Data => {
    const [folder] = document.folder_id === null ? [] : folders.get(document.folder_id)!
    return {
      id: document.id,
      name: document.name,
      creationDate: document.created_at,
      updateDate: document.updated_at,
      folder: folder
        ? { id: folder.id, name: folder.name, parentId: folder.parent_id, organizationName: organization.name }
        : null,
      organization,
      createdBy: { id: document.created_by_id, name: document.created_by_name },
    }
  }
  const events = emissions.map(({ type, documents, data }) => ({
    ownerId: first.organization_id,
    type,
    subject: documents[0]!.id,
    groups: [...new Set(documents.flatMap(({ folder_id }) => folders.get(folder_id ?? '')?.map(({ id }) => id) ?? []))],
    body: JSON.stringify({ type, data: data(documents.map(commonOf)) }),
  }))
  await emitEvents(store, tx, events, now)
}

function rounds<T>(all: readonly T[]): readonly (readonly T[])[] {
  const some: T[][] = []
  for (let from = 0; from < all.length; from += DOCUMENTS_PER_EVENT)
    some.push(all.slice(from, from + DOCUMENTS_PER_EVENT))
  return some
}

/** The participant who acted, as `signature`, `approval` and `refusal` show it. */
export const actorData = (participant: ParticipantRow, at: string) => ({
  flowActionId: participant.action_id,
  date: at,
  userId: participant.person_id,
  name: participant.name,
  identifier: participant.identifier,
  emailAddress: participant.email,
})

/** A refusal through the API has no action: the application refused for the organization. */
export const refuserData = (agent: Agent, reason: string, at: string) => ({
  flowActionId: null,
  date: at,
  userId: agent.id,
  name: agent.name,
  identifier: null,
  emailAddress: null,
  reason,
})
