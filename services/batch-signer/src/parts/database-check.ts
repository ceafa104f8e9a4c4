import { type Check, storeCheck } from '@chancela/service-kernel/health'
import { storeFile } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'

/** Whether the database takes changes and answers from the tables of jobs: one whose tables are broken still takes a row. */
export function databaseCheck({ store, settings, dataFolder, clock }: Context): Check {
  const { db } = store
  const takesChanges = storeCheck(store, { clock, file: storeFile({ url: settings.Database.Url, dataFolder }) })
  return async (signal) => {
    const changed = await takesChanges(signal)
    if (!changed.ok) return changed
    await db.selectFrom('pipeline_state').select('paused').executeTakeFirstOrThrow()
    await db.selectFrom('job').select('id').orderBy('created_at').limit(1).execute()
    await db.selectFrom('job_history').select('id').orderBy('id').limit(1).execute()
    return { ok: true, detail: `${await store.version()} answers.` }
  }
}
