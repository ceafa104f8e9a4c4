// Writes the changes of a participant's act; on PostgreSQL in one statement, to save network round trips.
import { pairsOf } from '@chancela/service-kernel/states'
import { type Db, dialectOf, hotStatement, type JsonColumns, jsonRows } from '@chancela/service-kernel/store'
import { type ActionStatus, actionMoves, documentMoves } from '../rules/vocabulary.ts'
import type { DocumentRow, ParticipantRow, Tables } from './tables.ts'

export interface ActWrites {
  /** The participant after the act. */
  readonly participant: ParticipantRow
  /** The changed actions with their new status. */
  readonly actions: Iterable<readonly [id: string, status: ActionStatus]>
  /** The document after the act. */
  readonly document: DocumentRow
  readonly at: string
}

const actedColumns = ['completed_at', 'refused_at', 'refusal_reason', 'is_electronic'] as const
const movedColumns = [
  'updated_at',
  'revision',
  'status',
  'current_digest',
  'current_size',
  'signatures',
  'status_by_id',
  'status_by_name',
  'status_by_type',
  'status_reason',
] as const

const actionColumns: JsonColumns = [
  ['id', 'text'],
  ['status', 'text'],
  ['at', 'text'],
  ['pending_at', 'text'],
]

const updateActions = (source: string) => `update flow_action
  set status = change.status, updated_at = change.at, pending_at = coalesce(change.pending_at, flow_action.pending_at)
  from ${source} as change
  where flow_action.id = change.id and (flow_action.status, change.status) in (values ${pairsOf(actionMoves, ['release', 'complete', 'refuse'])})`

/** An update of the row whose id is the last value. */
const updateRow = (table: string, columns: readonly string[], place: (n: number) => string) =>
  `update ${table} set ${columns.map((name, at) => `${name} = ${place(at)}`).join(', ')}
   where id = ${place(columns.length)}`

/** An act that is not the last of a flow keeps the document's status. */
const updateDocument = (place: (n: number) => string) => {
  const status = place(movedColumns.indexOf('status'))
  return `${updateRow('document', movedColumns, place)}
    and (status = ${status} or (status, ${status}) in (values ${pairsOf(documentMoves, ['concludeFlow', 'refuse'])})) returning id`
}

const actionValues = ({ actions, at }: ActWrites) =>
  JSON.stringify(Array.from(actions, ([id, status]) => [id, status, at, status === 'Pending' ? at : null]))

const participantValues = ({ participant }: ActWrites) => [
  ...actedColumns.map((name) => participant[name]),
  participant.id,
]

const documentValues = ({ document }: ActWrites) => [...movedColumns.map((name) => document[name]), document.id]

const FIRST_OF_PARTICIPANT = 2
const FIRST_OF_DOCUMENT = FIRST_OF_PARTICIPANT + actedColumns.length + 1

const postgres = {
  text: `with moved as (${updateActions(jsonRows.postgres(actionColumns))}),
    acted as (${updateRow('participant', actedColumns, (n) => `$${FIRST_OF_PARTICIPANT + n}`)})
    ${updateDocument((n) => `$${FIRST_OF_DOCUMENT + n}`)}`,
  parameters: (writes: ActWrites) => [actionValues(writes), ...participantValues(writes), ...documentValues(writes)],
}

const sqlite = [
  { text: updateActions(jsonRows.sqlite(actionColumns)), parameters: (writes: ActWrites) => [actionValues(writes)] },
  { text: updateRow('participant', actedColumns, () => '?'), parameters: participantValues },
  { text: updateDocument((n) => `?${n + 1}`), parameters: documentValues },
]

const statements = sqlite.map((form, at) =>
  hotStatement<ActWrites, { readonly id: string }>(`documents_act_${at}`, { sqlite: form, postgres }),
)

/** Writes the participant, the actions and the document, whose row the caller has locked. */
export async function writeAct(db: Db<Tables>, writes: ActWrites): Promise<void> {
  const needed = dialectOf(db) === 'postgres' ? statements.slice(0, 1) : statements
  let moved: readonly { readonly id: string }[] = []
  for (const statement of needed) moved = await statement(db, writes)
  if (moved.length === 0) throw new Error(`No move leads document ${writes.document.id} to ${writes.document.status}.`)
}
