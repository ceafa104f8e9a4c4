// Requests to keys elsewhere, and what became of their documents.
import type { Db } from '@chancela/service-kernel/store'
import type { SigningOutcome } from '../contract/remote-signing.ts'
import type { RemoteSignatureRow, RemoteSigningRow } from './remote-signing-tables.ts'
import type { Tables } from './tables.ts'

export async function insertSigning(
  db: Db<Tables>,
  row: RemoteSigningRow,
  documents: readonly RemoteSignatureRow[],
): Promise<void> {
  await db.insertInto('remote_signing').values(row).execute()
  await db
    .insertInto('remote_signature')
    .values([...documents])
    .execute()
}

export const findSigning = (db: Db<Tables>, id: string): Promise<RemoteSigningRow | undefined> =>
  db.selectFrom('remote_signing').selectAll().where('id', '=', id).executeTakeFirst()

export const signaturesOf = (db: Db<Tables>, signingId: string): Promise<readonly RemoteSignatureRow[]> =>
  db.selectFrom('remote_signature').selectAll().where('signing_id', '=', signingId).orderBy('position').execute()

/** Writes how a request ended; of two ends the first one counts. */
export async function endSigning(db: Db<Tables>, id: string, outcome: SigningOutcome): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('remote_signing')
    .set({ outcome })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const AT_ONCE = 500

/** True while there may be more. */
export async function sweepSignings(db: Db<Tables>, before: Date): Promise<boolean> {
  const over = db
    .selectFrom('remote_signing')
    .select('id')
    .where('expires_at', '<', before.toISOString())
    .limit(AT_ONCE)
  const { numDeletedRows } = await db.deleteFrom('remote_signing').where('id', 'in', over).executeTakeFirst()
  return Number(numDeletedRows) === AT_ONCE
}
