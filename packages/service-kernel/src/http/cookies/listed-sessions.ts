// Sessions that are rows, and sealed cookies that name them: a session whose row is gone is over for every copy of its
// cookie and in every process.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { type Clock, MINUTE, plus } from '../../clock/index.ts'
import { type Db, type Store, writeAlone } from '../../store/index.ts'
import type { App } from '../app.ts'
import { clientAddress } from '../client-address.ts'
import { type CookieSessionOptions, cookieSessions, LONGEST_SESSION } from './cookie-sessions.ts'

/** One row of `cookie_session`. Times are ISO 8601. */
export interface CookieSessionRow {
  id: string
  /** Whose session it is: an id of the service. */
  who: string
  /** How whoever it is appears in a list, such as an address. */
  label: string
  begun_at: string
  /** To the minute. */
  seen_at: string
  /** When a password, a code or an identity provider last showed who it is. */
  proved_at: string
  /** When it ends unless it is used. */
  until: string
  address: string
  user_agent: string
}

/** The table of sessions; a service whose sessions are listed adds it to its own. */
export interface ListedSessionTables {
  cookie_session: CookieSessionRow
}

/** The schema step of the table. */
export async function createListedSessions(db: Kysely<unknown>): Promise<void> {
  const table = db.schema.createTable('cookie_session').addColumn('id', 'text', (column) => column.primaryKey())
  const columns = ['who', 'label', 'begun_at', 'seen_at', 'proved_at', 'until', 'address', 'user_agent'] as const
  await columns.reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table).execute()
  await db.schema.createIndex('cookie_session_who').on('cookie_session').column('who').execute()
  await db.schema.createIndex('cookie_session_until').on('cookie_session').column('until').execute()
}

/** Whose session begins. */
type SessionHolder = Pick<CookieSessionRow, 'who' | 'label'> & {
  /** When they showed who they are. Default now. */
  readonly provedAt?: Date
}

/** What a call's session is, besides its data. */
export interface LiveSession {
  readonly sid: string
  readonly provedAt: Date
}

export interface ListedSessions<Data> {
  /** Begins a session in place of the one that the browser has; the Set-Cookie header. */
  begin(request: FastifyRequest, holder: SessionHolder, data: Data): Promise<string>
  /** The session of a call; undefined without one, for an ended one, and for a cross-site call. */
  find(request: FastifyRequest): Promise<(Data & LiveSession) | undefined>
  /** Ends the session of a call; the Set-Cookie header for its browser. */
  end(request: FastifyRequest): Promise<string>
  /** Renews the cookies of the app's callers while they keep calling. */
  slideOn(app: App): void
}

interface ListedSessionOptions<Tables> extends Omit<CookieSessionOptions, 'ended'> {
  readonly store: Store<Tables>
}

/** A session is noted as seen at most this often, not with every call. */
const SEEN_EVERY = MINUTE

/** Browsers name themselves at whatever length. */
const LONGEST_USER_AGENT = 300

export function listedSessions<Data extends object, Tables extends ListedSessionTables>(
  options: ListedSessionOptions<Tables>,
): ListedSessions<Data> {
  const { clock } = options
  const store = options.store as unknown as Store<ListedSessionTables>
  const cookies = cookieSessions<Data>(options)
  const lasting = { idle: options.idle, longest: options.longest ?? LONGEST_SESSION }

  return {
    async begin(request, { who, label, provedAt }, data) {
      const [before, now] = [cookies.find(request)?.sid, clock()]
      const proved_at = (provedAt ?? now).toISOString()
      const row = { who, label, proved_at, ...newRow(request, now), until: untilOf(now, now, lasting) }
      await store.transaction(async (tx) => {
        await sweep(tx, now)
        if (before !== undefined) await endSession(tx, { id: before })
        await tx.insertInto('cookie_session').values(row).execute()
      })
      return cookies.begin(data, row.id)
    },
    async find(request) {
      const session = cookies.find(request)
      const row = session?.sid === undefined ? undefined : await liveRow(store.db, session.sid, clock())
      if (!row) {
        cookies.forget(request)
        return undefined
      }
      // Whoever may only read must be able to where nothing can be written, such as on a full disk.
      await noteSeen(store, row, lasting, clock).catch((error: unknown) =>
        request.log.warn({ err: error }, 'the use of a session could not be noted'),
      )
      return { ...session!, sid: row.id, provedAt: new Date(row.proved_at) }
    },
    async end(request) {
      const id = cookies.find(request)?.sid
      cookies.forget(request)
      if (id !== undefined) await writeAlone(store, (db) => endSession(db, { id }))
      return cookies.end()
    },
    slideOn: (app) => cookies.slideOn(app),
  }
}

interface Lasting {
  readonly idle: number
  readonly longest: number
}

function newRow(request: FastifyRequest, now: Date) {
  const at = now.toISOString()
  const user_agent = (request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT)
  return { id: randomUUID(), begun_at: at, seen_at: at, address: clientAddress(request), user_agent }
}

const untilOf = (begun: Date, seen: Date, { idle, longest }: Lasting): string =>
  new Date(Math.min(begun.getTime() + longest, seen.getTime() + idle)).toISOString()

const liveRow = (db: Db<ListedSessionTables>, id: string, now: Date): Promise<CookieSessionRow | undefined> =>
  db
    .selectFrom('cookie_session')
    .selectAll()
    .where('id', '=', id)
    .where('until', '>', now.toISOString())
    .executeTakeFirst()

async function noteSeen(
  store: Store<ListedSessionTables>,
  { id, begun_at, seen_at }: CookieSessionRow,
  lasting: Lasting,
  clock: Clock,
): Promise<void> {
  const now = clock()
  if (now < plus(new Date(seen_at), SEEN_EVERY)) return
  const seen = { seen_at: now.toISOString(), until: untilOf(new Date(begun_at), now, lasting) }
  await writeAlone(store, (db) => db.updateTable('cookie_session').set(seen).where('id', '=', id).execute())
}

/** There are as many as people sign in within the longest session. */
const sweep = (db: Db<ListedSessionTables>, now: Date) =>
  db.deleteFrom('cookie_session').where('until', '<=', now.toISOString()).execute()

/** The sessions that are alive, the latest first; of one holder where one is named. */
export const listSessions = (
  db: Db<ListedSessionTables>,
  { who }: { readonly who?: string },
  now: Date,
): Promise<readonly CookieSessionRow[]> =>
  db
    .selectFrom('cookie_session')
    .selectAll()
    .where('until', '>', now.toISOString())
    .$if(who !== undefined, (query) => query.where('who', '=', who!))
    .orderBy('begun_at', 'desc')
    .orderBy('id')
    .execute()

/** Ends one session, of this holder where one is named; what it was, if it was there. */
export const endSession = (
  db: Db<ListedSessionTables>,
  { id, who }: { readonly id: string; readonly who?: string },
): Promise<CookieSessionRow | undefined> =>
  db
    .deleteFrom('cookie_session')
    .where('id', '=', id)
    .$if(who !== undefined, (query) => query.where('who', '=', who!))
    .returningAll()
    .executeTakeFirst()

/** Ends the sessions of a holder, all or all but one; those that were there. */
export const endSessionsOf = (
  db: Db<ListedSessionTables>,
  { who, label }: Partial<Pick<CookieSessionRow, 'who' | 'label'>>,
  { but }: { readonly but?: string } = {},
): Promise<readonly CookieSessionRow[]> => {
  if (who === undefined && label === undefined) throw new Error('Whose sessions end must be said.')
  return db
    .deleteFrom('cookie_session')
    .$if(who !== undefined, (query) => query.where('who', '=', who!))
    .$if(label !== undefined, (query) => query.where('label', '=', label!))
    .$if(but !== undefined, (query) => query.where('id', '!=', but!))
    .returningAll()
    .execute()
}

/** Notes that whoever has the session showed again who they are. */
export const noteProof = async (db: Db<ListedSessionTables>, id: string, now: Date): Promise<void> => {
  await db.updateTable('cookie_session').set({ proved_at: now.toISOString() }).where('id', '=', id).execute()
}
