import { type Db, insertRows } from '@chancela/service-kernel/store'
import type { CreationRow, SessionRow, Tables } from './tables.ts'

/** Writes a creation with its sessions. */
export const insertCreation = (db: Db<Tables>, creation: CreationRow, session: readonly SessionRow[]): Promise<void> =>
  insertRows<Tables>(db, { creation: [creation], session })

export const creationById = (db: Db<Tables>, id: string): Promise<CreationRow> =>
  db.selectFrom('creation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The creation of a chooser's ticket. */
export const creationOfTicket = (db: Db<Tables>, ticketHash: string): Promise<CreationRow | undefined> =>
  db.selectFrom('creation').selectAll().where('chooser_hash', '=', ticketHash).executeTakeFirst()

/** Name of the application whose users see the chooser. */
export async function applicationName(db: Db<Tables>, id: string): Promise<string> {
  const { name } = await db
    .selectFrom('client_application')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return name
}
