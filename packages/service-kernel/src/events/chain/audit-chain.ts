import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Clock, SECOND } from '../../clock/index.ts'
import { type Db, dialectOf, type HotStatement, hotStatement, insertRows, jsonRows } from '../../store/index.ts'
import { type ChainRow, type ChainTables, chainTables } from './chain-tables.ts'
import { type ChainedKind, coveredColumns, coveredRecord } from './chained-kind.ts'
import {
  BEGINNING,
  type ChainedRecord,
  type ChainHead,
  type ChainLink,
  digestOf,
  linksAfter,
  REMOVAL,
  rangesOf,
  type Unlinked,
} from './link.ts'

/** Records of each kind that get their links in one transaction, during which on SQLite everybody else waits. */
const AT_ONCE = 200

/** Which rows of each kind are deleted: a condition on their table. */
export type Removed = Readonly<Record<string, RawBuilder<SqlBool>>>

/**
 * The chain of a service's records, each link with the digest of a record and of the link before: whoever changes,
 * deletes, adds or reorders what was recorded breaks it. Links are made after the fact, in batches, under a lock that
 * one transaction of the database has at a time, so that several instances continue one chain.
 */
export class AuditChain {
  readonly kinds: readonly ChainedKind[]
  readonly #clock: Clock
  readonly #place: ReadonlyMap<string, Place>

  constructor({ kinds, clock }: { readonly kinds: readonly ChainedKind[]; readonly clock: Clock }) {
    this.kinds = kinds
    this.#clock = clock
    this.#place = new Map(kinds.map((kind) => [kind.kind, placing(kind)]))
  }

  /** Whether records have no link yet. */
  async isWaiting<Tables>(db: Db<Tables>): Promise<boolean> {
    const some = this.kinds.map(({ table }) => sql`exists (select 1 from ${sql.id(table)} where ${UNCHAINED})`)
    const { rows } = await sql<{ waiting: number }>`select ${sql.join(some, sql` or `)} as waiting`.execute(db)
    return rows[0]!.waiting === 1
  }

  /** How many records have no link yet. */
  async countWaiting<Tables>(db: Db<Tables>): Promise<number> {
    const counts = this.kinds.map(({ table }) => sql`(select count(*) from ${sql.id(table)} where ${UNCHAINED})`)
    const { rows } = await sql<{ n: number }>`select ${sql.join(counts, sql` + `)} as n`.execute(db)
    return rows[0]!.n
  }

  /** Seconds that the oldest record without a link has waited; 0 when there is none. */
  async lagSeconds<Tables>(db: Db<Tables>): Promise<number> {
    const oldest = this.kinds.map(
      ({ table, at }) => sql`select min(${sql.id(at)}) as at from ${sql.id(table)} where ${UNCHAINED}`,
    )
    const each = sql.join(oldest, sql` union all `)
    const { rows } = await sql<{ at: string | null }>`select min(at) as at from (${each}) as oldest`.execute(db)
    const at = rows[0]!.at
    return at === null ? 0 : Math.max(0, (this.#clock().getTime() - new Date(at).getTime()) / SECOND)
  }

  /** Links the oldest records that have none; returns how many. The lock is the transaction's until it ends. */
  async append<Tables>(given: Db<Tables>): Promise<number> {
    const tx = chainTables(given)
    await lockChain(tx)
    const found: Found[] = []
    for (const kind of this.kinds) found.push(...(await unchained(tx, kind)))
    if (found.length === 0) return 0
    const inOrder = found.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    const links = await this.#link(tx, inOrder)
    for (const kind of this.kinds) {
      const placed = inOrder.flatMap((one, at) => (one.kind === kind.kind ? [[...one.key, links[at]!.sequence]] : []))
      if (placed.length > 0) await this.#place.get(kind.kind)!(tx, placed)
    }
    return found.length
  }

  /**
   * Before rows are deleted lawfully, in the transaction that deletes them: their links stay, and one more says that
   * they are gone and why. Call it before other rows are locked, so that two of them wait in the same order.
   */
  async removing<Tables>(given: Db<Tables>, reason: string, removed: Removed): Promise<void> {
    const tx = chainTables(given)
    // What came a moment ago leaves its link, too.
    while ((await this.append(tx)) > 0);
    const sequences: number[] = []
    for (const { kind, table } of this.kinds)
      if (removed[kind]) sequences.push(...(await sequencesOf(tx, table, removed[kind])))
    if (sequences.length === 0) return
    const removal = { reason, ranges: rangesOf(sequences.sort((a, b) => a - b)) }
    await this.#link(tx, [{ kind: REMOVAL, recordId: reason, recordSha256: digestOf(removal), removal }])
  }

  async #link(tx: Kysely<ChainTables>, unlinked: readonly Unlinked[]): Promise<readonly ChainLink[]> {
    const links = linksAfter(await headOf(tx), unlinked, this.#clock().toISOString())
    await insertRows(tx, { audit_chain: links.map(rowOf) })
    return links
  }
}

const UNCHAINED = sql.raw('chain_sequence is null')

/** The newest link. */
export async function headOf<Tables>(db: Db<Tables>): Promise<ChainHead> {
  const last = chainTables(db).selectFrom('audit_chain').select(['sequence', 'link']).orderBy('sequence', 'desc')
  return (await last.limit(1).executeTakeFirst()) ?? BEGINNING
}

/** One transaction continues or signs the chain at a time. SQLite's transactions are one at a time by themselves. */
export async function lockChain(tx: Kysely<ChainTables>): Promise<void> {
  if (dialectOf(tx) === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended('chancela audit chain ' || current_schema(), 0))`.execute(tx)
}

interface Found extends Unlinked {
  readonly at: string
  readonly key: readonly unknown[]
}

async function unchained(tx: Kysely<ChainTables>, chained: ChainedKind) {
  const { kind, table, key, id, at } = chained
  const { rows } = await sql<ChainedRecord>`select ${sql.raw(coveredColumns(chained))} from ${sql.id(table)}
    where ${UNCHAINED} order by ${sql.raw([at, ...key].join(', '))} limit ${AT_ONCE}`.execute(tx)
  return rows.map(
    (row): Found => ({
      kind,
      recordId: String(row[id]),
      recordSha256: digestOf(coveredRecord(chained, row)),
      at: String(row[at]),
      key: key.map((column) => row[column]),
    }),
  )
}

async function sequencesOf(tx: Kysely<ChainTables>, table: string, where: RawBuilder<SqlBool>): Promise<number[]> {
  const { rows } = await sql<{ chain_sequence: number }>`select chain_sequence from ${sql.id(table)}
    where ${where} and chain_sequence is not null`.execute(tx)
  return rows.map(({ chain_sequence }) => chain_sequence)
}

const rowOf = ({ sequence, kind, recordId, recordSha256, at, previous, link, removal }: ChainLink): ChainRow => ({
  sequence,
  kind,
  record_id: recordId,
  record_sha256: recordSha256,
  at,
  previous,
  link,
  removal: removal ? JSON.stringify(removal) : null,
})

type Place = HotStatement<readonly (readonly unknown[])[], never>

/** Writes the numbers of links into the rows they are of: one statement for a batch. */
function placing({ table, key, numbers = [] }: ChainedKind): Place {
  const typed = key.map((name) => [name, numbers.includes(name) ? 'bigint' : 'text'] as const)
  const columns = [...typed, ['sequence', 'bigint'] as const]
  const same = key.map((name) => `${table}.${name} = fresh.${name}`).join(' and ')
  const form = (dialect: 'sqlite' | 'postgres') => ({
    text: `update ${table} set chain_sequence = fresh.sequence from ${jsonRows[dialect](columns)} as fresh where ${same}`,
    parameters: (rows: readonly (readonly unknown[])[]) => [JSON.stringify(rows)],
  })
  return hotStatement(`audit_chain_place_${table}`, { sqlite: form('sqlite'), postgres: form('postgres') })
}
