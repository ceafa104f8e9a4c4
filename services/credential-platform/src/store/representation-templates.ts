import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'
import type { TenantTables } from './tenant-tables.ts'

type TemplateRow = TenantTables['template']

/** The newest template of an institution for a kind, else that of its organization; undefined: that of the suite. */
export async function templateFor(
  db: Db<Tables>,
  { subscription_id, institute_id }: { readonly subscription_id: string; readonly institute_id: string },
  kind: TemplateRow['kind'],
): Promise<TemplateRow | undefined> {
  const rows = await db
    .selectFrom('template')
    .selectAll()
    .where('subscription_id', '=', subscription_id)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .where((row) => row.or([row('institute_id', '=', institute_id), row('institute_id', 'is', null)]))
    .orderBy('id', 'desc')
    .execute()
  return rows.find((row) => row.institute_id !== null) ?? rows[0]
}
