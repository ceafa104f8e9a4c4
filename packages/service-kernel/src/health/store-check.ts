import { sql } from 'kysely'
import type { Store } from '../store/index.ts'
import type { Check } from './readiness.ts'

/** Whether the service's database answers; added under the name `database`. */
export const storeCheck =
  <Tables>(store: Store<Tables>): Check =>
  async () => {
    await sql`select 1`.execute(store.db)
    return { ok: true }
  }
