import { randomBytes } from 'node:crypto'
import { SECOND } from '@chancela/service-kernel/clock'
import type { MigrationSet } from '@chancela/service-kernel/store'
import pg from 'pg'
import { inject } from 'vitest'
import { PATIENCE_MS } from '../test-files/patience.ts'
import { askAt } from '../test-run/door.ts'
import { migrateAt, nameOfSet } from './migrated-sets.ts'
import type {} from './vitest-postgres.ts'

/** One database per set and run, made by the first worker that needs it. */
const templates = new Map<string, Promise<string>>()

/** The URL of a new, migrated database. */
export async function copyPostgres(set: MigrationSet): Promise<string> {
  const { url, run } = await server()
  const name = `${run}_template_${nameOfSet(set)}`
  const template = templates.get(name) ?? makeTemplate(name, set)
  templates.set(name, template)
  const copy = `${run}_${randomBytes(8).toString('hex')}`
  // Copying files is three times as fast as logging them, when nothing is forced to the disk.
  await ask(`create database ${copy} template ${await template} strategy file_copy`)
  return urlOf(url, copy)
}

/** Also while somebody is still connected: a test may end with a service that hangs. */
export async function dropPostgres(url: string): Promise<void> {
  await ask(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
}

/** Workers request the same one concurrently: one creates it, and the others wait for the lock. */
async function makeTemplate(name: string, set: MigrationSet): Promise<string> {
  const { url } = await server()
  const client = await (await admin()).connect()
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      // Under another name until it is complete: a worker that dies in between leaves no template behind.
      const draft = `${name}_draft`
      await client.query(`drop database if exists ${draft} with (force)`)
      await client.query(`create database ${draft}`)
      await migrateAt(urlOf(url, draft), set)
      await client.query(`alter database ${draft} rename to ${name}`)
    }
    return name
  } finally {
    // The lock ends with the session.
    client.release(true)
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  url.searchParams.set('connect_timeout', String(PATIENCE_MS / SECOND))
  return url.href
}

interface Server {
  readonly url: string
  /** Prefix of the names of all databases of this run. */
  readonly run: string
}

let asked: Promise<Server> | undefined

function server(): Promise<Server> {
  asked ??= askAt(inject('chancelaPostgresDoor')).then((text) => JSON.parse(text) as Server)
  return asked
}

let pool: pg.Pool | undefined

async function admin(): Promise<pg.Pool> {
  pool ??= new pg.Pool({ connectionString: (await server()).url, max: 2, allowExitOnIdle: true })
  return pool
}

const ask = async (text: string): Promise<unknown> => (await admin()).query(text)
