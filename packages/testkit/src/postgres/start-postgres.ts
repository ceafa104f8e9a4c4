import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../tools/free-port.ts'
import { reachableTemporary, type ServerPrograms, serverPrograms } from './server-programs.ts'
import { type ServerUser, serverUser } from './server-user.ts'

/** A PostgreSQL to test with. */
export interface RunningPostgres {
  /** With user, password and database; the user may create databases and schemas. */
  readonly url: string
  /** `18.4` */
  readonly version: string
  /** Stops the server and removes its data; does not touch a server given by the environment. */
  stop(): Promise<void>
}

export interface StartPostgresOptions {
  /** A running server to use instead of starting one. Default: the variable `CHANCELA_TEST_POSTGRES`. */
  readonly url?: string | undefined
  /** The platform package to take the programs from. Default: the installed one. */
  readonly packageFolder?: string
  /** Whether an own server forces writes to the disk, as in production; default true. */
  readonly durable?: boolean
}

/** A real PostgreSQL: the one in `CHANCELA_TEST_POSTGRES`, else a new one on a free port. */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<RunningPostgres> {
  const given = 'url' in options ? options.url : process.env.CHANCELA_TEST_POSTGRES
  if (given) return { url: given, version: await versionOf(given), stop: async () => undefined }
  const user = serverUser()
  const programs = await serverPrograms(user, options.packageFolder)
  const folder = await ownedFolder(user)
  try {
    return await startServer(programs, user, folder, options.durable ?? true)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function startServer(
  programs: ServerPrograms,
  user: ServerUser,
  folder: string,
  durable: boolean,
): Promise<RunningPostgres> {
  const password = randomBytes(12).toString('hex')
  const data = await createData(programs, user, folder, password)
  const port = await freePort()
  const settings = [...serverSettings, ...(durable ? [] : hastySettings)].flatMap((setting) => ['-c', setting])
  const server = spawn(programs.postgres, ['-D', data, '-p', String(port), ...settings], at(user, folder))
  const watch = watchOver(server, folder)
  const stop = async () => {
    await stopServer(server)
    watch.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await readiness(server)
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    return { url, version: await versionOf(url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** As in production where it matters (fsync stays on); otherwise small and on the loopback. */
const serverSettings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']

/** With these a crash of the server or the machine loses data; a crash of its clients does not. */
const hastySettings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off']

// PATH to find the programs' libraries, and the C locale for messages: `readiness` parses the log.
const at = (user: ServerUser, folder: string) => ({
  ...user,
  cwd: folder,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
})

async function ownedFolder(user: ServerUser): Promise<string> {
  const folder = await mkdtemp(join(reachableTemporary(user), 'chancela-test-postgres-'))
  await giveTo(user, folder)
  return folder
}

async function giveTo(user: ServerUser, path: string): Promise<void> {
  if (user.uid !== undefined) await chown(path, user.uid, user.gid)
}

async function createData(programs: ServerPrograms, user: ServerUser, folder: string, password: string) {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  await giveTo(user, passwordFile)
  const flags = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  await promisify(execFile)(programs.initdb, [`--pgdata=${data}`, '--locale=C', ...flags], at(user, folder))
  return data
}

/** Resolves when the server accepts connections; rejects with its log when it ends first. */
function readiness(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('database system is ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code} instead of starting:\n${log}`)))
  })
}

/** Fast shutdown: ends sessions, then stops cleanly. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || !server.pid) return
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  await ended
}

/**
 * Ends the server and removes its data when this process exits without stopping it, killed included: the shell's input
 * is a pipe from this process, which the system always closes. It has a process group of its own, out of reach of
 * Ctrl+C.
 */
function watchOver(server: ChildProcess, folder: string): ChildProcess {
  const script = `cat >/dev/null; kill -INT "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf "$2"`
  const watch = spawn('sh', ['-c', script, 'watch', String(server.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  watch.unref()
  return watch
}

async function versionOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
    return rows[0]!.version.split(' ')[0]!
  } finally {
    await client.end()
  }
}
