import { type Db, hotStatement, type Store } from '@chancela/service-kernel/store'
import type { SessionEnd, SigningSessionRow, Tables } from './tables.ts'

/** Inserts a session and ends the active one of its CPF in the same transaction. */
export const insertSession = (store: Store<Tables>, row: SigningSessionRow): Promise<void> =>
  store.transaction(async (tx) => {
    await tx
      .updateTable('signing_session')
      .set({ ended_at: row.created_at, end_reason: 'replaced' })
      .where('cpf', '=', row.cpf)
      .where('ended_at', 'is', null)
      .execute()
    await tx.insertInto('signing_session').values(row).execute()
  })

export async function endSession(
  db: Db<Tables>,
  id: string,
  { reason, at }: { readonly reason: SessionEnd; readonly at: Date },
): Promise<void> {
  await db
    .updateTable('signing_session')
    .set({ ended_at: at.toISOString(), end_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** What an accepted signing call changes. */
export interface SessionUse {
  readonly id: string
  readonly signatures: number
  readonly expiresAt: Date
}

const writeUses = hotStatement<readonly SessionUse[], never>('session_uses', {
  sqlite: {
    text: `update signing_session set signatures = used.value ->> 'signatures', expires_at = used.value ->> 'expiresAt'
      from json_each(?1) as used where signing_session.id = used.value ->> 'id'`,
    parameters: (uses) => [JSON.stringify(uses)],
  },
  postgres: {
    text: `update signing_session set signatures = used.signatures, expires_at = used.expires_at
      from unnest($1::text[], $2::integer[], $3::text[]) as used (id, signatures, expires_at)
      where signing_session.id = used.id`,
    parameters: (uses) => [
      uses.map(({ id }) => id),
      uses.map(({ signatures }) => signatures),
      uses.map(({ expiresAt }) => expiresAt.toISOString()),
    ],
  },
})

/** Writes the uses of several sessions in one statement. */
export const writeSessionUses = async (db: Db<Tables>, uses: readonly SessionUse[]): Promise<void> => {
  await writeUses(db, uses)
}

/** The sessions active when the service stopped, with the location of their certificates. */
export const sessionsLeft = (db: Db<Tables>) =>
  db
    .selectFrom('signing_session')
    .innerJoin('certificate', 'certificate.id', 'signing_session.certificate_id')
    .selectAll('signing_session')
    .select(['certificate.fingerprint', 'certificate.workstation_id'])
    .where('ended_at', 'is', null)
    .execute()

/** Ends all open sessions on certificates that the server has itself: keys and logins were lost with the process. */
export const strandOwnSessions = async (db: Db<Tables>, now: Date): Promise<void> => {
  await db
    .updateTable('signing_session')
    .set({ ended_at: now.toISOString(), end_reason: 'stranded' })
    .where('custody', 'in', ['vault', 'token'])
    .where('ended_at', 'is', null)
    .execute()
}

/** Whether a session ended because its certificate or PIN was gone, and that certificate is not held now. */
export async function hasLostCertificate(db: Db<Tables>, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('signing_session')
    .innerJoin('certificate', 'certificate.id', 'signing_session.certificate_id')
    .select('signing_session.id')
    .where('hash', '=', hash)
    .where('end_reason', 'in', ['certificate-gone', 'stranded'])
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** When a session ended, by the hash of its id; undefined for an active or unknown one. */
export async function sessionEndedAt(db: Db<Tables>, hash: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('signing_session')
    .select(['ended_at', 'expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row && new Date(row.ended_at ?? row.expires_at)
}

/** Deletes up to `limit` sessions that ended before a time; returns how many. */
export async function deleteEndedSessions(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('signing_session')
    .select('id')
    .where('ended_at', '<', before.toISOString())
    .orderBy('ended_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('signing_session').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
