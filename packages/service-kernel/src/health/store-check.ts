import { statSync } from 'node:fs'
import type { Clock } from '../clock/index.ts'
import { type Store, tablesOf } from '../store/index.ts'
import { alone } from './alone.ts'
import type { Check, CheckOptions, CheckResult } from './readiness.ts'

interface ProbeTables {
  write_probe: { id: number; written_at: string }
}

const tables = tablesOf<ProbeTables>()

/** Longest time, in seconds, for the row to be written: a database that is frozen is told before a probe gives up. */
export const storeCheckOptions: CheckOptions = { timeoutSeconds: 4 }

/**
 * Whether the service's database takes a change; added under the name `database`. One that is read-only, or whose disk
 * is full, still answers every question. A file that was deleted or replaced takes changes until the restart, which
 * begins without them.
 */
export function storeCheck<Tables>(
  store: Store<Tables>,
  { clock, file }: { readonly clock: Clock; readonly file?: string | undefined },
): Check {
  const opened = inodeOf(file)
  return alone(async () => {
    if (inodeOf(file) !== opened) return { ok: false, detail: 'The file of the database was deleted or replaced.' }
    return written(store, clock().toISOString())
  })
}

/** A statement of its own is a transaction of its own, which no process that stops in between can hold open. */
async function written<Tables>(store: Store<Tables>, written_at: string): Promise<CheckResult> {
  try {
    await tables(store.db)
      .insertInto('write_probe')
      .values({ id: 1, written_at })
      .onConflict((known) => known.column('id').doUpdateSet({ written_at }))
      .execute()
    return { ok: true }
  } catch (error) {
    throw store.problem(error) ?? error
  }
}

const inodeOf = (file: string | undefined): number | undefined =>
  file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.ino
