import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What ends a process from outside, and the exit code that shells expect then. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Files that are being written under a temporary name. */
const unfinished = new Set<string>()

/** Runs `produce`; what it leaves under the temporary name is gone afterwards, also when the process is asked to stop. */
export async function leavingNothing<Result>(temporary: string, produce: () => Promise<Result>): Promise<Result> {
  if (unfinished.size === 0) watch()
  unfinished.add(temporary)
  try {
    return await produce()
  } finally {
    remove(temporary)
    unfinished.delete(temporary)
    if (unfinished.size === 0) unwatch()
  }
}

const stops = Object.entries(SIGNALS).map(([signal, code]) => [signal, () => process.exit(code)] as const)

// Only while there is something to remove: services stop by handlers of their own. `exit` follows from any end.
function watch(): void {
  for (const [signal, stop] of stops) process.once(signal, stop)
  process.once('exit', removeAll)
}

function unwatch(): void {
  for (const [signal, stop] of stops) process.off(signal, stop)
  process.off('exit', removeAll)
}

function removeAll(): void {
  for (const temporary of unfinished) remove(temporary)
}

/** The file, and those that the engine writes beside it before it has their name (`.NAME.….part`). */
function remove(temporary: string): void {
  rmSync(temporary, { force: true })
  const start = `.${basename(temporary)}.`
  for (const name of namesIn(dirname(temporary))) {
    if (name.startsWith(start) && name.endsWith('.part')) rmSync(join(dirname(temporary), name), { force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // the folder is gone, or may not be read: there is nothing that could be removed
  }
}
