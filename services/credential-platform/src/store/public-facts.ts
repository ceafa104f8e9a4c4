// What is public of a document, by the SHA-256 of its bytes: written when it is closed, or when it is first asked for.
import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** One row of `public_fact`. */
interface PublicFactRow {
  sha256: string
  /** JSON. */
  facts: string
}

export interface PublicFactTables {
  public_fact: PublicFactRow
}

export async function findFacts<Facts>(db: Db<Tables>, sha256: string): Promise<Facts | undefined> {
  const row = await db.selectFrom('public_fact').select('facts').where('sha256', '=', sha256).executeTakeFirst()
  return row && (JSON.parse(row.facts) as Facts)
}

/** The same bytes say the same: whoever was first wrote it. */
export async function keepFacts(db: Db<Tables>, sha256: string, facts: object): Promise<void> {
  const row = { sha256, facts: JSON.stringify(facts) }
  await db
    .insertInto('public_fact')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
