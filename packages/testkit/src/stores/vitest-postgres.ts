import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
// By its path: on an unbuilt clone the packages of the suite can only be loaded from tests, not from here.
import { type RunningPostgres, startPostgres } from '../postgres/index.ts'
import { openDoor } from '../test-run/door.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which a test requests PostgreSQL; the answer is the server's URL and this run's database prefix. */
    chancelaPostgresDoor: string
  }
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, started when the first test asks for it, so that runs
 * without such tests do not wait for one. Tests run in other processes and ask over HTTP on the loopback.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = `chancela_test_${randomBytes(4).toString('hex')}`
  let postgres: Promise<RunningPostgres> | undefined
  const door = await openDoor(async () => {
    postgres ??= startAnnounced()
    return JSON.stringify({ url: (await postgres).url, run })
  })
  project.provide('chancelaPostgresDoor', door.url)
  return async () => {
    door.close()
    // A failed start has already failed the tests that needed it.
    const started = await postgres?.catch(() => undefined)
    if (!started) return
    await dropDatabases(started.url, run)
    await started.stop()
  }
}

async function startAnnounced(): Promise<RunningPostgres> {
  // Tests kill services, never the server or the machine: waiting for the disk gains nothing.
  const postgres = await startPostgres({ durable: false })
  console.log(`PostgreSQL ${postgres.version}`)
  return postgres
}

/** Removes our databases from an external server. */
async function dropDatabases(url: string, run: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database')
    for (const { name } of rows.filter(({ name }) => name.startsWith(`${run}_`))) {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  } finally {
    await client.end()
  }
}
