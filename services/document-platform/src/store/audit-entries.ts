import type { AuditChain, ChainedKind } from '@chancela/service-kernel/events'
import type { Db, Store } from '@chancela/service-kernel/store'
import { type SqlBool, sql, type Transaction } from 'kysely'
import { type AuditContent, CHAIN_BEGIN, type ChainPlace } from '../rules/audit-chain.ts'
import { auditEventOf } from './audit-event.ts'
import type { AuditEntryRow, OrganizationAuditRow, Tables } from './tables.ts'

type Tx = Transaction<Tables>

/** The entries, as the chain of the service covers them: all of each. A link tells of whose audit it is. */
export const chainedAuditEntries: ChainedKind = {
  kind: 'audit-entry',
  table: 'audit_entry',
  key: ['organization_id', 'number'],
  numbers: ['number'],
  id: 'organization_id',
  at: 'at',
  covered: [
    'organization_id',
    'number',
    'at',
    'kind',
    'actor_type',
    'actor_id',
    'actor_name',
    'ip',
    'subject_kind',
    'subject_id',
    'subject_name',
    'before',
    'after',
    'hash',
  ],
  uncovered: [],
  event: (record) => auditEventOf(record as unknown as AuditEntryRow),
}

/**
 * Appends an entry to the chain of its organization. The row of the chain is the lock: from here to the end of the
 * transaction nobody else appends to it, so that no two entries follow one another's predecessor.
 */
export async function appendEntry(
  tx: Tx,
  content: Omit<AuditContent, 'number'>,
  seal: (previous: string, content: AuditContent) => string,
): Promise<void> {
  const { rows } = await sql<ChainPlace>`
    insert into organization_audit as c (organization_id, number, hash, swept_number, swept_hash)
    values (${content.organization_id}, 1, ${CHAIN_BEGIN}, 0, ${CHAIN_BEGIN})
    on conflict (organization_id) do update set number = c.number + 1
    returning number, hash`.execute(tx)
  const { number, hash: previous } = rows[0]!
  const entry = { ...content, number }
  const hash = seal(previous, entry)
  await tx
    .insertInto('audit_entry')
    .values({ ...entry, hash })
    .execute()
  await tx
    .updateTable('organization_audit')
    .set({ hash })
    .where('organization_id', '=', entry.organization_id)
    .execute()
}

/** Which entries to list; everything given must hold. */
export interface AuditFilter {
  readonly organizationId: string
  readonly kind?: string | undefined
  readonly actorId?: string | undefined
  /** Inclusive. */
  readonly since?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
  /** Entries with a smaller number. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Entries of an organization, the latest first. */
export const listEntries = (
  db: Db<Tables>,
  { organizationId, kind, actorId, since, until, before, limit }: AuditFilter,
): Promise<readonly AuditEntryRow[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .$if(actorId !== undefined, (query) => query.where('actor_id', '=', actorId!))
    .$if(since !== undefined, (query) => query.where('at', '>=', since!.toISOString()))
    .$if(until !== undefined, (query) => query.where('at', '<', until!.toISOString()))
    .$if(before !== undefined, (query) => query.where('number', '<', before!))
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()

export const chainOf = (db: Db<Tables>, organizationId: string): Promise<OrganizationAuditRow | undefined> =>
  db.selectFrom('organization_audit').selectAll().where('organization_id', '=', organizationId).executeTakeFirst()

/** The next entries after a number, up to another. */
export const entriesAfter = (
  db: Db<Tables>,
  organizationId: string,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number | undefined; readonly limit: number },
): Promise<readonly AuditEntryRow[]> =>
  db
    .selectFrom('audit_entry')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('number', '>', after)
    .$if(upTo !== undefined, (query) => query.where('number', '<=', upTo!))
    .orderBy('number')
    .limit(limit)
    .execute()

/** The organizations with entries older than a time. */
export const chainsBefore = async (db: Db<Tables>, before: Date): Promise<readonly string[]> => {
  const found = await db
    .selectFrom('audit_entry')
    .select('organization_id')
    .distinct()
    .where('at', '<', before.toISOString())
    .execute()
  return found.map(({ organization_id }) => organization_id)
}

/** Entries removed in one transaction, which on SQLite blocks everybody else. */
const SWEPT_AT_ONCE = 1000

/**
 * Removes the oldest entries of an organization, up to the first that is young enough, and keeps the place the rest
 * follows; their links stay, and say that they are gone. The latest entry stays. True while there may be more.
 */
export const sweepEntries = (
  store: Store<Tables>,
  chain: AuditChain,
  organizationId: string,
  before: Date,
): Promise<boolean> =>
  store.transaction(async (tx) => {
    const old = await oldestEntries(tx, organizationId, before)
    const last = old.at(-1)
    if (!last) return false
    const which = sql<SqlBool>`organization_id = ${organizationId} and number <= ${last.number}`
    await chain.removing(tx, 'retention', { [chainedAuditEntries.kind]: which })
    await tx.deleteFrom('audit_entry').where(which).execute()
    await tx
      .updateTable('organization_audit')
      .set({ swept_number: last.number, swept_hash: last.hash })
      .where('organization_id', '=', organizationId)
      // Another instance, which waited less for the chain, may have gone further.
      .where('swept_number', '<', last.number)
      .execute()
    return old.length === SWEPT_AT_ONCE
  })

/** Whose time is over: all before the first that is young enough, and before the latest. */
async function oldestEntries(tx: Tx, organizationId: string, before: Date) {
  const own = tx.selectFrom('audit_entry').where('organization_id', '=', organizationId)
  const { number: young } = await own
    .select(({ fn }) => fn.min<number | null>('number').as('number'))
    .where('at', '>=', before.toISOString())
    .executeTakeFirstOrThrow()
  const { number: latest } = await own
    .select(({ fn }) => fn.max<number | null>('number').as('number'))
    .executeTakeFirstOrThrow()
  const oldest = own.select(['number', 'hash']).where('number', '<', young ?? latest ?? 0)
  return oldest.orderBy('number').limit(SWEPT_AT_ONCE).execute()
}
