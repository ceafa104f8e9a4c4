// The suite as a process of its own, with small disks, a list of hosts and a clock that only this process has.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillDisk, pathIn } from '@chancela/testkit/programs'
import type { DemoFile } from '../../src/demo-file.ts'

/** Disks of the suite, in megabytes. What is on none of them is on the machine's own. */
const disks = { log: 64, database: 512, blobs: 256, work: 256 } as const

export type DiskName = keyof typeof disks

export interface SuiteOptions {
  /** Contains a folder per disk, `data/`, and the files `hosts` and `clock`. */
  readonly root: string
  readonly config: string
  readonly only: readonly string[]
  /** Whether it has disks, hosts and a clock of its own, which not every machine allows. */
  readonly isolated: boolean
  /** Disks that are file systems already. */
  readonly mounted?: readonly DiskName[] | undefined
}

/** Compiled, as `npm start` runs it. */
const main = JSON.stringify(join(import.meta.dirname, '../../dist/main.js'))

const program = `import { endSoon, runDemo } from ${main}
process.exitCode = await runDemo(process.argv.slice(1), { onStopped: endSoon })`

const HOSTS = ['127.0.0.1 localhost', '::1 localhost', '127.0.0.1 authorities.test mail.test']

export class SuiteProcess {
  readonly #child: ChildProcess
  readonly #root: string
  readonly #isolated: boolean
  readonly #output: string[] = []
  #ended: string | undefined

  private constructor(child: ChildProcess, { root, isolated }: SuiteOptions) {
    this.#child = child
    this.#root = root
    this.#isolated = isolated
    child.stdout!.on('data', (chunk) => this.#output.push(String(chunk)))
    child.stderr!.on('data', (chunk) => this.#output.push(String(chunk)))
    child.once('exit', (code, signal) => {
      this.#ended = `ended with ${code ?? signal}`
    })
  }

  static async start(options: SuiteOptions): Promise<SuiteProcess> {
    const suite = new SuiteProcess(launched(options), options)
    await until(() => suite.ended !== undefined || suite.output.includes('Ctrl+C stops everything'), 120)
    if (suite.ended !== undefined) throw new Error(`The suite ${suite.ended}:\n${suite.output}`)
    return suite
  }

  get output(): string {
    return this.#output.join('')
  }

  /** How the process ended, which it never should. */
  get ended(): string | undefined {
    return this.#ended
  }

  file(): DemoFile {
    return JSON.parse(readFileSync(join(this.#root, 'data', 'demo.json'), 'utf8')) as DemoFile
  }

  pathOf = (...path: readonly string[]): string => pathIn(this.#child.pid!, join(this.#root, ...path))

  /** Fills a disk; the result makes room again. */
  fill(disk: DiskName): () => void {
    return fillDisk(this.pathOf(disk, 'ballast'))
  }

  /** Makes a disk read-only, or writable again; files that are open for writing keep the system from it for a moment. */
  async remount(disk: DiskName, mode: 'ro' | 'rw'): Promise<void> {
    const command = ['mount', '-o', `remount,${mode}`, join(this.#root, disk)]
    const isDone = () => this.inside(command).then(...answered)
    await until(isDone, 10)
  }

  /** Empties the logs of the SQLite databases into them. */
  async shrinkDatabases(): Promise<void> {
    const folder = join(this.#root, 'database')
    for (const name of readdirSync(this.pathOf('database')).filter((one) => one.endsWith('.db'))) {
      const shrink = ['sqlite3', '-cmd', '.timeout 2000', join(folder, name), 'pragma wal_checkpoint(truncate)']
      await until(async () => (await this.inside(shrink)).startsWith('0|'), 10)
    }
  }

  /** Runs a program that sees what the suite sees. */
  async inside(command: readonly string[]): Promise<string> {
    const entering = ['nsenter', '--target', String(this.#child.pid), '--user', '--mount', '--preserve-credentials']
    const [program, ...args] = this.#isolated ? [...entering, ...command] : command
    return (await promisify(execFile)(program!, args)).stdout
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Lowers the number of files that may be open far below those that are: none opens; the result restores it. */
  exhaustDescriptors(): () => void {
    const pid = String(this.#child.pid)
    const before = spawnSync('prlimit', ['--pid', pid, '--nofile', '--output=SOFT', '--noheadings'], {
      encoding: 'utf8',
    })
    const limit = (soft: string) => spawnSync('prlimit', ['--pid', pid, `--nofile=${soft}:`])
    limit(String(Math.floor(readdirSync(`/proc/${pid}/fd`).length / 2)))
    return () => void limit(before.stdout.trim())
  }

  /** Names stop being resolved; the result brings them back. */
  forgetHosts(): () => void {
    const path = join(this.#root, 'hosts')
    writeFileSync(path, HOSTS.slice(0, 2).join('\n'))
    return () => writeFileSync(path, `${HOSTS.join('\n')}\n`)
  }

  /** Sets the clock of the process off by this much (`+2h`, `-90m`). */
  setClock(offset: string): void {
    writeFileSync(join(this.#root, 'clock'), offset)
  }

  /** Asks it to stop; true when it ended within the time. */
  async stop(seconds: number): Promise<boolean> {
    this.signal('SIGTERM')
    const isOver = await until(() => this.#ended !== undefined, seconds).then(
      () => true,
      () => false,
    )
    if (!isOver) this.signal('SIGKILL')
    return isOver
  }
}

const answered = [() => true, () => false] as const

function launched(options: SuiteOptions): ChildProcess {
  const { root, config, only, isolated, mounted = [] } = options
  for (const disk of Object.keys(disks)) mkdirSync(join(root, disk), { recursive: true })
  writeFileSync(join(root, 'hosts'), `${HOSTS.join('\n')}\n`)
  writeFileSync(join(root, 'clock'), '+0')
  const node = [process.execPath, '--input-type=module', '--eval', program, '--']
  const args = ['--data', join(root, 'data'), '--config', config, '--only', only.join(',')]
  const begin = ['sh', '-c', [...(isolated ? mounting(mounted) : []), ...preparing].join(' && '), root]
  const [first, ...rest] = [...(isolated ? ['unshare', '--map-root-user', '--mount'] : []), ...begin, ...node, ...args]
  return spawn(first!, rest, {
    env: { ...process.env, ...(isolated && clockOf(root)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const mounting = (mounted: readonly string[]): readonly string[] => [
  ...Object.entries(disks)
    .filter(([name]) => !mounted.includes(name))
    .map(([name, size]) => `mount -t tmpfs -o size=${size}m tmpfs "$0/${name}"`),
  'mount --bind "$0/hosts" /etc/hosts',
]

const preparing = ['mkdir -p "$0/work/input" "$0/work/input-remessas" "$0/work/input-sigilo"', 'exec "$@"']

/** The system's clock behind a shift that a file names: what the process, its database and OpenSSL see jumps together. */
const clockOf = (root: string): Readonly<Record<string, string>> => ({
  LD_PRELOAD: 'libfaketimeMT.so.1',
  LD_LIBRARY_PATH: fakeTimeFolder(),
  FAKETIME_TIMESTAMP_FILE: join(root, 'clock'),
  FAKETIME_NO_CACHE: '1',
  // A machine whose clock is set keeps measuring durations by another.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})

function fakeTimeFolder(): string {
  const { stdout } = spawnSync('dpkg', ['-L', 'libfaketime'], { encoding: 'utf8' })
  const path = stdout.split('\n').find((line) => line.endsWith('libfaketimeMT.so.1'))
  if (!path) throw new Error('libfaketime is not installed.')
  return join(path, '..')
}

export async function until(isOver: () => boolean | Promise<boolean>, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isOver())) {
    if (performance.now() > end) throw new Error(`Not so within ${seconds} s: ${isOver}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
