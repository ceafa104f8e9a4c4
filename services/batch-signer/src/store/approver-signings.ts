// What approvers asked keys elsewhere for, and what became of each file.
import { type Db, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { SigningOutcome } from '../contract/portal-signing.ts'
import type { ApproverSigningFileRow, ApproverSigningRow, Tables } from './tables.ts'

/** What became of one file. */
export interface FileResult {
  readonly ok: boolean
  readonly code: string | null
  /** What is shown, as `Said` stores it; null where the code says it all. */
  readonly text: string | null
  readonly told: unknown
  readonly released: boolean
}

export const insertSigning = (
  store: Store<Tables>,
  row: ApproverSigningRow,
  files: readonly ApproverSigningFileRow[],
): Promise<void> =>
  store.transaction(async (tx) => {
    await tx.insertInto('approver_signing').values(row).execute()
    await tx
      .insertInto('approver_signing_file')
      .values([...files])
      .execute()
  })

export const findSigning = (db: Db<Tables>, id: string): Promise<ApproverSigningRow | undefined> =>
  db.selectFrom('approver_signing').selectAll().where('id', '=', id).executeTakeFirst()

export const findByReference = (db: Db<Tables>, reference: string): Promise<ApproverSigningRow | undefined> =>
  db.selectFrom('approver_signing').selectAll().where('reference', '=', reference).executeTakeFirst()

export const filesOf = (db: Db<Tables>, signingId: string): Promise<readonly ApproverSigningFileRow[]> =>
  db.selectFrom('approver_signing_file').selectAll().where('signing_id', '=', signingId).orderBy('position').execute()

/** Takes a request, so that one caller has it signed, in whatever process; false for every other. */
export async function takeSigning(
  store: Store<Tables>,
  id: string,
  { now, busyUntil }: { readonly now: Date; readonly busyUntil: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await writeAlone(store, (db) =>
    db
      .updateTable('approver_signing')
      .set({ taken_at: now.toISOString(), busy_until: busyUntil.toISOString() })
      .where('id', '=', id)
      .where('taken_at', 'is', null)
      .where('outcome', 'is', null)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

/** The key has signed: from here on nothing is lost. */
export const keepSignatures = (
  store: Store<Tables>,
  { id, thumbprint }: { readonly id: string; readonly thumbprint: string },
  signed: readonly { readonly jobId: string; readonly token: string; readonly signature: string }[],
  { now, busyUntil }: { readonly now: Date; readonly busyUntil: Date },
): Promise<void> =>
  store.transaction(async (tx) => {
    const kept = { kept_at: now.toISOString(), busy_until: busyUntil.toISOString(), thumbprint }
    await tx.updateTable('approver_signing').set(kept).where('id', '=', id).execute()
    for (const { jobId, token, signature } of signed)
      await tx
        .updateTable('approver_signing_file')
        .set({ token, signature })
        .where('signing_id', '=', id)
        .where('job_id', '=', jobId)
        .execute()
  })

/** Writes how a request ended; of two ends the first one counts. */
export async function endSigning(store: Store<Tables>, id: string, outcome: SigningOutcome): Promise<boolean> {
  const { numUpdatedRows } = await writeAlone(store, (db) =>
    db
      .updateTable('approver_signing')
      .set({ outcome })
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

/** Withdraws a request that nobody has taken; false where somebody has, or it has ended. */
export async function withdrawSigning(store: Store<Tables>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await writeAlone(store, (db) =>
    db
      .updateTable('approver_signing')
      .set({ outcome: 'canceled' })
      .where('id', '=', id)
      .where('taken_at', 'is', null)
      .where('outcome', 'is', null)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

/** Requests to tokens of a person that nobody has taken. */
export const waitingTokens = (db: Db<Tables>, key: string): Promise<readonly ApproverSigningRow[]> =>
  db
    .selectFrom('approver_signing')
    .selectAll()
    .where('approver_key', '=', key)
    .where('way', '=', 'token')
    .where('taken_at', 'is', null)
    .where('outcome', 'is', null)
    .execute()

/** Writes what became of a file; of two results the first one counts. */
export async function endFile(
  store: Store<Tables>,
  { signing_id, job_id }: Pick<ApproverSigningFileRow, 'signing_id' | 'job_id'>,
  result: FileResult,
): Promise<void> {
  await writeAlone(store, (db) =>
    db
      .updateTable('approver_signing_file')
      .set({ result: JSON.stringify(result), token: null })
      .where('signing_id', '=', signing_id)
      .where('job_id', '=', job_id)
      .where('result', 'is', null)
      .executeTakeFirst(),
  )
}

/** Takes over a request whose signatures are kept and whom nobody works on; undefined where there is none. */
export const takeOver = (
  store: Store<Tables>,
  { now, busyUntil }: { readonly now: Date; readonly busyUntil: Date },
): Promise<ApproverSigningRow | undefined> =>
  writeAlone(store, (db) =>
    db
      .updateTable('approver_signing')
      .set({ busy_until: busyUntil.toISOString() })
      .where((row) =>
        row(
          'id',
          '=',
          row
            .selectFrom('approver_signing as lost')
            .select('lost.id')
            .where('lost.kept_at', 'is not', null)
            .where('lost.outcome', 'is', null)
            .where('lost.busy_until', '<=', now.toISOString())
            .orderBy('lost.kept_at')
            .limit(1),
        ),
      )
      .where('busy_until', '<=', now.toISOString())
      .returningAll()
      .executeTakeFirst(),
  )

const AT_ONCE = 500

/** Forgets requests that were over before this time; signatures that are kept and not recorded yet are not forgotten. */
export async function sweepSignings(store: Store<Tables>, before: Date): Promise<void> {
  const over = await store.db
    .selectFrom('approver_signing')
    .select('id')
    .where('expires_at', '<', before.toISOString())
    .where((row) => row.or([row('kept_at', 'is', null), row('outcome', 'is not', null)]))
    .limit(AT_ONCE)
    .execute()
  if (over.length === 0) return
  const ids = over.map(({ id }) => id)
  await store.transaction(async (tx) => {
    await tx.deleteFrom('approver_signing_file').where('signing_id', 'in', ids).execute()
    await tx.deleteFrom('approver_signing').where('id', 'in', ids).execute()
  })
}
