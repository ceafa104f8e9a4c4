import { Kysely } from 'kysely'
import pg from 'pg'
import { readUrl } from '../../addresses/index.ts'
import { notify } from '../adapter.ts'
import { databaseProblem } from '../database-problem.ts'
import type { OpenStoreOptions } from '../open-store.ts'
import type { Store } from '../store.ts'
import { connectionConfig, placeOf } from './connection.ts'
import { PostgresStoreDialect } from './dialect.ts'
import { postgresProblem } from './problems.ts'
import { schemaOf } from './schema-name.ts'
import { WakeUps } from './wake-ups.ts'

/** Most connections of a store; each costs the server some megabytes. */
const POOL_SIZE = 10

/** Opens the PostgreSQL database of a service; `migrate` creates its schema. */
export async function openPostgresStore<Tables>(options: OpenStoreOptions): Promise<Store<Tables>> {
  const { service, url } = options
  if (!readUrl(url)) throw databaseProblem(service, 'the value is not a URL; encode special characters as %xx.')
  const pool = openPool(options)
  try {
    const server = await checkServer(pool)
    if (server.encoding !== 'UTF8') throw notUtf8(options, server.encoding)
    return postgresStore<Tables>(options, pool, server.version)
  } catch (error) {
    await pool.end()
    throw postgresProblem(service, url, error) ?? error
  }
}

function openPool(options: OpenStoreOptions): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(options), max: POOL_SIZE, idleTimeoutMillis: 30_000 })
  // A lost connection concerns only the query that uses it: the pool replaces it. Without a handler, on the pool for
  // idle connections and on each client for those in use, the loss would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

interface Server {
  readonly version: string
  readonly encoding: string
}

async function checkServer(pool: pg.Pool): Promise<Server> {
  const { rows } = await pool.query<Server>(
    `select split_part(current_setting('server_version'), ' ', 1) as version,
            current_setting('server_encoding') as encoding`,
  )
  return rows[0]!
}

const notUtf8 = ({ service, url }: OpenStoreOptions, encoding: string) =>
  databaseProblem(service, `the database ${placeOf(url)} is encoded in ${encoding}; create it with ENCODING 'UTF8'.`)

function postgresStore<Tables>(options: OpenStoreOptions, pool: pg.Pool, version: string): Store<Tables> {
  const db = new Kysely<Tables>({ dialect: new PostgresStoreDialect(pool) })
  const wakeUps = new WakeUps(connectionConfig(options), schemaOf(options.service))
  let closed: Promise<void> | undefined
  const close = async () => {
    await wakeUps.close()
    await pool.end()
  }
  return {
    dialect: 'postgres',
    service: options.service,
    db,
    transaction: (work) => againAfterDeadlock(() => db.transaction().execute(work)),
    version: async () => `PostgreSQL ${version}`,
    notify,
    listen: (channel, wake) => wakeUps.listen(channel, wake),
    problem: (error) => postgresProblem(options.service, options.url, error),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

/** SQLSTATE (PostgreSQL, appendix A): of transactions that wait for each other the server ends one, and keeps none of it. */
const DEADLOCK = '40P01'
const MOST_TRIES = 5

async function againAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await run()
    } catch (error) {
      if (tries === MOST_TRIES || (error as { readonly code?: unknown }).code !== DEADLOCK) throw error
    }
}
