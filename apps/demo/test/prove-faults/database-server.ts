import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningPostgres, startPostgres } from '@chancela/testkit/postgres'
import pg from 'pg'
import { until } from './suite-process.ts'

/** A PostgreSQL that can be stopped, frozen and made read-only. */
export class DatabaseServer {
  readonly #server: RunningPostgres
  readonly #folder: string
  /** In the place of the first one, once that was stopped. */
  #successor: ChildProcess | undefined

  private constructor(server: RunningPostgres, folder: string) {
    this.#server = server
    this.#folder = folder
  }

  static async start(): Promise<DatabaseServer> {
    // One of its own: that of a test run is not ours to break.
    const server = await startPostgres({ url: undefined })
    const [{ folder }] = await ask<{ folder: string }>(server.url, `select current_setting('data_directory') as folder`)
    return new DatabaseServer(server, folder)
  }

  get url(): string {
    return this.#server.url
  }

  /** Crashes it; the result starts it again, with recovery. */
  async crash(): Promise<() => Promise<void>> {
    const pid = this.#pid
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const { uid, gid } = statSync(this.#folder)
    process.kill(pid, 'SIGQUIT')
    await until(() => !isAlive(pid), 20)
    return async () => {
      const [program, ...args] = command
      const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
      this.#successor = spawn(program!, args, { uid, gid, cwd: join(this.#folder, '..'), env, stdio: 'ignore' })
      await until(
        () =>
          ask(this.url, 'select 1')
            .then(() => true)
            .catch(() => false),
        30,
      )
    }
  }

  /** Stops all its processes without ending them; the result lets them go on. */
  freeze(): () => void {
    const family = [this.#pid, ...childrenOf(this.#pid)]
    for (const pid of family) process.kill(pid, 'SIGSTOP')
    return () => {
      for (const pid of family) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
    }
  }

  /** As a standby that was not promoted; the result makes it writable again. */
  async makeReadOnly(): Promise<() => Promise<void>> {
    const set = async (value: 'on' | 'off') => {
      await ask(this.url, `alter system set default_transaction_read_only = ${value}`)
      await ask(this.url, 'select pg_reload_conf()')
    }
    await set('on')
    return async () => {
      const client = new pg.Client({ connectionString: this.url })
      await client.connect()
      await client.query('set default_transaction_read_only = off')
      await client.query('alter system set default_transaction_read_only = off')
      await client.query('select pg_reload_conf()')
      await client.end()
    }
  }

  async stop(): Promise<void> {
    if (this.#successor) {
      const ended = once(this.#successor, 'exit')
      this.#successor.kill('SIGINT')
      await ended
    }
    await this.#server.stop()
  }

  get #pid(): number {
    return Number(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  }
}

async function ask<Row extends object>(url: string, text: string): Promise<[Row]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows as [Row]
  } finally {
    await client.end()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that nobody has waited for yet is none.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number)
}

function parentOf(name: string): number | undefined {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
