import type { Secrets } from '@chancela/service-kernel/secrets'
import { type Db, insertRows } from '@chancela/service-kernel/store'
import { type HolderSeal, openedCustomState, openedIdentifier, sealedHolder } from './sealed-holders.ts'
import type { Creation, CreationRow, SessionRow, Tables } from './tables.ts'

/** Writes a creation with its sessions. */
export function insertCreation(
  db: Db<Tables>,
  seal: HolderSeal,
  creation: Creation,
  session: readonly SessionRow[],
): Promise<void> {
  const { identifier: _, custom_state: _state, ...row } = creation
  return insertRows<Tables>(db, { creation: [{ ...row, ...sealedHolder(seal, creation) }], session })
}

export async function creationById(db: Db<Tables>, secrets: Secrets, id: string): Promise<Creation> {
  const row = await db.selectFrom('creation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...row, identifier: openedIdentifier(secrets, row), custom_state: openedCustomState(secrets, row) }
}

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
