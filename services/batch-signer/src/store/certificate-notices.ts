import type { Db } from '@chancela/service-kernel/store'
import type { Tables } from './tables.ts'

/** A notice before the end of a certificate, as many days before as `notice` says. */
interface CertificateNotice {
  readonly profile: string
  readonly thumbprint: string
  readonly notice: number
  readonly now: Date
}

/** Remembers a notice; false when it was given before, by this or another instance. */
export async function rememberNotice(
  db: Db<Tables>,
  { profile, thumbprint, notice, now }: CertificateNotice,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('certificate_notice')
    .values({ profile_name: profile, thumbprint, days: notice, noticed_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
