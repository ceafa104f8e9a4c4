// Creating a database or starting a service is slow: the tests of a describe share one that is reset for each.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@chancela/service-kernel/store'
import type { TestStore } from '@chancela/testkit/stores'
import { beforeAll } from 'vitest'
import type { Tables } from '../store/tables.ts'
import { migrationSet, type OpenStore } from './ledger-world.ts'

/** Every table; a missing one does not compile. */
const tables = Object.keys({
  job: 0,
  job_approval: 0,
  approval_member: 0,
  approval_decision: 0,
  approver_factor: 0,
  approver_window: 0,
  approver_notice: 0,
  approver_mail: 0,
  approver_signing: 0,
  approver_signing_file: 0,
  job_history: 0,
  job_payments: 0,
  job_tally: 0,
  job_calendar: 0,
  throughput: 0,
  pipeline_state: 0,
  input_folder: 0,
  input_tombstone: 0,
  watched_folder: 0,
  folder_place: 0,
  signing_profile: 0,
  backup_run: 0,
  instance: 0,
  cleaned_output: 0,
  certificate_notice: 0,
  // Before the keys that sign them and the links that they are of, which may come meanwhile.
  audit_checkpoint: 0,
  audit_key: 0,
  audit_event: 0,
  ended_session: 0,
  cookie_session: 0,
  key_guess: 0,
  // After the records: a link that is made while they are read is then one too many, and none is missing.
  audit_chain: 0,
} satisfies Record<keyof Tables, 0>) as readonly (keyof Tables)[]

type Rows = ReadonlyMap<keyof Tables, readonly object[]>

/** The rows after the migrations, or after a start. */
export async function rowsAtStart({ db }: Store<Tables>): Promise<Rows> {
  const rows = new Map<keyof Tables, readonly object[]>()
  for (const table of tables) rows.set(table, await db.selectFrom(table).selectAll().execute())
  return rows
}

/** Deletes all rows and restores those of the start. */
export const emptied = (store: Store<Tables>, atStart: Rows): Promise<void> =>
  store.transaction(async (tx) => {
    for (const table of tables) {
      await tx.deleteFrom(table).execute()
      const rows = atStart.get(table)!
      if (rows.length > 0)
        await tx
          .insertInto(table)
          .values(rows as never)
          .execute()
    }
  })

/** Empties a folder. */
export async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Opens stores for the tests of the describe (or file) that calls this at its top: always the same database, reset.
 * After a test has closed it, each test gets its own database.
 */
export function storesOf(open: OpenStore): OpenStore {
  let shared: { readonly store: TestStore<Tables>; readonly atStart: Rows } | undefined
  beforeAll(async () => {
    const store = await open(migrationSet)
    shared = { store, atStart: await rowsAtStart(store) }
  })
  return async () => {
    if (!shared) return open(migrationSet)
    const { store, atStart } = shared
    await emptied(store, atStart)
    return { ...store, close: () => closed(store) }
  }

  function closed(store: Store<Tables>): Promise<void> {
    shared = undefined
    return store.close()
  }
}
