import { execFileSync, spawnSync } from 'node:child_process'

/** The user of the server, in the form `spawn` takes; empty when it may run as the current user. */
export type ServerUser = { readonly uid: number; readonly gid: number } | Record<string, never>

/** PostgreSQL refuses to run as root, common in containers and CI: then it runs as the first of these that exists. */
const SUBSTITUTES_FOR_ROOT = ['postgres', 'nobody'] as const

export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {}
  for (const name of SUBSTITUTES_FOR_ROOT) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a user postgres nor a user nobody to run it as.')
}

/** Why the server's user cannot run the program at `path` (a closed folder above it, a missing library), if so. */
export function whyNotRun(user: ServerUser, path: string): string | undefined {
  const { status, error, stderr } = spawnSync(path, ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
  return status === 0 ? undefined : String(error ?? stderr)
}

/** Says whether the server's user can enter the folder. */
export function canEnter(user: ServerUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

function idOf(flag: string, name: string): number | undefined {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    // `id` fails when there is no such user.
    return undefined
  }
}
