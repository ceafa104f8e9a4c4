import { mkdir, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import { notify } from '../adapter.ts'
import type { OpenStoreOptions } from '../open-store.ts'
import type { Store } from '../store.ts'
import { databasePath, MEMORY } from './database-path.ts'
import { SqliteStoreDialect } from './dialect.ts'
import { openSqlite, type SqliteConnection } from './open-sqlite.ts'
import { patiently } from './patience.ts'
import { keepPrivate } from './private-files.ts'
import { damagedProblem, sqliteProblem } from './problems.ts'
import { shareFile } from './shared-file.ts'

/** Opens the SQLite file of a service, creating file and folder when absent. */
export async function openSqliteStore<Tables>(options: OpenStoreOptions): Promise<Store<Tables>> {
  const path = databasePath(options)
  try {
    const connection = await openSound(options, path)
    return sqliteStore<Tables>(options.service, connection, path === MEMORY ? path : await realpath(path))
  } catch (error) {
    throw sqliteProblem(options.service, path, error) ?? error
  }
}

async function openSound({ service, onExposed }: OpenStoreOptions, path: string): Promise<SqliteConnection> {
  if (path !== MEMORY) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const exposed = await keepPrivate(path)
    if (exposed.length > 0) onExposed?.(exposed)
  }
  const connection = await patiently(() => openSqlite(path))
  try {
    const found = await patiently(() => firstDamage(connection, path))
    if (found) throw damagedProblem(service, path, found)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Files up to this size are checked page by page at every opening; larger ones only by header. */
const QUICK_CHECK_BYTES = 32 * 1024 * 1024

async function firstDamage(connection: SqliteConnection, path: string): Promise<string | undefined> {
  connection.prepare('select count(*) from sqlite_schema').all()
  if (path === MEMORY || (await stat(path)).size > QUICK_CHECK_BYTES) return undefined
  const [verdict] = connection.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
  return verdict?.quick_check === 'ok' ? undefined : (verdict?.quick_check ?? 'no verdict')
}

function sqliteStore<Tables>(service: string, connection: SqliteConnection, path: string): Store<Tables> {
  const file = shareFile(path)
  const dialect = new SqliteStoreDialect(connection, file)
  const db = new Kysely<Tables>({ dialect })
  const stops = new Set<() => void>()
  let closed: Promise<void> | undefined
  const close = async () => {
    for (const stop of stops) stop()
    await dialect.settled()
    await file.lock.take()
    file.lock.release()
    file.leave()
    connection.close()
  }
  return {
    dialect: 'sqlite',
    service,
    db,
    transaction: (work) => db.transaction().execute(work),
    version: async () => `SQLite ${await scalar(db)}`,
    notify,
    listen: (channel, wake) => {
      const stop = file.channels.add(channel, wake)
      stops.add(stop)
      return () => {
        stops.delete(stop)
        stop()
      }
    },
    problem: (error) => sqliteProblem(service, path, error),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

async function scalar<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
  return rows[0]!.version
}
