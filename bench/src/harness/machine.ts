import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { median } from './statistics.ts'

/** Where, when and on what code a run was made; figures are useless without these. */
export interface RunSetting {
  /** ISO 8601, UTC. */
  readonly date: string
  /** Commit, marked when the working copy differs from it. */
  readonly commit: string
  /** `compiled` is what users start; figures of `source` are for development only. */
  readonly code: 'compiled' | 'source'
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  /** How long the disk under the databases takes to acknowledge a flush: the price of every durable write. */
  readonly flushMicroseconds: number
  /** Product → version, of what the figures depend on. */
  readonly versions: Readonly<Record<string, string>>
}

export interface SettingOptions {
  readonly now: Date
  /** The checkout whose code is measured. */
  readonly root: string
  readonly code: RunSetting['code']
  /** A folder on the disk the databases will be on. */
  readonly scratchFolder: string
}

/** Describes this machine and this code. */
export function describeSetting({ now, root, code, scratchFolder }: SettingOptions): RunSetting {
  return {
    date: now.toISOString(),
    commit: commitOf(root),
    code,
    cpu: cpus()[0]?.model.trim() || 'unknown CPU',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}, ${type()} ${release()}, ${arch()}`,
    flushMicroseconds: Math.round(medianFlush(join(scratchFolder, 'flush'))),
    versions: { Node: process.versions.node, OpenSSL: process.versions.openssl, SQLite: sqliteVersion() },
  }
}

function commitOf(root: string): string {
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: 'pipe' })
  try {
    const commit = git('rev-parse', '--short=10', 'HEAD').trim()
    // Files that the run itself rewrites do not count as changes of the measured code.
    const changed = git('status', '--porcelain', '--', '.', ':!docs')
    return changed === '' ? commit : `${commit} with local changes`
  } catch {
    return 'unknown (not a git checkout)' // an unpacked release is measured too
  }
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? type()
  } catch {
    return type() // only Linux has this file
  }
}

const FLUSHES = 50

function medianFlush(file: string): number {
  const descriptor = openSync(file, 'w')
  try {
    const block = Buffer.alloc(4096, 1)
    const flush = () => {
      const start = performance.now()
      writeSync(descriptor, block, 0, block.length, 0)
      fdatasyncSync(descriptor)
      return (performance.now() - start) * 1000
    }
    flush() // allocates the block, which costs more than writing it
    return median(Array.from({ length: FLUSHES }, flush))
  } finally {
    closeSync(descriptor)
    rmSync(file)
  }
}

function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:')
  const row = database.prepare('select sqlite_version() as version').get() as { version: string }
  database.close()
  return row.version
}
