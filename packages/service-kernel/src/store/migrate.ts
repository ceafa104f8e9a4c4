import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { type Clock, systemClock } from '../clock/index.ts'
import type { StartupProblem } from '../errors/index.ts'
import { databaseProblem } from './database-problem.ts'
import { tablesOf } from './part-of-store.ts'
import { inMigrationFrame as inPostgresFrame } from './postgres/migration-frame.ts'
import { inMigrationFrame as inSqliteFrame } from './sqlite/migration-frame.ts'
import { checksumOf } from './step-checksum.ts'
import type { Dialect, Migration, MigrationSet, Store } from './store.ts'

/** One step of one owner's schema. */
export interface MigrationStep {
  readonly owner: string
  readonly id: number
  readonly name: string
}

/** A step as a database recorded it. */
export interface RecordedStep extends MigrationStep {
  /** What the step did; null where it was recorded before checksums were. */
  readonly checksum: string | null
}

/** What `migrate` did. */
export interface MigrationReport {
  readonly applied: readonly MigrationStep[]
  readonly alreadyThere: readonly MigrationStep[]
}

/**
 * Migrates the database to the program's schema, or leaves it as it was: all steps share one transaction, which only
 * one process at a time enters. Refuses a database that a newer program has migrated, or one whose steps did something
 * else than they do here.
 */
export async function migrate<Tables>(
  store: Store<Tables>,
  set: MigrationSet,
  clock: Clock = systemClock,
): Promise<MigrationReport> {
  const steps = await stepsOf(set, store.dialect)
  const db = tablesOf<unknown>()(store.db)
  try {
    return await frames[store.dialect](db, store.service, (tx) => bringUp(tx, store, steps, clock))
  } catch (error) {
    throw store.problem(error) ?? error
  }
}

async function bringUp(
  tx: Transaction<unknown>,
  { dialect, service }: { dialect: Dialect; service: string },
  steps: readonly OwnedMigration[],
  clock: Clock,
): Promise<MigrationReport> {
  const recorded = await recordedSteps(migrationTables(tx), dialect)
  refuseOther(service, steps, recorded)
  await fillChecksums(migrationTables(tx), steps, recorded)
  const pending = steps.filter((step) => !recorded.some((row) => isSameStep(row, step)))
  for (const step of pending) await apply(tx, dialect, step, clock())
  return { applied: pending.map(named), alreadyThere: recorded.map(named) }
}

const frames = { sqlite: inSqliteFrame, postgres: inPostgresFrame } as const

/** Refuses recorded steps that this program does not know, knows under another name, or that do something else here. */
export const refuseUnknownSteps = async (
  { service, dialect }: { readonly service: string; readonly dialect: Dialect },
  set: MigrationSet,
  recorded: readonly RecordedStep[],
): Promise<void> => refuseOther(service, await stepsOf(set, dialect), recorded)

interface MigrationTables {
  schema_migration: {
    owner: string
    id: number
    name: string
    breaking: number
    applied_at: string
    checksum: string | null
  }
}

type OwnedMigration = Migration & { readonly owner: string; readonly checksum: string }

function stepsOf(set: MigrationSet, dialect: Dialect): Promise<readonly OwnedMigration[]> {
  const steps = Object.entries(set).flatMap(([owner, migrations]) =>
    migrations.map((migration, index) => {
      if (migration.id !== index + 1) throw new Error(`Migration ${owner} ${migration.id} should have id ${index + 1}.`)
      return { ...migration, owner }
    }),
  )
  return Promise.all(steps.map(async (step) => ({ ...step, checksum: await checksumOf(step, dialect) })))
}

/** Each step of a set with its checksum. */
export const checksumsOf = async (set: MigrationSet, dialect: Dialect): Promise<readonly RecordedStep[]> =>
  (await stepsOf(set, dialect)).map(({ owner, id, name, checksum }) => ({ owner, id, name, checksum }))

const migrationTables = tablesOf<MigrationTables>()

async function recordedSteps(tx: Kysely<MigrationTables>, dialect: Dialect) {
  await sql`create table if not exists schema_migration (
    owner text not null,
    id integer not null,
    name text not null,
    breaking integer not null,
    applied_at text not null,
    checksum text,
    primary key (owner, id)
  )`.execute(tx)
  await addChecksumColumn(tx, dialect)
  return tx.selectFrom('schema_migration').selectAll().orderBy('owner').orderBy('id').execute()
}

const checksumColumn: Readonly<Record<Dialect, RawBuilder<unknown>>> = {
  sqlite: sql`select 1 from pragma_table_info('schema_migration') where name = 'checksum'`,
  postgres: sql`select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'schema_migration' and column_name = 'checksum'`,
}

/** The table is older than the checksums. */
async function addChecksumColumn(tx: Kysely<MigrationTables>, dialect: Dialect): Promise<void> {
  const { rows } = await checksumColumn[dialect].execute(tx)
  if (rows.length === 0) await sql`alter table schema_migration add column checksum text`.execute(tx)
}

/** Steps from before checksums were recorded get theirs now; from then on they cannot change. */
async function fillChecksums(
  tx: Kysely<MigrationTables>,
  steps: readonly OwnedMigration[],
  recorded: readonly RecordedStep[],
): Promise<void> {
  for (const { owner, id, checksum } of steps.filter((step) => lacksChecksum(step, recorded)))
    await tx.updateTable('schema_migration').set({ checksum }).where('owner', '=', owner).where('id', '=', id).execute()
}

const lacksChecksum = (step: MigrationStep, recorded: readonly RecordedStep[]): boolean =>
  recorded.some((row) => isSameStep(row, step) && row.checksum === null)

function refuseOther(service: string, steps: readonly OwnedMigration[], recorded: readonly RecordedStep[]): void {
  for (const row of recorded) {
    const known = steps.find((step) => isSameStep(step, row))
    if (!known) throw newerDatabase(service, row)
    if (known.name !== row.name) throw otherHistory(service, row, known)
    if (row.checksum !== null && known.checksum !== row.checksum) throw otherContent(service, row)
  }
}

// Non-breaking steps are refused as well: an older program would write rows the newer one does not expect.
const newerDatabase = (service: string, { owner, id, name }: MigrationStep): StartupProblem =>
  databaseProblem(
    service,
    `the database is newer than this program (it has step ${id} "${name}" of ${owner}); start the newer program or name another database.`,
  )

const otherHistory = (service: string, row: MigrationStep, known: MigrationStep): StartupProblem =>
  databaseProblem(
    service,
    `the database belongs to another program (step ${row.id} of ${row.owner} is "${row.name}" there and "${known.name}" here); name another database.`,
  )

const otherContent = (service: string, { owner, id, name }: MigrationStep): StartupProblem =>
  databaseProblem(
    service,
    `the database was migrated by a program whose step ${id} "${name}" of ${owner} did something else than it does here; start that program, or name another database.`,
  )

/** Records the step first: if two processes ever meet here, the second fails on the key before any change. */
async function apply(tx: Transaction<unknown>, dialect: Dialect, step: OwnedMigration, now: Date): Promise<void> {
  const { owner, id, name, breaking, checksum } = step
  await migrationTables(tx)
    .insertInto('schema_migration')
    .values({ owner, id, name, breaking: breaking ? 1 : 0, applied_at: now.toISOString(), checksum })
    .execute()
  await step.up(tx, dialect)
}

const isSameStep = (a: MigrationStep, b: MigrationStep): boolean => a.owner === b.owner && a.id === b.id

const named = ({ owner, id, name }: MigrationStep): MigrationStep => ({ owner, id, name })
