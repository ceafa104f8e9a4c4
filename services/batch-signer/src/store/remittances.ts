import type { Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Rows read per query. */
const AT_ONCE = 1_000

interface SignedRemittance {
  readonly id: string
  readonly finished_at: string
  readonly cnab240: string
}

/** Remittances that were signed in a range of time, each once, oldest first. */
export async function* signedRemittances(
  db: Db<Tables>,
  { since, until }: { readonly since: Date; readonly until: Date },
): AsyncGenerator<SignedRemittance> {
  let after = { at: since.toISOString(), id: '' }
  for (;;) {
    const { rows } = await sql<SignedRemittance>`select id, finished_at, cnab240 from job
      where cnab240 is not null and finished_at >= ${after.at} and finished_at < ${until.toISOString()}
        and (finished_at > ${after.at} or (finished_at = ${after.at} and id > ${after.id})) and status = 'Completed'
      order by finished_at, id limit ${AT_ONCE}`.execute(db)
    yield* rows
    if (rows.length < AT_ONCE) return
    const last = rows.at(-1)!
    after = { at: last.finished_at, id: last.id }
  }
}
