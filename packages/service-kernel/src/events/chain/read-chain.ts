import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../store/index.ts'
import { type ChainRow, chainTables } from './chain-tables.ts'
import { type ChainedKind, coveredColumns, coveredRecord } from './chained-kind.ts'
import { CheckpointKeySchema, CheckpointSchema } from './checkpoint.ts'
import { readCheckpointKeys, readCheckpoints } from './checkpoints.ts'
import { type ChainedRecord, type ChainLink, digestOf, LinkSchema, type Removal, RemovalSchema } from './link.ts'

/**
 * A link with the record that names it, if there is one; a record that names a link that is not its own; or, before
 * them, the keys that sign checkpoints, and the checkpoints.
 */
export const EntrySchema = Type.Union([
  Type.Object({ link: LinkSchema, record: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
  Type.Object({ stray: Type.Pick(LinkSchema, ['sequence', 'kind', 'recordId']) }),
  Type.Object({ key: CheckpointKeySchema }),
  Type.Object({ checkpoint: CheckpointSchema }),
])

export type ChainEntry = Static<typeof EntrySchema>

/** Links read at once. */
const PAGE = 500

/** Before every number, forged ones included. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER

/**
 * The chain from its beginning, with the records. The service may go on meanwhile, without a transaction that would
 * hold it up: links are read before the records that name them, so that a record that is missing was deleted before,
 * and the link that says so comes later.
 */
export async function* readChain<Tables>(given: Db<Tables>, kinds: readonly ChainedKind[]): AsyncGenerator<ChainEntry> {
  const db = chainTables(given)
  for (const key of await readCheckpointKeys(db)) yield { key }
  for (const checkpoint of await readCheckpoints(db)) yield { checkpoint }
  for (let last = BEFORE_ALL; ; ) {
    const page = await linksAfter(db, last)
    // The other way round at the end: what names a link there, and finds none afterwards, never had one.
    const beyond = page.length === 0 ? await recordsBetween(db, kinds, { after: last }) : []
    const links = page.length === 0 ? await linksAfter(db, last) : page
    const end = links.at(-1)?.sequence
    if (end === undefined) {
      yield* beyond.map(strayOf)
      return
    }
    yield* joined(links, await recordsBetween(db, kinds, { after: last, upTo: end }))
    last = end
  }
}

type ChainDb = ReturnType<typeof chainTables>

async function linksAfter(db: ChainDb, last: number): Promise<readonly ChainLink[]> {
  const all = db.selectFrom('audit_chain').selectAll().where('sequence', '>', last)
  return (await all.orderBy('sequence').limit(PAGE).execute()).map(linkOfRow)
}

function linkOfRow({ record_id: recordId, record_sha256: recordSha256, removal: text, ...row }: ChainRow): ChainLink {
  const removal = text === null ? undefined : removalIn(text)
  return { ...row, recordId, recordSha256, ...(removal && { removal }) }
}

/** None where somebody put something else there. */
function removalIn(text: string): Removal | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(RemovalSchema, value) ? value : undefined
  } catch {
    return undefined
  }
}

interface NumberedRecord {
  readonly sequence: number
  readonly kind: string
  readonly recordId: string
  readonly record: ChainedRecord
}

async function recordsBetween(
  db: ChainDb,
  kinds: readonly ChainedKind[],
  { after, upTo = Number.MAX_SAFE_INTEGER }: { readonly after: number; readonly upTo?: number },
): Promise<readonly NumberedRecord[]> {
  const found: NumberedRecord[] = []
  for (const chained of kinds) {
    const { kind, table, id } = chained
    const { rows } = await sql<ChainedRecord>`select chain_sequence, ${sql.raw(coveredColumns(chained))}
      from ${sql.id(table)} where chain_sequence > ${after} and chain_sequence <= ${upTo}`.execute(db)
    for (const { chain_sequence, ...row } of rows) {
      const record = coveredRecord(chained, row)
      found.push({ sequence: Number(chain_sequence), kind, recordId: String(record[id]), record })
    }
  }
  return found
}

/** Of several records that name one link, the one it was made of counts. */
function joined(links: readonly ChainLink[], records: readonly NumberedRecord[]): readonly ChainEntry[] {
  const left = new Map<string, NumberedRecord[]>()
  for (const one of records) left.set(placeOf(one), [...(left.get(placeOf(one)) ?? []), one])
  const entries = links.map((link): ChainEntry => {
    const candidates = left.get(placeOf(link)) ?? []
    const own = candidates.find(({ record }) => digestOf(record) === link.recordSha256) ?? candidates[0]
    left.set(
      placeOf(link),
      candidates.filter((one) => one !== own),
    )
    return own ? { link, record: own.record } : { link }
  })
  return [...entries, ...[...left.values()].flat().map(strayOf)]
}

const placeOf = ({ kind, sequence }: { readonly kind: string; readonly sequence: number }) => `${sequence} ${kind}`

const strayOf = ({ sequence, kind, recordId }: NumberedRecord): ChainEntry => ({ stray: { sequence, kind, recordId } })
