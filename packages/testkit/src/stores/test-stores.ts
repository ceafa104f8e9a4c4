import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MigrationSet, migrate, openStore, type Store } from '@chancela/service-kernel/store'
import pg from 'pg'
import { afterAll, inject, onTestFinished } from 'vitest'
import type {} from './vitest-postgres.ts'

/** A store with what it takes to open its database once more, as another instance or process would. */
export interface TestStore<Tables> extends Store<Tables> {
  readonly url: string
  /** A second store on the same database, closed after the test as well. */
  reopen(): Promise<Store<Tables>>
}

type OpenTestStore = <Tables>(set?: MigrationSet) => Promise<TestStore<Tables>>

/** Both databases, each call a fresh one, migrated; closed and removed when the test (or, in a hook, the file) ends. */
export const testStores: Readonly<Record<'SQLite' | 'PostgreSQL', OpenTestStore>> = {
  SQLite: async (set) => {
    const folder = await mkdtemp(join(tmpdir(), 'chancela-test-store-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    return openTestStore(`sqlite:${join(folder, 'test.db')}`, 'test-service', set, remove)
  },
  PostgreSQL: async (set) => {
    const url = await postgresUrl()
    const service = `test-${randomBytes(8).toString('hex')}`
    const remove = () => dropSchema(url, service.replaceAll('-', '_'))
    return openTestStore(url, service, set, remove)
  },
}

async function openTestStore<Tables>(
  url: string,
  service: string,
  set: MigrationSet = {},
  remove: () => Promise<void>,
): Promise<TestStore<Tables>> {
  const opened: Store<Tables>[] = []
  const reopen = async () => {
    const store = await openStore<Tables>({ url, service })
    opened.push(store)
    return store
  }
  whenDone(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await remove()
  })
  const store = await reopen()
  await migrate(store, set)
  return { ...store, url, reopen }
}

// Vitest takes an end-of-file hook only while it collects the file, which is when this module is loaded.
const atFileEnd: Array<() => Promise<void>> = []
afterAll(async () => {
  for (const clean of atFileEnd.splice(0)) await clean()
})

function whenDone(clean: () => Promise<void>): void {
  try {
    onTestFinished(clean)
  } catch {
    // Not inside a test: a hook of the file opened the store, so it lives as long as the file.
    atFileEnd.push(clean)
  }
}

let asked: Promise<string> | undefined

function postgresUrl(): Promise<string> {
  asked ??= askForPostgres(inject('chancelaPostgresDoor'))
  return asked
}

async function askForPostgres(door: string): Promise<string> {
  const answer = await fetch(door)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`PostgreSQL did not start: ${text}`)
  return text
}

async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`drop schema if exists ${client.escapeIdentifier(schema)} cascade`)
  } finally {
    await client.end()
  }
}
