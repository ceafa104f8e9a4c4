import { sealedTable } from '@chancela/service-kernel/secrets'
import type { Db, Migration } from '@chancela/service-kernel/store'
import { type Kysely, sql } from 'kysely'
import type { FileRuleRow } from './file-rule-tables.ts'
import type { Tables } from './tables.ts'

/** What files people may bring: an owner of its own in the schema. */
export const fileRuleMigrations: readonly Migration[] = [
  { id: 1, name: 'file-rules-rule', breaking: false, up: createRules },
]

async function createRules(db: Kysely<unknown>): Promise<void> {
  await sql`create table file_rule (
    subscription_id text primary key references subscription (id),
    name_pattern text,
    url text,
    auth_type text not null,
    sealed_token text,
    updated_at text not null
  )`.execute(db)
}

/** What the token of a rule is sealed for. */
export const fileTokenContext = (subscriptionId: string): string => `file_rule ${subscriptionId} token`

export const sealedFileRules = sealedTable<FileRuleRow>({
  table: 'file_rule',
  idColumn: 'subscription_id',
  columns: ['sealed_token'],
  context: ({ subscription_id }) => fileTokenContext(subscription_id),
})

export const findFileRule = (db: Db<Tables>, subscriptionId: string): Promise<FileRuleRow | undefined> =>
  db.selectFrom('file_rule').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirst()

export const putFileRule = async (db: Db<Tables>, { subscription_id, ...set }: FileRuleRow): Promise<void> => {
  await db
    .insertInto('file_rule')
    .values({ subscription_id, ...set })
    .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet(set))
    .execute()
}

/** False where there was none. */
export async function deleteFileRule(db: Db<Tables>, subscriptionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('file_rule')
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
