import { DAY, MINUTE, plus } from '@chancela/service-kernel/clock'
import { writeAlone } from '@chancela/service-kernel/store'
import { sweeper, type Worker } from '@chancela/service-kernel/workers'
import type { Context } from '../context.ts'
import { purgeEntries } from '../store/activity.ts'
import { purgeCertificates } from '../store/certificates.ts'

/** Rows of each kind per tick, during which on SQLite every other query waits. */
const SWEPT_AT_ONCE = 500

/** Deletes what the admin page showed long enough, and certificates that were not used for long. */
export const sweepActivity = (context: Context): Worker =>
  sweeper(context, { name: 'cleanup of the activity', every: MINUTE }, async () => {
    const { AuthenticationDays, CertificateDays, ProblemDays } = context.settings.Activity
    const purged = async (table: 'authentication_entry' | 'problem_entry', days: number) => {
      const before = plus(context.clock(), -days * DAY)
      return (await writeAlone(context.store, (db) => purgeEntries(db, table, before, SWEPT_AT_ONCE))) === SWEPT_AT_ONCE
    }
    const before = plus(context.clock(), -CertificateDays * DAY)
    const certificates = await writeAlone(context.store, (db) => purgeCertificates(db, before, SWEPT_AT_ONCE))
    const [more, still] = [
      await purged('authentication_entry', AuthenticationDays),
      await purged('problem_entry', ProblemDays),
    ]
    return more || still || certificates === SWEPT_AT_ONCE
  })
