import type { Db } from '@chancela/service-kernel/store'
import { sql, type Transaction } from 'kysely'
import { type AuditContent, CHAIN_BEGIN, type ChainPlace } from '../rules/audit-chain.ts'
import type { AuditChainRow, AuditEntryRow, Tables } from './tables.ts'

type Tx = Transaction<Tables>

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
    insert into audit_chain as c (organization_id, number, hash, swept_number, swept_hash)
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
  await tx.updateTable('audit_chain').set({ hash }).where('organization_id', '=', entry.organization_id).execute()
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

export const chainOf = (db: Db<Tables>, organizationId: string): Promise<AuditChainRow | undefined> =>
  db.selectFrom('audit_chain').selectAll().where('organization_id', '=', organizationId).executeTakeFirst()

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

/**
 * Removes the oldest entries of a chain, up to the first that is young enough, and keeps the place the rest follows. The
 * latest entry stays.
 */
export async function sweepChain(tx: Tx, organizationId: string, before: Date): Promise<void> {
  const chain = await tx
    .updateTable('audit_chain')
    .set(({ ref }) => ({ number: ref('number') }))
    .where('organization_id', '=', organizationId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const young = await tx
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.min<number | null>('number').as('number'))
    .where('organization_id', '=', organizationId)
    .where('at', '>=', before.toISOString())
    .executeTakeFirstOrThrow()
  const last = await tx
    .selectFrom('audit_entry')
    .select(['number', 'hash'])
    .where('organization_id', '=', organizationId)
    .where('number', '<', young.number ?? chain.number)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await tx
    .deleteFrom('audit_entry')
    .where('organization_id', '=', organizationId)
    .where('number', '<=', last.number)
    .execute()
  await tx
    .updateTable('audit_chain')
    .set({ swept_number: last.number, swept_hash: last.hash })
    .where('organization_id', '=', organizationId)
    .execute()
}
