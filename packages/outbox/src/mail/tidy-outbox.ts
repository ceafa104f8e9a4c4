import { DAY, plus } from '@chancela/service-kernel/clock'
import { type Db, tablesOf } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'
import type { JobTables } from '../queue/index.ts'
import { MAIL_QUEUE, type MailTables } from './mail.ts'

/** How long a failed mail's recipient and error are kept. */
const KEPT_MS = 30 * DAY

const outboxTables = tablesOf<MailTables & JobTables>()

/** Deletes contents that a crash left behind, and old records of failed mails. */
export async function tidyOutbox<Tables>(db: Db<Tables>, now: Date): Promise<void> {
  const tables = outboxTables(db)
  await tables.deleteFrom('mail').where(hasEnded).execute()
  await tables
    .deleteFrom('durable_job')
    .where('queue', '=', MAIL_QUEUE)
    .where(dead)
    .where('finished_at', '<', plus(now, -KEPT_MS).toISOString())
    .execute()
}

const hasEnded = sql<SqlBool>`not exists (
    select 1 from durable_job where durable_job.id = mail.id and durable_job.state in ('waiting', 'claimed')
  )`

// Written as in the index of dead jobs.
const dead = sql<SqlBool>`state = 'dead'`
