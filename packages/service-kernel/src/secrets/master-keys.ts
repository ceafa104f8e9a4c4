// Master keys and databases belong together. A database names the keys it needs, each with a canary: a known text sealed
// under it. So a start finds at once, whatever the size of the tables, that a key is missing or is another one.
import { type Kysely, sql } from 'kysely'
import { StartupProblem } from '../errors/index.ts'
import type { Check } from '../health/index.ts'
import { type Migration, type Store, storeOf, tablesOf } from '../store/index.ts'
import { createKeyFile } from './key-file.ts'
import { type KeyRing, type MasterKey, newestOf } from './key-ring.ts'
import { fileRing, findKeys, type Secrets, type SecretsOptions, secretsUnder } from './open-secrets.ts'
import { keysInUse, type SealedTable } from './reseal-table.ts'
import { openText, sealText } from './sealed-text.ts'
import { SecretProblem } from './secret-problem.ts'

interface MasterKeyRow {
  key_id: string
  /** Counts up: which of two keys came later. */
  position: number
  /** A known text sealed under the key; null for one that was given up and never at hand. */
  canary: string | null
  /** When an operator gave up what this key sealed. */
  forgotten_at: string | null
}

interface MasterKeyTables {
  master_key: MasterKeyRow
}

/** Owner `master-keys` of the migration set of every service with a database. */
export const masterKeyMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'master-keys',
    breaking: false,
    up: async (db) => {
      await sql`create table master_key (
        key_id text primary key,
        position integer not null,
        canary text,
        forgotten_at text
      )`.execute(db)
    },
  },
]

/** A service on its database: where its keys come from, and what it seals. */
export interface MasterKeysOptions extends SecretsOptions {
  readonly tables: readonly SealedTable[]
}

/** The master keys of a service whose database they fit. */
export interface MasterKeys {
  readonly secrets: Secrets
  /** Whether they still do; for readiness, under the name `master-key`. */
  readonly check: Check
}

const keyStore = storeOf<MasterKeyTables>()

/**
 * Opens the master keys of a migrated database. A StartupProblem when it needs a key that is not at hand: a new one is
 * made only for a database that has none.
 */
export async function openMasterKeys<Tables>(store: Store<Tables>, options: MasterKeysOptions): Promise<MasterKeys> {
  const own = keyStore(store)
  const seen = await keysAtTheEnds(store, options.tables)
  await dropRetiredByHand(own, options, seen)
  const ring = await own.transaction(async (tx) => {
    // Of two machines that start at once on a new database only one makes a key.
    if (own.dialect === 'postgres') await sql`lock table master_key in share row exclusive mode`.execute(tx)
    const rows = await recordedKeys(tx)
    const found = fittingKeys(options, rows, seen)
    await record(tx, options.service, { keys: keysToRecord(found(), rows, seen), after: lastPosition(rows) })
    return found
  })
  return { secrets: secretsUnder(ring), check: masterKeyCheck(own, options, ring) }
}

const recordedKeys = (db: Kysely<MasterKeyTables>): Promise<MasterKeyRow[]> =>
  db.selectFrom('master_key').selectAll().orderBy('key_id').execute()

/** The keys at hand, all that the database needs among them; a new one when it needs none and none is there. */
function fittingKeys(
  options: MasterKeysOptions,
  rows: readonly MasterKeyRow[],
  seen: ReadonlySet<string>,
): () => KeyRing {
  const found = findKeys(options)
  const missing = missingKeys(options.service, found?.() ?? [], rows, seen)
  if (missing.length > 0) throw notAtHand(options, missing, found !== undefined)
  return found ?? fileRing(options, createKeyFile(options))
}

/** The ids of needed keys that are absent, or have these ids and other bytes. */
function missingKeys(
  service: string,
  ring: readonly MasterKey[],
  rows: readonly MasterKeyRow[],
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  const given = new Map(rows.map((row) => [row.key_id, row]))
  const needed = new Set([...given.keys(), ...seen])
  return [...needed].filter((id) => {
    const row = given.get(id)
    if (row && row.forgotten_at !== null) return false
    const key = ring.find((one) => one.id === id)
    return !key || !opensCanary(service, key, row?.canary)
  })
}

const canaryContext = (service: string, keyId: string): string => `${service}/master_key/${keyId}/canary`

function opensCanary(service: string, key: MasterKey, canary: string | null | undefined): boolean {
  if (canary === null || canary === undefined) return true
  try {
    openText([key], canary, canaryContext(service, key.id))
    return true
  } catch (error) {
    if (error instanceof SecretProblem) return false
    throw error
  }
}

/** The key that seals, and those that values were seen under, as far as they are not recorded yet. */
function keysToRecord(ring: KeyRing, rows: readonly MasterKeyRow[], seen: ReadonlySet<string>): readonly MasterKey[] {
  const recorded = new Set(rows.filter((row) => row.forgotten_at === null).map((row) => row.key_id))
  const used = ring.filter((key) => key === newestOf(ring) || seen.has(key.id))
  return used.filter(({ id }) => !recorded.has(id))
}

const lastPosition = (rows: readonly MasterKeyRow[]): number => Math.max(0, ...rows.map((row) => row.position))

async function record(
  db: Kysely<MasterKeyTables>,
  service: string,
  { keys, after }: { readonly keys: readonly MasterKey[]; readonly after: number },
): Promise<void> {
  for (const [index, key] of keys.entries()) {
    const canary = sealText([key], Buffer.from('canary'), canaryContext(service, key.id))
    const values = { canary, position: after + 1 + index, forgotten_at: null }
    await db
      .insertInto('master_key')
      .values({ key_id: key.id, ...values })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet(values))
      .execute()
  }
}

/**
 * Keys that were retired without the database being told, as by hand, are older than one at hand, and nothing is sealed
 * under them any more. Only then every value is looked at. A later key that is missing is one that another machine
 * made a moment ago: it is never dropped here.
 */
async function dropRetiredByHand(
  store: Store<MasterKeyTables>,
  options: MasterKeysOptions,
  seen: ReadonlySet<string>,
): Promise<void> {
  const [rows, ring] = [await recordedKeys(store.db), findKeys(options)?.() ?? []]
  const missing = missingKeys(options.service, ring, rows)
  const latest = latestAtHand(ring, rows, { missing, seen })
  const older = rows.filter((row) => missing.includes(row.key_id) && row.position < latest)
  if (older.length === 0) return
  const inUse = await keysInUse(store, options.tables)
  const unused = older.filter((row) => !inUse.has(row.key_id))
  await dropKeys(store, unused)
}

/** A key that values are sealed under and that is not recorded yet is later than those that are. */
function latestAtHand(
  ring: readonly MasterKey[],
  rows: readonly MasterKeyRow[],
  { missing, seen }: { readonly missing: readonly string[]; readonly seen: ReadonlySet<string> },
): number {
  const recorded = new Set(rows.map((row) => row.key_id))
  if (ring.some(({ id }) => seen.has(id) && !recorded.has(id))) return Number.POSITIVE_INFINITY
  return lastPosition(rows.filter((row) => row.forgotten_at === null && !missing.includes(row.key_id)))
}

function notAtHand(options: MasterKeysOptions, ids: readonly string[], isFileThere: boolean): StartupProblem {
  const { service, masterKey, masterKeyFile: file } = options
  const giving = masterKey === undefined ? fromFile(file, isFileThere) : directly
  const setting = `${service} ${giving.setting}`
  const givenUp = `chancela secrets forget ${service} ${ids.join(' ')}`
  return new StartupProblem(
    `${setting}: ${belongsTo(ids)}, ${giving.fault}; ${giving.remedy}. What a key that is lost for good has sealed is given up by "${givenUp}".`,
    { setting },
  )
}

const fromFile = (file: string, isFileThere: boolean) => ({
  setting: 'Secrets:MasterKeyFile',
  fault: isFileThere ? `which the file ${file} does not hold` : `and the file ${file} does not exist`,
  remedy: 'copy the file from the machine that worked with this database, or restore it from its backup',
})

const directly = {
  setting: 'Secrets:MasterKey',
  fault: 'which the setting does not give',
  remedy: 'put it before the others, separated by a comma',
} as const

const belongsTo = (ids: readonly string[]): string =>
  `the database is sealed under the master key${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`

const masterKeyCheck =
  (store: Store<MasterKeyTables>, { service }: MasterKeysOptions, ring: () => KeyRing): Check =>
  async () => {
    const missing = missingKeys(service, ring(), await recordedKeys(store.db))
    if (missing.length === 0) return { ok: true, detail: `Master key ${newestOf(ring()).id} seals.` }
    return { ok: false, detail: `Of what ${belongsTo(missing)}, this process can open nothing: it lacks the key.` }
  }

/** Rows looked at from either end of a table. */
const ROWS = 200

/** How a sealed value begins, up to the id of its key. */
const BEGINNING = /^v\d\.([0-9a-f]{8})\.$/
const BEGINNING_LENGTH = 12

type AnyRow = Record<string, unknown>

/**
 * The ids of keys that the oldest and the newest values of each table are sealed under: for databases from before keys
 * were recorded, and for a key that was put into a file by hand. Bounded, because every start pays for it.
 */
async function keysAtTheEnds<Tables>(
  store: Store<Tables>,
  tables: readonly SealedTable[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const table of tables)
    for (const end of ['asc', 'desc'] as const)
      for (const row of await beginningsOf(store, table, end)) for (const text of Object.values(row)) addKey(ids, text)
  return ids
}

function addKey(ids: Set<string>, beginning: unknown): void {
  const [, id] = BEGINNING.exec(String(beginning)) ?? []
  if (id) ids.add(id)
}

const beginningsOf = <Tables>(
  { db }: Store<Tables>,
  { table, idColumn, columns }: SealedTable,
  end: 'asc' | 'desc',
): Promise<AnyRow[]> =>
  tablesOf<{ row: AnyRow }>()(db)
    .selectFrom(table as 'row')
    .select(columns.map((column) => sql`substr(${sql.ref(column)}, 1, ${BEGINNING_LENGTH})`.as(column)))
    .orderBy(idColumn, end)
    .limit(ROWS)
    .execute() as Promise<AnyRow[]>

/** Rows of keys that nothing needs any more, before `retireOldKeys` drops the keys themselves. */
export async function dropUnusedKeys<Tables>(store: Store<Tables>, inUse: ReadonlySet<string>): Promise<void> {
  const own = keyStore(store)
  await dropKeys(
    own,
    (await recordedKeys(own.db)).filter(({ key_id }) => !inUse.has(key_id)),
  )
}

async function dropKeys({ db }: Store<MasterKeyTables>, rows: readonly MasterKeyRow[]): Promise<void> {
  for (const { key_id } of rows) await db.deleteFrom('master_key').where('key_id', '=', key_id).execute()
}

/** The ids of keys that an operator gave up. */
export async function forgottenKeys<Tables>(store: Store<Tables>): Promise<ReadonlySet<string>> {
  const rows = await recordedKeys(keyStore(store).db)
  return new Set(rows.filter((row) => row.forgotten_at !== null).map((row) => row.key_id))
}

/** Gives up what these keys sealed, so that the service starts without them. Only keys that are needed and not at hand. */
export async function forgetKeys<Tables>(
  store: Store<Tables>,
  options: MasterKeysOptions,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<void> {
  const { db } = keyStore(store)
  const inUse = await keysInUse(store, options.tables)
  const missing = missingKeys(options.service, findKeys(options)?.() ?? [], await recordedKeys(db), inUse)
  const [other] = ids.filter((id) => !missing.includes(id))
  if (other !== undefined) throw new StartupProblem(notMissing(options.service, other, missing))
  const forgotten_at = now.toISOString()
  for (const key_id of ids)
    await db
      .insertInto('master_key')
      .values({ key_id, position: 0, canary: null, forgotten_at })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ forgotten_at }))
      .execute()
}

const notMissing = (service: string, id: string, missing: readonly string[]): string =>
  `${service} does not miss the master key ${id}; it misses ${missing.length === 0 ? 'none' : missing.join(', ')}.`
