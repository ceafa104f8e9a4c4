import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface PortRange {
  readonly from: number
  readonly to: number
}

/** Below the ports that systems give to connections and to servers that ask for any: nobody gets one of these by chance. */
const PORTS: PortRange = { from: 20_000, to: 32_000 }

/** Who has which port, for test files that run side by side: seconds may pass before a server listens at its port. */
export const RESERVATIONS = join(tmpdir(), 'chancela-ports')

/**
 * A free port of the loopback address, for servers whose address must be known before they listen. No other process
 * that asks here is given it while this one runs.
 */
export async function freePort({ from, to } = PORTS): Promise<number> {
  for (;;) {
    const port = randomInt(from, to)
    if (reserve(port) && (await isFree(port))) return port
  }
}

function reserve(port: number): boolean {
  // Like /tmp: another user's tests reserve there, too.
  if (mkdirSync(RESERVATIONS, { recursive: true })) chmodSync(RESERVATIONS, 0o1777)
  const reservation = join(RESERVATIONS, String(port))
  try {
    writeFileSync(reservation, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    forgetIfAbandoned(reservation)
    return false // another port is found sooner than it is clear who may have this one
  }
}

/** What an ended process had reserved is free for whoever comes upon it next. */
function forgetIfAbandoned(reservation: string): void {
  try {
    const owner = Number(readFileSync(reservation, 'utf8'))
    if (owner && !isRunning(owner)) rmSync(reservation, { force: true })
  } catch {
    // Forgotten meanwhile, or another user's.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  probe.close()
  await once(probe, 'close')
  return true
}
