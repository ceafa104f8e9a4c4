import { createServer, type Server } from 'node:http'
import { openStore } from '@chancela/service-kernel/store'
import type { TestProject } from 'vitest/node'
import { type RunningPostgres, startPostgres } from '../postgres/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for PostgreSQL; the answer is the URL of the server. */
    chancelaPostgresDoor: string
  }
}

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, started when the first test asks for it, so that runs
 * without such tests do not wait for one. Tests run in other processes and ask over HTTP on the loopback.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<RunningPostgres> | undefined
  const door = await openDoor(() => {
    postgres ??= startAnnounced()
    return postgres
  })
  project.provide('chancelaPostgresDoor', door.url)
  return async () => {
    door.server.close()
    // A failed start has already failed the tests that asked.
    await (await postgres?.catch(() => undefined))?.stop()
  }
}

async function startAnnounced(): Promise<RunningPostgres> {
  const postgres = await startPostgres()
  console.log(`Databases: ${await sqliteVersion()}, PostgreSQL ${postgres.version}`)
  return postgres
}

async function sqliteVersion(): Promise<string> {
  const store = await openStore({ url: 'sqlite::memory:', service: 'version' })
  const version = await store.version()
  await store.close()
  return version
}

async function openDoor(postgres: () => Promise<RunningPostgres>): Promise<{ url: string; server: Server }> {
  const server = createServer(async (_request, response) => {
    try {
      response.end((await postgres()).url)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The door for PostgreSQL has no port.')
  return { url: `http://127.0.0.1:${address.port}`, server }
}
