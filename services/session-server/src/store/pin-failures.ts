import type { Db } from '@chancela/service-kernel/store'
import type { PinFailuresRow, Tables } from './tables.ts'

const timesIn = ({ times }: Pick<PinFailuresRow, 'times'>): readonly Date[] =>
  (JSON.parse(times) as string[]).map((time) => new Date(time))

/** The failures of a CPF, oldest first. */
export async function failuresOf(db: Db<Tables>, cpf: string): Promise<readonly Date[] | undefined> {
  const row = await db.selectFrom('pin_failures').select('times').where('cpf', '=', cpf).executeTakeFirst()
  return row && timesIn(row)
}

export async function writeFailures(db: Db<Tables>, cpf: string, times: readonly Date[]): Promise<void> {
  const kept = { times: JSON.stringify(times), last_at: times.at(-1)!.toISOString() }
  await db
    .insertInto('pin_failures')
    .values({ cpf, ...kept })
    .onConflict((conflict) => conflict.column('cpf').doUpdateSet(kept))
    .execute()
}

/** Every CPF that failed at or after a time. */
export async function failuresSince(db: Db<Tables>, since: Date) {
  const rows = await db.selectFrom('pin_failures').selectAll().where('last_at', '>=', since.toISOString()).execute()
  return rows.map((row) => ({ cpf: row.cpf, times: timesIn(row) }))
}

/** Returns whether there was something to delete. */
export async function deleteFailures(db: Db<Tables>, cpf: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('pin_failures').where('cpf', '=', cpf).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function forgetFailuresBefore(db: Db<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('pin_failures').where('last_at', '<', before.toISOString()).execute()
}
