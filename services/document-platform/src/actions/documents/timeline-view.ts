import type { Context } from '../../context.ts'
import type { DocumentRow } from '../../store/tables.ts'

/** What happened to a document, the oldest first. */
export async function timelineOf({ store }: Pick<Context, 'store'>, { id }: DocumentRow) {
  const rows = await store.db
    .selectFrom('timeline')
    .selectAll()
    .where('document_id', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    date: row.at,
    agent: row.agent_name === null ? null : { id: row.agent_id, name: row.agent_name, type: row.agent_type! },
    flowActionId: row.action_id,
    detail: row.detail,
  }))
}
