import type { Db } from '@chancela/service-kernel/store'
import type { BackupRunRow, Tables } from './tables.ts'

/** How a run ended. */
export type BackupEnd = Pick<BackupRunRow, 'finished_at' | 'result' | 'size_bytes' | 'error'>

export const insertRun = async (db: Db<Tables>, run: BackupRunRow): Promise<void> => {
  await db.insertInto('backup_run').values(run).execute()
}

export const endRun = async (db: Db<Tables>, id: string, end: BackupEnd): Promise<void> => {
  await db.updateTable('backup_run').set(end).where('id', '=', id).where('result', 'is', null).execute()
}

/** Runs interrupted by the end of their process. */
export const unendedRuns = (db: Db<Tables>): Promise<BackupRunRow[]> =>
  db.selectFrom('backup_run').selectAll().where('result', 'is', null).execute()

/** The newest runs. */
export const newestRuns = (db: Db<Tables>, most: number): Promise<BackupRunRow[]> =>
  db.selectFrom('backup_run').selectAll().orderBy('started_at', 'desc').orderBy('id').limit(most).execute()

/** The last run that stored a backup. */
export const lastSuccess = (db: Db<Tables>): Promise<BackupRunRow | undefined> =>
  db
    .selectFrom('backup_run')
    .selectAll()
    .where('result', '=', 'Succeeded')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
