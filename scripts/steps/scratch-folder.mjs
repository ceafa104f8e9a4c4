import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Several times the size of all test data of a run. */
const PLENTY = 8 * 2 ** 30
const NAME = /^chancela-tests-(\d+)-/

/**
 * The folder for the data of a test run: in memory where there is plenty. Durable writes of a service are still
 * flushed, and flushing memory costs nothing; killed processes leave it as they would leave a disk.
 */
export function scratchFolder(memory = '/dev/shm', plenty = PLENTY) {
  if (!hasPlenty(memory, plenty)) return tmpdir()
  removeAbandoned(memory)
  const folder = mkdtempSync(join(memory, `chancela-tests-${process.pid}-`))
  // Like /tmp: a database server runs as a user of its own.
  chmodSync(folder, 0o1777)
  process.once('exit', () => remove(folder))
  return folder
}

/** @param {string} memory
 * @param {number} plenty */
function hasPlenty(memory, plenty) {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) > plenty
  } catch {
    return false // this system has none
  }
}

/** Folders of killed runs would stay until the machine is restarted.
 * @param {string} memory */
function removeAbandoned(memory) {
  for (const name of readdirSync(memory)) {
    const owner = NAME.exec(name)?.[1]
    if (owner && !isRunning(Number(owner))) remove(join(memory, name))
  }
}

/** @param {string} folder */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another user's, or an ending process still writes there: a later run removes it.
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
