import type { Kysely } from 'kysely'
import { type Store, tablesOf } from '../store/index.ts'
import type { Secrets } from './open-secrets.ts'
import { keyIdOf } from './sealed-text.ts'
import { SecretProblem, type SecretProblemCode } from './secret-problem.ts'

/** A table with sealed values, and how each value's context is made from its row. */
export interface SealedTable<Row = Readonly<Record<string, unknown>>> {
  readonly table: string
  /** Unique and ordered: rows are scanned by it. */
  readonly idColumn: keyof Row & string
  /** Columns that hold sealed text or null. */
  readonly columns: readonly (keyof Row & string)[]
  context(row: Row, column: string): string
}

/** A sealed table, its columns checked against its row type, in the untyped form that rotation takes. */
export const sealedTable = <Row>(table: SealedTable<Row>): SealedTable => table as SealedTable

/** The result for the values of a table. */
export interface ResealReport {
  readonly resealed: number
  readonly alreadyNewest: number
  /** Changed by another writer between reading and writing; that change was kept. */
  readonly changedMeanwhile: number
  /** Values that do not open; left as they are. */
  readonly unopened: readonly UnopenedValue[]
}

interface UnopenedValue {
  readonly id: unknown
  readonly column: string
  readonly code: SecretProblemCode
  /** The id of the value's key, if it could be read. */
  readonly keyId: string | undefined
}

/** Rows read at a time, whose values are replaced in one transaction. */
const BATCH = 200

type Row = Record<string, unknown>
type RowDb = Kysely<{ row: Row }>

const anyRow = tablesOf<{ row: Row }>()

/**
 * Reseals every sealed value of a table under the newest key. It may be interrupted at any time and run again: a value
 * is replaced only if it has not changed since it was read, and both keys stay in the ring throughout.
 */
export async function resealTable<Tables>(
  store: Store<Tables>,
  secrets: Secrets,
  sealed: SealedTable,
): Promise<ResealReport> {
  const report = { resealed: 0, alreadyNewest: 0, changedMeanwhile: 0, unopened: [] as UnopenedValue[] }
  for await (const values of batchesOf(store, sealed)) {
    const attempts = values.map((value) => attempt(secrets, value))
    report.unopened.push(...attempts.flatMap(({ unopened }) => unopened ?? []))
    report.alreadyNewest += attempts.filter(({ value, fresh }) => fresh === value.text).length
    const changes = attempts.filter((one): one is Change => one.fresh !== undefined && one.fresh !== one.value.text)
    const replaced = await replaceAll(store, sealed, changes)
    report.resealed += replaced
    report.changedMeanwhile += changes.length - replaced
  }
  return report
}

/** The ids of the keys that values of these tables are sealed under: what `retireOldKeys` must not drop. */
export async function keysInUse<Tables>(
  store: Store<Tables>,
  tables: readonly SealedTable[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const table of tables) {
    for await (const values of batchesOf(store, table)) for (const { text } of values) addKeyOf(text, ids)
  }
  return ids
}

/** A text that is no sealed value needs no key: none would open it. A later format may, so its problem is thrown. */
function addKeyOf(text: string, ids: Set<string>): void {
  try {
    ids.add(keyIdOf(text))
  } catch (error) {
    if (!(error instanceof SecretProblem && error.code === 'secrets.malformed')) throw error
  }
}

interface SealedValue {
  readonly id: unknown
  readonly column: string
  readonly text: string
  readonly context: string
}

/** Scans a table by its id, so that rows changed or added meanwhile neither repeat nor shift the batches. */
async function* batchesOf<Tables>(store: Store<Tables>, sealed: SealedTable): AsyncGenerator<readonly SealedValue[]> {
  const { table, idColumn } = sealed
  const all = anyRow(store.db)
    .selectFrom(table as 'row')
    .selectAll()
    .orderBy(idColumn)
    .limit(BATCH)
  let rows = await all.execute()
  while (rows.length > 0) {
    yield rows.flatMap((row) => valuesOf(row, sealed))
    rows = rows.length < BATCH ? [] : await all.where(idColumn, '>', rows.at(-1)![idColumn]).execute()
  }
}

function valuesOf(row: Row, { idColumn, columns, context }: SealedTable): SealedValue[] {
  return columns.flatMap((column) => {
    const text = row[column]
    return typeof text === 'string' ? [{ id: row[idColumn], column, text, context: context(row, column) }] : []
  })
}

interface Attempt {
  readonly value: SealedValue
  readonly fresh?: string
  readonly unopened?: UnopenedValue
}

type Change = Attempt & { readonly fresh: string }

function attempt(secrets: Secrets, value: SealedValue): Attempt {
  try {
    return { value, fresh: secrets.reseal(value.text, value.context) }
  } catch (error) {
    if (!(error instanceof SecretProblem)) throw error
    return { value, unopened: { id: value.id, column: value.column, code: error.code, keyId: error.keyId } }
  }
}

async function replaceAll<Tables>(
  store: Store<Tables>,
  where: { readonly table: string; readonly idColumn: string },
  changes: readonly Change[],
): Promise<number> {
  if (changes.length === 0) return 0
  return store.transaction(async (tx) => {
    let replaced = 0
    for (const change of changes) replaced += await replace(anyRow(tx), where, change)
    return replaced
  })
}

/** The old value in the `where` is the lock: another writer's change is not overwritten. */
async function replace(
  tx: RowDb,
  { table, idColumn }: { readonly table: string; readonly idColumn: string },
  { value: { id, column, text }, fresh }: Change,
): Promise<number> {
  const update = tx.updateTable(table as 'row').set({ [column]: fresh })
  const { numUpdatedRows } = await update.where(idColumn, '=', id).where(column, '=', text).executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
