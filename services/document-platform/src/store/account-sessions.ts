import { randomUUID } from 'node:crypto'
import type { Db } from '@chancela/service-kernel/store'
import type { AccountRow, AccountSessionRow, SignInWay, Tables } from './tables.ts'

/** The browser that somebody signs in at. */
export interface Browser {
  readonly ip: string
  readonly userAgent: string
  /** The session that it has already, which a new one replaces. */
  readonly sessionId: string | undefined
}

/** A session that was not ended, with the account it is of. */
export interface LiveSession {
  readonly account: AccountRow
  readonly sessionId: string
  readonly organizationId: string
  readonly way: SignInWay
  readonly seenAt: string
  readonly provedAt: string | null
}

export async function liveSession(db: Db<Tables>, id: string): Promise<LiveSession | undefined> {
  const row = await db
    .selectFrom('account_session as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .selectAll('a')
    .select(['s.id as sessionId', 's.organization_id as organizationId', 's.way'])
    .select(['s.seen_at as seenAt', 's.proved_at as provedAt'])
    .where('s.id', '=', id)
    .where('s.ended_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { sessionId, organizationId, way, seenAt, provedAt, ...account } = row
  return { account, sessionId, organizationId, way, seenAt, provedAt }
}

/** Browsers name themselves at whatever length. */
const LONGEST_USER_AGENT = 300

interface NewSession extends Browser {
  readonly accountId: string
  readonly organizationId: string
  readonly way: SignInWay
  /** Whether its user just proved who they are, and was not let pass by an identity provider. */
  readonly isProof: boolean
}

/** Begins a session in place of the one that the browser has; its id. */
export async function beginSession(
  db: Db<Tables>,
  { accountId, organizationId, way, isProof, ip, userAgent, sessionId }: NewSession,
  now: Date,
): Promise<string> {
  if (sessionId !== undefined) await endSession(db, { id: sessionId }, now)
  const id = randomUUID()
  const at = now.toISOString()
  await db
    .insertInto('account_session')
    .values({
      id,
      account_id: accountId,
      organization_id: organizationId,
      way,
      created_at: at,
      seen_at: at,
      ip,
      user_agent: userAgent.slice(0, LONGEST_USER_AGENT),
      ended_at: null,
      proved_at: isProof ? at : null,
    })
    .execute()
  return id
}

export const noteSeen = async (db: Db<Tables>, id: string, now: Date): Promise<void> => {
  await db.updateTable('account_session').set({ seen_at: now.toISOString() }).where('id', '=', id).execute()
}

/** The user of a session proved again who they are. */
export const noteProof = async (db: Db<Tables>, id: string, now: Date): Promise<void> => {
  await db.updateTable('account_session').set({ proved_at: now.toISOString() }).where('id', '=', id).execute()
}

export const switchSession = async (db: Db<Tables>, id: string, organizationId: string): Promise<void> => {
  await db.updateTable('account_session').set({ organization_id: organizationId }).where('id', '=', id).execute()
}

const ending = (db: Db<Tables>, now: Date) =>
  db.updateTable('account_session').set({ ended_at: now.toISOString() }).where('ended_at', 'is', null).returningAll()

/** Ends one session, of this account where one is named; the session, if it was alive. */
export const endSession = (
  db: Db<Tables>,
  { id, accountId }: { readonly id: string; readonly accountId?: string },
  now: Date,
): Promise<AccountSessionRow | undefined> =>
  ending(db, now)
    .where('id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst()

/** Ends every session of an account but one; those that were alive. */
export const endSessionsOf = (
  db: Db<Tables>,
  accountId: string,
  { but }: { readonly but?: string | undefined },
  now: Date,
): Promise<readonly AccountSessionRow[]> =>
  ending(db, now)
    .where('account_id', '=', accountId)
    .$if(but !== undefined, (query) => query.where('id', '!=', but!))
    .execute()

/** The sessions of an account that are alive, the latest first. */
export const sessionsOf = (
  db: Db<Tables>,
  accountId: string,
  { begunAfter, seenAfter }: { readonly begunAfter: Date; readonly seenAfter: Date },
) =>
  db
    .selectFrom('account_session as s')
    .innerJoin('organization as o', 'o.id', 's.organization_id')
    .selectAll('s')
    .select('o.name as organization_name')
    .where('s.account_id', '=', accountId)
    .where('s.ended_at', 'is', null)
    .where('s.created_at', '>', begunAfter.toISOString())
    .where('s.seen_at', '>', seenAfter.toISOString())
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id')
    .execute()

const SWEPT_AT_ONCE = 1000

/** Deletes sessions that no browser has used since; true while there may be more. */
export async function sweepSessions(db: Db<Tables>, unseenSince: Date): Promise<boolean> {
  const old = db
    .selectFrom('account_session')
    .select('id')
    .where('seen_at', '<', unseenSince.toISOString())
    .limit(SWEPT_AT_ONCE)
  const { numDeletedRows } = await db.deleteFrom('account_session').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows) === SWEPT_AT_ONCE
}
