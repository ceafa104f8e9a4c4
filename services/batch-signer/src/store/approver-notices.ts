// What approvers are still to be told of by mail, file by file, and when each of them was last told.
import type { Db } from '@chancela/service-kernel/store'
import { type ExpressionBuilder, sql } from 'kysely'
import { askingKinds, type FileNoticeKind } from '../rules/approver-notice.ts'
import type { ApproverNoticeRow, Tables } from './tables.ts'

/** Rows per statement: databases limit the number of values. */
const ROWS_AT_ONCE = 500

type NewNotice = Pick<ApproverNoticeRow, 'approver_key' | 'kind' | 'job_id' | 'due_at'>

/** Writes down what people are to be told; what is there already stays. */
export async function insertNotices(tx: Db<Tables>, notices: readonly NewNotice[]): Promise<void> {
  for (let from = 0; from < notices.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('approver_notice')
      .values(notices.slice(from, from + ROWS_AT_ONCE).map((notice) => ({ ...notice, told_in: null })))
      .onConflict((known) => known.doNothing())
      .execute()
}

/** What one person is to be told of one kind. */
export interface PendingNotices {
  readonly approver_key: string
  readonly kind: FileNoticeKind
  readonly oldest: string
  readonly newest: string
  readonly last_at: string | null
}

/** Whom a mail may be due for, with what is due until then. */
export const pendingNotices = (db: Db<Tables>, kind: FileNoticeKind, until: Date): Promise<readonly PendingNotices[]> =>
  db
    .selectFrom('approver_notice as notice')
    .leftJoin('approver_mail as mail', (join) =>
      join.onRef('mail.approver_key', '=', 'notice.approver_key').onRef('mail.kind', '=', 'notice.kind'),
    )
    .select(['notice.approver_key', 'notice.kind', 'mail.at as last_at'])
    .select(({ fn }) => [fn.min('notice.due_at').as('oldest'), fn.max('notice.due_at').as('newest')])
    .where('notice.told_in', 'is', null)
    .where('notice.kind', '=', kind)
    .where('notice.due_at', '<=', until.toISOString())
    .groupBy(['notice.approver_key', 'notice.kind', 'mail.at'])
    .execute()

interface Mailing {
  readonly key: string
  readonly kind: FileNoticeKind
  readonly until: Date
  readonly now: Date
}

/** Forgets what nobody has to be asked any more; true where something of the rest is to be told now. */
export async function dropDecided(tx: Db<Tables>, { key, kind, until, now }: Mailing): Promise<boolean> {
  const pending = (row: ExpressionBuilder<Tables, 'approver_notice'>) =>
    row.and([
      row('approver_notice.approver_key', '=', key),
      row('approver_notice.kind', '=', kind),
      row('approver_notice.told_in', 'is', null),
      row('approver_notice.due_at', '<=', until.toISOString()),
    ])
  await tx
    .deleteFrom('approver_notice')
    .where(pending)
    .where((row) => row.not(isOpen(row, now)))
    .execute()
  const left = tx.selectFrom('approver_notice').select('job_id').where(pending)
  return (await left.where('due_at', '<=', now.toISOString()).limit(1).executeTakeFirst()) !== undefined
}

/** Whether a notice still says what is so: a file that waits is undecided by the person, and its time is not over. */
const isOpen = (row: ExpressionBuilder<Tables, 'approver_notice'>, now: Date) =>
  row.or([
    row('approver_notice.kind', 'not in', askingKinds),
    row.and([
      row.exists(
        row
          .selectFrom('job')
          .innerJoin('job_approval', 'job_approval.job_id', 'job.id')
          .select('job.id')
          .whereRef('job.id', '=', 'approver_notice.job_id')
          .where('job.status', '=', 'AwaitingApproval')
          .where((wait) =>
            wait.or([
              wait('job_approval.expires_at', 'is', null),
              wait('job_approval.expires_at', '>', now.toISOString()),
            ]),
          ),
      ),
      row.not(
        row.exists(
          row
            .selectFrom('approval_decision')
            .select('approval_decision.job_id')
            .whereRef('approval_decision.job_id', '=', 'approver_notice.job_id')
            .whereRef('approval_decision.approver_key', '=', 'approver_notice.approver_key'),
        ),
      ),
    ]),
  ])

/**
 * Makes a mail of a kind to a person this caller's: false when another instance wrote one since `before`. Held until
 * the transaction ends.
 */
export async function takeMail(
  tx: Db<Tables>,
  { key, kind, at, before }: { readonly key: string; readonly kind: string; readonly at: Date; readonly before: Date },
): Promise<boolean> {
  const taken = await tx
    .insertInto('approver_mail')
    .values({ approver_key: key, kind, at: at.toISOString() })
    .onConflict((known) =>
      known
        .columns(['approver_key', 'kind'])
        .doUpdateSet({ at: at.toISOString() })
        .where('approver_mail.at', '<=', before.toISOString()),
    )
    .returning('kind')
    .executeTakeFirst()
  return taken !== undefined
}

/** Puts what is due into a mail, and returns how many files that are. */
export async function putInto(tx: Db<Tables>, mail: string, { key, kind, until, now }: Mailing): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('approver_notice')
    .set({ told_in: mail, due_at: now.toISOString() })
    .where('approver_key', '=', key)
    .where('kind', '=', kind)
    .where('told_in', 'is', null)
    .where('due_at', '<=', until.toISOString())
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** A file as a mail tells of it. */
export interface ToldFile {
  readonly job_id: string
  readonly file_name: string
  readonly profile_name: string
  readonly expires_at: string | null
  /** JSON of the remittance's summary. */
  readonly cnab240: string | null
}

/** The files of a mail, those that end first before the others, at most `most`. */
export const filesOf = (db: Db<Tables>, mail: string, most: number): Promise<readonly ToldFile[]> =>
  db
    .selectFrom('approver_notice as notice')
    .innerJoin('job_approval as approval', 'approval.job_id', 'notice.job_id')
    .leftJoin('job', 'job.id', 'notice.job_id')
    .select(['notice.job_id', 'approval.file_name', 'approval.profile_name', 'approval.expires_at', 'job.cnab240'])
    .where('notice.told_in', '=', mail)
    .orderBy(sql`approval.expires_at is null`)
    .orderBy('approval.expires_at')
    .orderBy('approval.parked_at')
    .orderBy('notice.job_id')
    .limit(most)
    .execute()

/** Whether everything a mail asks for is decided or over. */
export async function isMailMoot(db: Db<Tables>, mail: string, now: Date): Promise<boolean> {
  const open = await db
    .selectFrom('approver_notice')
    .select('job_id')
    .where('told_in', '=', mail)
    .where((row) => isOpen(row, now))
    .limit(1)
    .executeTakeFirst()
  return open === undefined
}

/** Files that wait for the decision of anybody, by person. */
export const undecidedFiles = (db: Db<Tables>, now: Date): Promise<readonly (ToldFile & { approver_key: string })[]> =>
  db
    .selectFrom('job')
    .innerJoin('job_approval as approval', 'approval.job_id', 'job.id')
    .innerJoin('approval_member as member', 'member.job_id', 'job.id')
    .leftJoin('approval_decision as own', (join) =>
      join.onRef('own.job_id', '=', 'member.job_id').onRef('own.approver_key', '=', 'member.approver_key'),
    )
    .select(['member.approver_key', 'member.job_id', 'job.cnab240'])
    .select(['approval.file_name', 'approval.profile_name', 'approval.expires_at'])
    .where('job.status', '=', 'AwaitingApproval')
    .where('own.job_id', 'is', null)
    .where((row) =>
      row.or([row('approval.expires_at', 'is', null), row('approval.expires_at', '>', now.toISOString())]),
    )
    .orderBy(sql`approval.expires_at is null`)
    .orderBy('approval.expires_at')
    .orderBy('approval.parked_at')
    .orderBy('member.job_id')
    .execute()

/** Who rejected a job, and why. */
export const rejectionsOf = (db: Db<Tables>, jobIds: readonly string[]) =>
  db
    .selectFrom('approval_decision')
    .select(['job_id', 'name', 'reason'])
    .where('job_id', 'in', [...jobIds])
    .where('decision', '=', 'rejected')
    .execute()

/** When the last digest was due that was written; undefined before the first. */
export async function lastDigest(db: Db<Tables>): Promise<Date | undefined> {
  const row = await db
    .selectFrom('approver_mail')
    .select('at')
    .where('approver_key', '=', EVERYBODY)
    .where('kind', '=', 'Digest')
    .executeTakeFirst()
  return row && new Date(row.at)
}

/** Whose key the digest of all people is remembered under: nobody has it. */
export const EVERYBODY = ''

/** Forgets what was told so long ago that its mail has ended. */
export async function forgetTold(db: Db<Tables>, before: Date): Promise<void> {
  await db
    .deleteFrom('approver_notice')
    .where('told_in', 'is not', null)
    .where('due_at', '<', before.toISOString())
    .execute()
}

/** Forgets what people were to be told while the settings named more kinds: by now it is old. */
export async function forgetOtherKinds(db: Db<Tables>, kinds: readonly FileNoticeKind[]): Promise<void> {
  const all = db.deleteFrom('approver_notice')
  await (kinds.length > 0 ? all.where('kind', 'not in', kinds) : all).execute()
}
