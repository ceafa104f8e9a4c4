import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupProblem } from '../../errors/index.ts'
import type { RestoredStore, RestoreStoreOptions } from '../backup-store.ts'
import { databaseProblem } from '../database-problem.ts'
import { type RecordedStep, refuseUnknownSteps } from '../migrate.ts'
import { openAlone, openSettled, type SqliteConnection } from './open-sqlite.ts'
import { isBusy } from './problems.ts'
import { damageIn } from './settle-copy.ts'

interface RestoreFileOptions extends RestoreStoreOptions {
  /** Undefined when the service's database is not a file. */
  readonly target: string | undefined
}

/** The copy is checked before anything is changed; the change itself is one rename. */
export async function restoreFile(options: RestoreFileOptions): Promise<RestoredStore> {
  const { service, target, from, now } = options
  if (target === undefined)
    throw databaseProblem(service, 'only an embedded store (sqlite:<file>) is restored like this.')
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const fresh = `${target}.restoring`
  try {
    await copyDurably(from, fresh)
    await refuseUnfit(options, fresh)
    return { file: target, keptAside: await swap(service, target, fresh, now) }
  } finally {
    await rm(fresh, { force: true })
  }
}

async function copyDurably(from: string, to: string): Promise<void> {
  try {
    await (await open(to, 'w', 0o600)).close()
    await copyFile(from, to)
  } catch (error) {
    throw unfit(from, `cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
  const handle = await open(to, 'r+')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unfit = (from: string, why: string, cause?: unknown) =>
  new StartupProblem(`${from} ${why}; nothing was changed.`, { cause })

async function refuseUnfit({ service, migrations, from }: RestoreFileOptions, copy: string): Promise<void> {
  const damage = damageOf(copy)
  if (damage !== undefined) throw unfit(from, `is not a sound backup: ${damage}`)
  const steps = stepsIn(copy)
  // Only its own tables make it a backup of this service: parts that came later are made by the next start.
  const owners = Object.hasOwn(migrations, service) ? [service] : Object.keys(migrations)
  const missing = owners.filter((owner) => !steps.some((step) => step.owner === owner))
  if (missing.length > 0) throw unfit(from, `is not a backup of ${service}: it has no tables of ${missing.join(', ')}`)
  await refuseUnknownSteps({ service, dialect: 'sqlite' }, migrations, steps)
}

function damageOf(path: string): string | undefined {
  try {
    return damageIn(path)
  } catch (error) {
    // SQLite throws when the file is no database; the operator gets its message.
    return (error as Error).message
  }
}

function stepsIn(path: string): readonly RecordedStep[] {
  const connection = openSettled(path)
  try {
    const named = connection.prepare(`select 1 from sqlite_schema where name = 'schema_migration'`).all()
    if (named.length === 0) return []
    const rows = connection.prepare('select * from schema_migration').all() as (Omit<RecordedStep, 'checksum'> &
      Partial<RecordedStep>)[]
    // A backup from before checksums has no such column.
    return rows.map(({ owner, id, name, checksum = null }) => ({ owner, id, name, checksum }))
  } finally {
    connection.close()
  }
}

async function swap(service: string, target: string, fresh: string, now: Date): Promise<string | undefined> {
  if (!(await exists(target))) return void (await replace(fresh, target))
  const aside = `${target}.before-restore-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  const lock = lockAlone(service, target)
  try {
    await keepAside(target, aside)
    // The old file's companions must not be used with the new one: a checkpointed log is useless, any other is kept.
    for (const end of ['-wal', '-shm', '-journal']) {
      if (lock) await rm(`${target}${end}`, { force: true })
      else if (await exists(`${target}${end}`)) await rename(`${target}${end}`, `${aside}${end}`)
    }
    await replace(fresh, target)
    return aside
  } finally {
    lock?.close()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Keeps services from starting on the old file meanwhile; undefined when the file is too damaged to be locked. */
function lockAlone(service: string, target: string): SqliteConnection | undefined {
  try {
    return openAlone(target)
  } catch (error) {
    if (isBusy(error)) throw databaseProblem(service, `${target} is in use; stop ${service} and restore again.`, error)
    // A damaged file is the reason to restore: it is moved aside unchanged, with the files that belong to it.
    return undefined
  }
}

// A hard link to the old file, so that the name always has a database; a copy where the file system has no hard links.
async function keepAside(target: string, aside: string): Promise<void> {
  try {
    await link(target, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    await copyFile(target, aside, constants.COPYFILE_EXCL)
  }
}

async function replace(fresh: string, target: string): Promise<void> {
  await rename(fresh, target)
  const folder = await open(dirname(target), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
