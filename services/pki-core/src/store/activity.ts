// What happened lately, for the admin page.
import { type Db, insertRows, isUniqueViolation, type Store, writeAlone } from '@chancela/service-kernel/store'
import type { KnownCertificateRow } from './certificate-tables.ts'
import { writeCertificate } from './certificates.ts'
import type { AuthenticationEntryRow, ProblemEntryRow, Tables, UsedNonceRow } from './tables.ts'

/** What is written down of an authentication. */
interface AuthenticationRows {
  readonly entry: AuthenticationEntryRow
  readonly nonce: UsedNonceRow | undefined
  readonly certificate: KnownCertificateRow | undefined
}

/** All of it, or nothing: false when the nonce was used before. */
export async function insertAuthenticationEntry(
  store: Store<Tables>,
  { entry, nonce, certificate }: AuthenticationRows,
): Promise<boolean> {
  const rows = { ...(nonce && { used_nonce: [nonce] }), authentication_entry: [entry] }
  const write = (db: Db<Tables>) => insertRows(db, rows)
  try {
    if (certificate === undefined) await writeAlone(store, write)
    else
      await store.transaction(async (tx) => {
        await write(tx)
        await writeCertificate(tx, certificate)
      })
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

export interface AuthenticationFilter {
  readonly subscriptionId?: string | undefined
  readonly outcome?: 'succeeded' | 'failed' | undefined
  /** Id of the last entry of the page before; ids sort by time. */
  readonly before?: string | undefined
  readonly limit: number
}

export type ListedAuthentication = Awaited<ReturnType<typeof listAuthenticationEntries>>[number]

export const listAuthenticationEntries = (
  db: Db<Tables>,
  { subscriptionId, outcome, before, limit }: AuthenticationFilter,
) =>
  db
    .selectFrom('authentication_entry as e')
    .leftJoin('subscription as s', 's.id', 'e.subscription_id')
    .leftJoin('client_application as a', 'a.id', 'e.application_id')
    .leftJoin('security_context as c', 'c.id', 'e.context_id')
    .selectAll('e')
    .select(['s.name as subscription', 'a.name as application', 'c.name as context'])
    .$if(subscriptionId !== undefined, (query) => query.where('e.subscription_id', '=', subscriptionId!))
    .$if(outcome !== undefined, (query) => query.where('e.outcome', outcome === 'failed' ? '!=' : '=', 'Success'))
    .$if(before !== undefined, (query) => query.where('e.id', '<', before!))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()

export interface ProblemFilter {
  readonly exceptionCode?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

export const listProblemEntries = (
  db: Db<Tables>,
  { exceptionCode, before, limit }: ProblemFilter,
): Promise<readonly ProblemEntryRow[]> =>
  db
    .selectFrom('problem_entry')
    .selectAll()
    .$if(exceptionCode !== undefined, (query) => query.where('exception_code', '=', exceptionCode!))
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Deletes up to `limit` of the oldest entries before a time; returns how many. */
export async function purgeEntries(
  db: Db<Tables>,
  table: 'authentication_entry' | 'problem_entry',
  before: Date,
  limit: number,
): Promise<number> {
  const old = db.selectFrom(table).select('id').where('at', '<', before.toISOString()).orderBy('at').limit(limit)
  const { numDeletedRows } = await db.deleteFrom(table).where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Counts for the first page; authentications and problems since a time. */
export async function countActivity(db: Db<Tables>, since: Date) {
  const at = since.toISOString()
  const one = await db
    .selectNoFrom((row) => [
      row
        .selectFrom('subscription')
        .select((of) => of.fn.countAll<number>().as('n'))
        .as('subscriptions'),
      row
        .selectFrom('client_application as c')
        .leftJoin('application_access as a', 'a.application_id', 'c.id')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('a.deleted_at', 'is', null)
        .as('applications'),
      row
        .selectFrom('authentication_entry')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('at', '>=', at)
        .where('outcome', '=', 'Success')
        .as('succeeded'),
      row
        .selectFrom('authentication_entry')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('at', '>=', at)
        .where('outcome', '!=', 'Success')
        .as('failed'),
      row
        .selectFrom('problem_entry')
        .select((of) => of.fn.countAll<number>().as('n'))
        .where('at', '>=', at)
        .as('problems'),
    ])
    .executeTakeFirstOrThrow()
  const { subscriptions, applications, succeeded, failed, problems } = one
  return {
    subscriptions: Number(subscriptions),
    applications: Number(applications),
    authentications: { succeeded: Number(succeeded), failed: Number(failed) },
    problems: Number(problems),
  }
}
