import { DAY, plus } from '@chancela/service-kernel/clock'
import { type Db, hotStatement } from '@chancela/service-kernel/store'
import type { KnownCertificateRow } from './certificate-tables.ts'
import type { Tables } from './tables.ts'

export const findCertificate = (
  db: Db<Tables>,
  subscriptionId: string,
  thumbprint: string,
): Promise<KnownCertificateRow | undefined> =>
  db
    .selectFrom('known_certificate')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('thumbprint', '=', thumbprint)
    .executeTakeFirst()

const parameters = ({ subscriptionId, thumbprint }: { subscriptionId: string; thumbprint: string }) => [
  subscriptionId,
  thumbprint,
]

/** Asked for every authentication and signature. */
const lastUse = hotStatement<{ subscriptionId: string; thumbprint: string }, { last_at: string }>(
  'last_use_of_certificate',
  {
    sqlite: {
      text: 'select last_at from known_certificate where subscription_id = ? and thumbprint = ?',
      parameters,
    },
    postgres: {
      text: 'select last_at from known_certificate where subscription_id = $1 and thumbprint = $2',
      parameters,
    },
  },
)

/** Whether it was written down within a day: then nobody need wait for that again. */
export async function isWrittenDown(
  db: Db<Tables>,
  subscriptionId: string,
  thumbprint: string,
  now: Date,
): Promise<boolean> {
  const [row] = await lastUse(db, { subscriptionId, thumbprint })
  return row !== undefined && row.last_at > plus(now, -DAY).toISOString()
}

/** Writes it down, or that it was used again. */
export async function writeCertificate(db: Db<Tables>, row: KnownCertificateRow): Promise<void> {
  await db
    .insertInto('known_certificate')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['subscription_id', 'thumbprint']).doUpdateSet({
        last_at: row.last_at,
        // What was known of its issuers stays where nothing is known now.
        ...(row.issuers !== '[]' && { issuers: row.issuers }),
      }),
    )
    .execute()
}

/** Deletes up to `limit` that nobody used since a time; returns how many. */
export async function purgeCertificates(db: Db<Tables>, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('known_certificate')
    .select(['subscription_id', 'thumbprint'])
    .where('last_at', '<', before.toISOString())
    .orderBy('last_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('known_certificate')
    .where(
      ({ refTuple }) => refTuple('subscription_id', 'thumbprint'),
      'in',
      old.$asTuple('subscription_id', 'thumbprint'),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
