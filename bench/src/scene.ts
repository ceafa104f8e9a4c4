import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '@chancela/testkit/postgres'
import pg from 'pg'
import { parseProcess } from './harness/cpu-time.ts'

/** What the benchmarks of a run share. */
export interface BenchScene {
  /** The repository's root. */
  readonly root: string
  /** Empty folder for database files, logs and scripts; gone when the run ends. */
  readonly folder: string
  /** A PostgreSQL server, started when first asked for. */
  postgres(): Promise<BenchPostgres>
  /** Product → version of the servers that were started. */
  versions(): Promise<Record<string, string>>
  close(): Promise<void>
}

export interface BenchPostgres {
  readonly url: string
  readonly version: string
  /** Its main process, so that its CPU counts as ours; none when the server is on another machine. */
  readonly pids: readonly number[]
  stop(): Promise<void>
}

/**
 * Creates a scene below the repository's cache folder: the temporary folder of many systems is in memory, where a
 * durable write costs nothing and the store benchmarks would measure nothing real.
 */
export async function openScene(root: string): Promise<BenchScene> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'chancela-bench-'))
  let postgres: Promise<BenchPostgres> | undefined
  return {
    root,
    folder,
    postgres: () => {
      postgres ??= startBenchPostgres()
      return postgres
    },
    versions: async () => (postgres ? { PostgreSQL: (await postgres).version } : {}),
    close: async () => {
      await (await postgres)?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startBenchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgres()
  return { ...server, pids: await mainProcess(server.url) }
}

// Every session is a child of the server's main process.
async function mainProcess(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const stat = await readFile(`/proc/${rows[0]?.pid}/stat`, 'utf8')
    return stat.includes('(postgres)') ? [parseProcess(stat).parent] : []
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [] // elsewhere, or a system without /proc
    throw error
  } finally {
    await client.end()
  }
}
