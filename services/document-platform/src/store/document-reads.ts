import type { Db } from '@chancela/service-kernel/store'
import type { FlowStep } from '../domain/notices.ts'
import type { DocumentRow, Tables } from './tables.ts'

/** A document of an organization, deleted ones included. */
export const findDocument = (db: Db<Tables>, organizationId: string, id: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom('document')
    .selectAll()
    .where('id', '=', id.toLowerCase())
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

export const documentById = (db: Db<Tables>, id: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()

export const documentByKey = (db: Db<Tables>, key: string): Promise<DocumentRow | undefined> =>
  db.selectFrom('document').selectAll().where('key', '=', key).where('deleted_at', 'is', null).executeTakeFirst()

/** The flow of a document: its actions by step, each with its people. */
export async function flowOf(db: Db<Tables>, documentId: string): Promise<readonly FlowStep[]> {
  const actions = await db
    .selectFrom('flow_action')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('step')
    .orderBy('position')
    .execute()
  const participants = await db
    .selectFrom('participant')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('position')
    .execute()
  return actions.map((action) => ({
    action,
    participants: participants.filter(({ action_id }) => action_id === action.id),
  }))
}
