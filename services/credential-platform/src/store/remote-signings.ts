// Requests to keys elsewhere, and what became of their documents.
import type { Db } from '@chancela/service-kernel/store'
import type { DocumentOutcome, SigningOutcome } from '../contract/remote-signing.ts'
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

export const findSignature = (
  db: Db<Tables>,
  signingId: string,
  documentId: string,
): Promise<RemoteSignatureRow | undefined> =>
  db
    .selectFrom('remote_signature')
    .selectAll()
    .where('signing_id', '=', signingId)
    .where('document_id', '=', documentId)
    .executeTakeFirst()

/** Marks a request as taken; true for the first call only. */
export async function takeSigning(db: Db<Tables>, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('remote_signing')
    .set({ taken_at: now.toISOString() })
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

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

/** The key has signed: from here on nothing is lost. False where the request had ended before. */
export async function keepSignatures(
  db: Db<Tables>,
  { id, path }: { readonly id: string; readonly path: string },
  signed: readonly Pick<RemoteSignatureRow, 'document_id' | 'layout' | 'signature'>[],
): Promise<boolean> {
  if (!(await endSigning(db, id, 'signed'))) return false
  await db.updateTable('remote_signing').set({ path }).where('id', '=', id).execute()
  for (const { document_id, layout, signature } of signed)
    await db
      .updateTable('remote_signature')
      .set({ layout, signature })
      .where('signing_id', '=', id)
      .where('document_id', '=', document_id)
      .execute()
  return true
}

export async function endSignature(
  db: Db<Tables>,
  { signing_id, document_id }: Pick<RemoteSignatureRow, 'signing_id' | 'document_id'>,
  outcome: DocumentOutcome,
  reason: string | null = null,
): Promise<void> {
  await db
    .updateTable('remote_signature')
    .set({ outcome, reason })
    .where('signing_id', '=', signing_id)
    .where('document_id', '=', document_id)
    .where('outcome', 'is', null)
    .execute()
}

/** Withdraws what a person asked tokens for and none has signed; returns what is to be canceled at the server. */
export const withdrawTokens = (db: Db<Tables>, userId: string): Promise<readonly RemoteSigningRow[]> =>
  db
    .updateTable('remote_signing')
    .set({ outcome: 'canceled' })
    .where('user_id', '=', userId)
    .where('way', '=', 'token')
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .returningAll()
    .execute()

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
