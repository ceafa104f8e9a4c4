// Recovery codes of administrators, for whoever lost the phone: each stands for one code of the authenticator app.
import { endSessionsOf } from '@chancela/service-kernel/http'
import { newRecoveryCodes, recoveryHash } from '@chancela/service-kernel/secrets'
import type { Db } from '@chancela/service-kernel/store'
import { forgetRecoveryCodes } from './administrator-rows.ts'
import type { AdministratorRow, AdministratorTables } from './administrator-table.ts'
import { event } from './administrators.ts'
import type { ConsoleContext } from './console-context.ts'

type CodesContext = Pick<ConsoleContext, 'store' | 'events'>

/** Makes new codes, which are shown this once; those from before end. */
export async function makeRecoveryCodes(
  { store, events }: CodesContext,
  administrator: AdministratorRow,
  address: string,
): Promise<readonly string[]> {
  const actor = { name: administrator.email, address }
  const codes = newRecoveryCodes()
  const rows = codes.map((code) => ({ administrator_id: administrator.id, hash: recoveryHash(code) }))
  await store.transaction(async (tx) => {
    await forgetRecoveryCodes(tx, administrator.id)
    await tx.insertInto('administrator_recovery_code').values(rows).execute()
    await events.record(tx, event('RecoveryCodesMade', actor, administrator))
  })
  return codes
}

/** Uses a code up and ends the other sessions: whoever needs it may have lost more than the phone. */
export const useRecoveryCode = (
  { store, events }: CodesContext,
  administrator: AdministratorRow,
  { code, from, sid }: { readonly code: string; readonly from: string; readonly sid?: string | undefined },
): Promise<boolean> =>
  store.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('administrator_recovery_code')
      .where('administrator_id', '=', administrator.id)
      .where('hash', '=', recoveryHash(code))
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await endSessionsOf(tx, { who: administrator.id }, sid === undefined ? {} : { but: sid })
    const actor = { name: administrator.email, address: from }
    await events.record(tx, event('RecoveryCodeUsed', actor, administrator))
    return true
  })

export async function recoveryCodesLeft(db: Db<AdministratorTables>, id: string): Promise<number> {
  const { left } = await db
    .selectFrom('administrator_recovery_code')
    .select((row) => row.fn.countAll<string | number>().as('left'))
    .where('administrator_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(left)
}
