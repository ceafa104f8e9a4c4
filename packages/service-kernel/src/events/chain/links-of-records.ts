// What the chain says of the records of one owner, for who may not see those of the others.
import { sql } from 'kysely'
import { Value } from 'typebox/value'
import type { Db } from '../../store/index.ts'
import { type ChainRow, chainTables } from './chain-tables.ts'
import { type ChainedKind, coveredColumns, coveredRecord } from './chained-kind.ts'
import { type ChainedRecord, digestOf, linkOf, REMOVAL, type Removal, RemovalSchema } from './link.ts'

/** A row that may have a link. */
interface Linkable extends ChainedRecord {
  readonly chain_sequence: number | null
}

/** Whether the links that these rows name are made of them; a row that names none yet is fine. */
export async function fitLinks<Tables>(
  db: Db<Tables>,
  chained: ChainedKind,
  rows: readonly object[],
): Promise<boolean> {
  const linked = (rows as readonly Linkable[]).filter(({ chain_sequence }) => chain_sequence !== null)
  if (linked.length === 0) return true
  const sequences = linked.map(({ chain_sequence }) => Number(chain_sequence))
  const bySequence = await linksAt(db, sequences)
  return linked.every((row, at) => {
    const link = bySequence.get(sequences[at]!)
    const record = coveredRecord(chained, only(chained, row))
    const isOwn = link?.kind === chained.kind && link.record_id === String(row[chained.id])
    return isOwn && link.record_sha256 === digestOf(record) && isWhole(link)
  })
}

async function linksAt<Tables>(db: Db<Tables>, sequences: readonly number[]) {
  const [from, to] = [Math.min(...sequences), Math.max(...sequences)]
  const wanted = sql<boolean>`sequence in (${sql.join(sequences)})`
  const links = chainTables(db).selectFrom('audit_chain').selectAll().where(wanted)
  const found = await links.where('sequence', '>=', from).where('sequence', '<=', to).execute()
  return new Map(found.map((link) => [link.sequence, link]))
}

const isWhole = ({ sequence, kind, record_id, record_sha256, at, previous, link }: ChainRow): boolean =>
  linkOf({ sequence, kind, recordId: record_id, recordSha256: record_sha256, at, previous }) === link

const only = (chained: ChainedKind, row: ChainedRecord): ChainedRecord =>
  Object.fromEntries(
    coveredColumns(chained)
      .split(', ')
      .map((name) => [name, row[name]]),
  )

/** Whether records that are called so in their links are gone, and no removal says why. */
export async function lacksRecords<Tables>(db: Db<Tables>, chained: ChainedKind, id: string): Promise<boolean> {
  const { kind, table } = chained
  // One statement sees a link together with the record that names it, or neither.
  const { rows } = await sql<{ sequence: number }>`select l.sequence from audit_chain l
    where l.kind = ${kind} and l.record_id = ${id} and not exists (
      select 1 from ${sql.id(table)} r where r.chain_sequence = l.sequence and r.${sql.id(chained.id)} = l.record_id)
    `.execute(db)
  if (rows.length === 0) return false
  const ranges = (await removalsIn(db)).flatMap((removal) => removal.ranges)
  return rows.some(({ sequence }) => !ranges.some(([from, to]) => from <= Number(sequence) && Number(sequence) <= to))
}

async function removalsIn<Tables>(db: Db<Tables>): Promise<readonly Removal[]> {
  const removals = chainTables(db).selectFrom('audit_chain').select('removal').where('kind', '=', REMOVAL)
  const values = (await removals.execute()).map(({ removal }) => JSON.parse(removal ?? 'null') as unknown)
  return values.filter((value): value is Removal => Value.Check(RemovalSchema, value))
}
