// Reads of documents and their flows: each row comes as one JSON text, a whole flow in one statement.
import { type Db, dialectOf, jsonList, jsonRow, type Notation, portableStatement } from '@chancela/service-kernel/store'
import { documentColumns, flowActionColumns, participantColumns } from './document-columns.ts'
import type { DocumentRow, FlowActionRow, FlowStep, ParticipantRow, Tables } from './tables.ts'

/** A document as one JSON text. */
export interface DocumentJson {
  readonly document: string
}

export const documentJson = ({ dialect }: Notation) => `${jsonRow[dialect]('document', documentColumns)} as document`

export const readDocuments = (rows: readonly DocumentJson[]): readonly DocumentRow[] =>
  rows.map(({ document }) => JSON.parse(document) as DocumentRow)

const readDocument = (rows: readonly DocumentJson[]): DocumentRow | undefined => readDocuments(rows)[0]

const ofOrganization = portableStatement<{ readonly organizationId: string; readonly id: string }, DocumentJson>(
  'documents_of_organization',
  (notation) =>
    `select ${documentJson(notation)} from document
     where id = ${notation.place(1)} and organization_id = ${notation.place(2)}`,
  ({ organizationId, id }) => [id.toLowerCase(), organizationId],
)

/** A document of an organization, deleted ones included. */
export const findDocument = async (
  db: Db<Tables>,
  organizationId: string,
  id: string,
): Promise<DocumentRow | undefined> => readDocument(await ofOrganization(db, { organizationId, id }))

const byId = portableStatement<string, DocumentJson>(
  'documents_by_id',
  (notation) => `select ${documentJson(notation)} from document where id = ${notation.place(1)}`,
  (id) => [id],
)

export const documentById = async (db: Db<Tables>, id: string): Promise<DocumentRow | undefined> =>
  readDocument(await byId(db, id))

const revision = portableStatement<string, { readonly revision: number }>(
  'documents_revision',
  ({ place }) => `select revision from document where id = ${place(1)}`,
  (id) => [id],
)

/** Whether a document is as it was read. */
export const isUnmoved = async (db: Db<Tables>, document: Pick<DocumentRow, 'id' | 'revision'>): Promise<boolean> =>
  (await revision(db, document.id))[0]?.revision === document.revision

export const documentByKey = (db: Db<Tables>, key: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('document').selectAll().where('key', '=', key).where('deleted_at', 'is', null).executeTakeFirst()

interface FlowJson {
  readonly actions: string
  readonly participants: string
}

const flowJson = ({ dialect }: Notation, documentId: string) =>
  `${jsonList[dialect]('flow_action', flowActionColumns, `flow_action.document_id = ${documentId}`)} as actions,
   ${jsonList[dialect]('participant', participantColumns, `participant.document_id = ${documentId}`)} as participants`

function readFlow(json: FlowJson): readonly FlowStep[] {
  const actions = JSON.parse(json.actions) as FlowActionRow[]
  const participants = (JSON.parse(json.participants) as ParticipantRow[]).sort((a, b) => a.position - b.position)
  return actions
    .sort((a, b) => a.step - b.step || a.position - b.position)
    .map((action) => ({ action, participants: participants.filter(({ action_id }) => action_id === action.id) }))
}

const flow = portableStatement<string, FlowJson>(
  'documents_flow',
  (notation) => `select ${flowJson(notation, notation.place(1))}`,
  (documentId) => [documentId],
)

/** The flow of a document: its actions by step, each with its participants. */
export async function flowOf(db: Db<Tables>, documentId: string): Promise<readonly FlowStep[]> {
  const [json] = await flow(db, documentId)
  return readFlow(json!)
}

/** A consistent snapshot of a document and its flow. */
export interface DocumentWithFlow {
  readonly document: DocumentRow
  readonly steps: readonly FlowStep[]
}

const withFlow = portableStatement<string, DocumentJson & FlowJson>(
  'documents_with_flow',
  (notation) =>
    `select ${documentJson(notation)}, ${flowJson(notation, 'document.id')} from document
     where id = ${notation.place(1)}`,
  (id) => [id],
)

export async function documentWithFlow(db: Db<Tables>, id: string): Promise<DocumentWithFlow | undefined> {
  const rows = await withFlow(db, id)
  return rows[0] && { document: readDocument(rows)!, steps: readFlow(rows[0]) }
}

const lock = portableStatement<string, never>(
  'documents_lock',
  ({ dialect, place }) => `select 1 from document where id = ${place(1)}${dialect === 'postgres' ? ' for update' : ''}`,
  (id) => [id],
)

/**
 * The same, with the document locked for a change. On PostgreSQL the second of two concurrent acts has to see what the
 * first wrote: so it reads after it has the lock, not in the locking statement. On SQLite transactions are serialized.
 */
export async function lockedWithFlow(db: Db<Tables>, id: string): Promise<DocumentWithFlow | undefined> {
  if (dialectOf(db) === 'postgres') await lock(db, id)
  return documentWithFlow(db, id)
}

/** Whether a user takes part in a document or observes it. */
export async function isInvolved(db: Db<Tables>, documentId: string, userId: string): Promise<boolean> {
  const participant = db
    .selectFrom('participant')
    .select('person_id')
    .where('document_id', '=', documentId)
    .where('person_id', '=', userId)
  const observer = db
    .selectFrom('observer')
    .select('person_id')
    .where('document_id', '=', documentId)
    .where('person_id', '=', userId)
  return (await participant.unionAll(observer).limit(1).execute()).length > 0
}
