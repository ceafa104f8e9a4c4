import { type Kysely, sql } from 'kysely'
import { tablesOf } from '../../store/index.ts'
import type { ChainedKind } from './chained-kind.ts'

/** One link; see `ChainLink`. */
export interface ChainRow {
  sequence: number
  kind: string
  record_id: string
  record_sha256: string
  at: string
  previous: string
  link: string
  /** JSON of a `Removal`. */
  removal: string | null
}

/** A key that signs checkpoints; see `AuditKey`. */
export interface AuditKeyRow {
  id: string
  public_key: string
  sealed: string
  made_at: string
}

/** See `Checkpoint`. */
export interface CheckpointRow {
  number: number
  sequence: number
  link: string
  at: string
  key_id: string
  signature: string
}

export interface ChainTables {
  audit_chain: ChainRow
  audit_key: AuditKeyRow
  audit_checkpoint: CheckpointRow
}

export const chainTables = tablesOf<ChainTables>()

/** A step of a service's migrations: the chain. */
export async function createAuditChain(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_chain (
    sequence bigint primary key,
    kind text not null,
    record_id text not null,
    record_sha256 text not null,
    at text not null,
    previous text not null,
    link text not null,
    removal text
  )`.execute(db)
}

/**
 * A step of a service's migrations: rows of the table name their link. New rows name none, and an index has only those,
 * so that whoever writes a record does nothing for the chain, and the chainer finds it without looking at the others.
 */
export async function addChainSequence(
  db: Kysely<unknown>,
  { table, at, key }: Pick<ChainedKind, 'table' | 'at' | 'key'>,
): Promise<void> {
  const name = sql.id(table)
  await sql`alter table ${name} add column chain_sequence bigint`.execute(db)
  await sql`create index ${sql.id(`${table}_unchained`)} on ${name} (${sql.raw([at, ...key].join(', '))})
    where chain_sequence is null`.execute(db)
  // Not unique: a forged number must not stop the chainer; whoever verifies the chain finds it.
  await sql`create index ${sql.id(`${table}_chained`)} on ${name} (chain_sequence)
    where chain_sequence is not null`.execute(db)
}
