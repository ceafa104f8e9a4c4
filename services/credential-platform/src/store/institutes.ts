import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { InstituteRow } from './tenant-tables.ts'

/** Of any organization, for work that nobody asked for. */
export const findInstitute = (db: Db<Tables>, id: string): Promise<InstituteRow> =>
  db.selectFrom('institute').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
