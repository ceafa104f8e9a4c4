import type { Db } from '@chancela/service-kernel/store'
import { type Metadata, metadataKey } from '../rules/metadata.ts'
import type { DocumentKeyRow } from './document-tables.ts'
import type { Tables } from './tables.ts'

/** Keys that have no document yet, findable by their metadata. */
export async function insertKeys(
  db: Db<Tables>,
  keys: readonly string[],
  owner: Pick<DocumentKeyRow, 'subscription_id' | 'application_id'>,
  metadata: Metadata | null,
  now: Date,
): Promise<void> {
  const common = { ...owner, document_id: null, used_at: null, created_at: now.toISOString() }
  const provisional_metadata = metadata && JSON.stringify(metadata)
  await db
    .insertInto('document_key')
    .values(keys.map((key) => ({ key, provisional_metadata, ...common })))
    .execute()
  const values = Object.entries(metadata ?? {}).flatMap(([name, all]) =>
    [...new Set(all)].map((value) => ({ name: metadataKey(name), value })),
  )
  for (const key of values.length > 0 ? keys : [])
    await db
      .insertInto('document_key_metadata')
      .values(values.map((one) => ({ key, ...one })))
      .execute()
}

/** A key of the subscription. */
export const findKey = (db: Db<Tables>, subscriptionId: string, key: string): Promise<DocumentKeyRow | undefined> =>
  db
    .selectFrom('document_key')
    .selectAll()
    .where('key', '=', key)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** Gives an unused key of the subscription to a document: of two who try, one gets it. Returns whether it did. */
export async function useKey(
  db: Db<Tables>,
  subscriptionId: string,
  key: string,
  documentId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('document_key')
    .set({ document_id: documentId, used_at: now.toISOString(), provisional_metadata: null })
    .where('key', '=', key)
    .where('subscription_id', '=', subscriptionId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await db.deleteFrom('document_key_metadata').where('key', '=', key).execute()
  return numUpdatedRows > 0n
}

/** Unused keys, the newest first; with a name, those whose metadata have it, with that value where one is given. */
export async function unusedKeys(
  db: Db<Tables>,
  subscriptionId: string,
  { name, value }: { readonly name: string | undefined; readonly value: string | undefined },
  limit: number,
): Promise<string[]> {
  let query = db
    .selectFrom('document_key as k')
    .select('k.key')
    .where('k.subscription_id', '=', subscriptionId)
    .where('k.used_at', 'is', null)
  if (name !== undefined)
    query = query.where('k.key', 'in', (inner) => {
      const named = inner
        .selectFrom('document_key_metadata as m')
        .select('m.key')
        .where('m.name', '=', metadataKey(name))
      return value === undefined ? named : named.where('m.value', '=', value)
    })
  const rows = await query.orderBy('k.created_at', 'desc').orderBy('k.key').limit(limit).execute()
  return rows.map(({ key }) => key)
}
