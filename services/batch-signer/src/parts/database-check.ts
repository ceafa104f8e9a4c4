import { statSync } from 'node:fs'
import type { Check } from '@chancela/service-kernel/health'
import { storeFile } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'

/**
 * Whether the database answers, from tables of its own: a broken one still answers `select 1`. An embedded one whose
 * file was deleted or replaced goes on without an error until the restart, which begins without its jobs.
 */
export function databaseCheck({ store, settings, dataFolder }: Context): Check {
  const { db } = store
  const file = storeFile({ url: settings.Database.Url, dataFolder })
  const opened = inodeOf(file)
  return async () => {
    if (inodeOf(file) !== opened) return { ok: false, detail: 'The file of the database was deleted or replaced.' }
    await db.selectFrom('pipeline_state').select('paused').executeTakeFirstOrThrow()
    await db.selectFrom('job').select('id').orderBy('created_at').limit(1).execute()
    await db.selectFrom('job_history').select('id').orderBy('id').limit(1).execute()
    return { ok: true, detail: `${await store.version()} answers.` }
  }
}

const inodeOf = (file: string | undefined): number | undefined =>
  file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.ino
