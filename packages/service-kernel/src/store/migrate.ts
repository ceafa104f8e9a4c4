import { type Kysely, sql, type Transaction } from 'kysely'
import { type Clock, systemClock } from '../clock/index.ts'
import type { StartupProblem } from '../errors/index.ts'
import { databaseProblem } from './database-problem.ts'
import { tablesOf } from './part-of-store.ts'
import { inMigrationFrame as inPostgresFrame } from './postgres/migration-frame.ts'
import { inMigrationFrame as inSqliteFrame } from './sqlite/migration-frame.ts'
import type { Dialect, Migration, MigrationSet, Store } from './store.ts'

/** One step of one owner's schema. */
export interface MigrationStep {
  readonly owner: string
  readonly id: number
  readonly name: string
}

/** What `migrate` did. */
export interface MigrationReport {
  readonly applied: readonly MigrationStep[]
  readonly alreadyThere: readonly MigrationStep[]
}

/**
 * Migrates the database to the program's schema, or leaves it as it was: all steps share one transaction, which only
 * one process at a time enters. Refuses to start on a database that a newer program has migrated.
 */
export async function migrate<Tables>(
  store: Store<Tables>,
  set: MigrationSet,
  clock: Clock = systemClock,
): Promise<MigrationReport> {
  const steps = stepsOf(set)
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
  const recorded = await recordedSteps(migrationTables(tx))
  refuseNewer(service, steps, recorded)
  const pending = steps.filter((step) => !recorded.some((row) => isSameStep(row, step)))
  for (const step of pending) await apply(tx, dialect, step, clock())
  return { applied: pending.map(named), alreadyThere: recorded.map(named) }
}

const frames = { sqlite: inSqliteFrame, postgres: inPostgresFrame } as const

/** Refuses recorded steps that this program does not know, or knows under another name. */
export const refuseUnknownSteps = (service: string, set: MigrationSet, recorded: readonly MigrationStep[]): void =>
  refuseNewer(service, stepsOf(set), recorded)

interface MigrationTables {
  schema_migration: { owner: string; id: number; name: string; breaking: number; applied_at: string }
}

type OwnedMigration = Migration & { readonly owner: string }

function stepsOf(set: MigrationSet): readonly OwnedMigration[] {
  return Object.entries(set).flatMap(([owner, migrations]) =>
    migrations.map((migration, index) => {
      if (migration.id !== index + 1) throw new Error(`Migration ${owner} ${migration.id} should have id ${index + 1}.`)
      return { ...migration, owner }
    }),
  )
}

const migrationTables = tablesOf<MigrationTables>()

async function recordedSteps(tx: Kysely<MigrationTables>) {
  await sql`create table if not exists schema_migration (
    owner text not null,
    id integer not null,
    name text not null,
    breaking integer not null,
    applied_at text not null,
    primary key (owner, id)
  )`.execute(tx)
  return tx.selectFrom('schema_migration').selectAll().orderBy('owner').orderBy('id').execute()
}

function refuseNewer(service: string, steps: readonly MigrationStep[], recorded: readonly MigrationStep[]): void {
  for (const row of recorded) {
    const known = steps.find((step) => isSameStep(step, row))
    if (!known) throw newerDatabase(service, row)
    if (known.name !== row.name) throw otherHistory(service, row, known)
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

/** Records the step first: if two processes ever meet here, the second fails on the key before any change. */
async function apply(tx: Transaction<unknown>, dialect: Dialect, step: OwnedMigration, now: Date): Promise<void> {
  const { owner, id, name, breaking } = step
  await migrationTables(tx)
    .insertInto('schema_migration')
    .values({ owner, id, name, breaking: breaking ? 1 : 0, applied_at: now.toISOString() })
    .execute()
  await step.up(tx, dialect)
}

const isSameStep = (a: MigrationStep, b: MigrationStep): boolean => a.owner === b.owner && a.id === b.id

const named = ({ owner, id, name }: MigrationStep): MigrationStep => ({ owner, id, name })
