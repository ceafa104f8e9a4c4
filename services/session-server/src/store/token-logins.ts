import type { Db } from '@chancela/service-kernel/store'
import type { Tables, TokenLoginRow } from './tables.ts'

/** What is remembered of the PINs a token was given. */
export const tokenLogin = (db: Db<Tables>, token: string): Promise<TokenLoginRow | undefined> =>
  db.selectFrom('token_login').selectAll().where('token', '=', token).executeTakeFirst()

export async function writeTokenLogin(db: Db<Tables>, row: TokenLoginRow): Promise<void> {
  const { token: _, ...kept } = row
  await db
    .insertInto('token_login')
    .values(row)
    .onConflict((conflict) => conflict.column('token').doUpdateSet(kept))
    .execute()
}
