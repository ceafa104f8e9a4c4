import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { StartupProblem } from '../errors/index.ts'
import { formatKeyRing, type KeyRing, newestOf, newMasterKey, parseKeyRing } from './key-ring.ts'

/** A service's master key file, as its settings name it. */
export interface KeyFile {
  readonly service: string
  /** Path of the file (`Secrets:MasterKeyFile`). */
  readonly masterKeyFile: string
}

/** The keys of the file, or undefined when it does not exist. A file that others could read is refused, not fixed. */
export function readKeyFile(file: KeyFile): KeyRing | undefined {
  const descriptor = openExisting(file)
  if (descriptor === undefined) return undefined
  try {
    // Checked through the descriptor: the checked file is the one that is read, even if it is renamed meanwhile.
    refuseUnsafe(file, fstatSync(descriptor))
    return parsed(file, readFileSync(descriptor, 'utf8'))
  } finally {
    closeSync(descriptor)
  }
}

function openExisting(file: KeyFile): number | undefined {
  try {
    // Non-blocking: a pipe under that name would otherwise block the start forever.
    return openSync(file.masterKeyFile, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw problem(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
}

function refuseUnsafe(file: KeyFile, stats: Stats): void {
  if (!stats.isFile()) throw problem(file, 'is not a regular file')
  // Windows has neither owners nor modes in this form.
  if (!process.getuid) return
  if (stats.uid !== process.getuid())
    throw problem(file, `belongs to another user; make it yours (user id ${process.getuid()})`)
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
  if (stats.mode & 0o077) throw problem(file, `can be read by others (mode ${mode}); set it to 0600`)
}

function parsed(file: KeyFile, text: string): KeyRing {
  const ring = parseKeyRing(text)
  if (!ring) throw problem(file, 'must hold one or more 32-byte keys in base64, one per line')
  return ring
}

/**
 * Makes the file with one new key. Two processes that start at once agree on one: it appears complete under its name,
 * and only once.
 */
export function createKeyFile(file: KeyFile): KeyRing {
  const draft = `${file.masterKeyFile}.${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(dirname(file.masterKeyFile), { recursive: true, mode: 0o700 })
    writeDurably(draft, formatKeyRing([newMasterKey()]))
    linkUnlessThere(draft, file.masterKeyFile)
    syncFolder(file.masterKeyFile)
  } catch (error) {
    throw problem(file, `cannot be created (${(error as NodeJS.ErrnoException).code})`, error)
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(file)!
}

function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    // Another process was first: its key is used, and read next.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The result of a change of the file: the id of the key that seals now, and of the others that still open. */
export interface KeyFileChange {
  readonly newest: string
  readonly others: readonly string[]
}

/**
 * Adds a new key; it seals from now on, in running services too. The old keys stay, so that everything opens at any
 * time. Next: `resealTable` for every table with sealed values, then `retireOldKeys`.
 */
export function rotateMasterKey(file: KeyFile): KeyFileChange {
  return changeKeyFile(file, (ring) => [...ring, newMasterKey(ring)])
}

/** Drops every key but the newest, unless a value is still sealed under one of them (see `keysInUse`). */
export function retireOldKeys(file: KeyFile, inUse: ReadonlySet<string>): KeyFileChange {
  return changeKeyFile(file, (ring) => {
    const newest = newestOf(ring)
    const needed = ring.filter(({ id }) => id !== newest.id && inUse.has(id)).map(({ id }) => id)
    if (needed.length > 0)
      throw problem(file, `has keys that values are still sealed under: ${needed.join(', ')}; re-seal first`)
    return [newest]
  })
}

/** Replaces the file atomically; its draft, which can exist only once, keeps two changes from undoing each other. */
function changeKeyFile(file: KeyFile, change: (ring: KeyRing) => KeyRing): KeyFileChange {
  const path = file.masterKeyFile
  const draft = `${path}.new`
  claimDraft(file, draft)
  try {
    const ring = change(readKeyFile(file) ?? throwAbsent(file))
    writeFileSync(draft, formatKeyRing(ring), { flush: true })
    renameSync(draft, path)
    syncFolder(path)
    return { newest: newestOf(ring).id, others: ring.slice(0, -1).map(({ id }) => id) }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function claimDraft(file: KeyFile, draft: string): void {
  try {
    writeDurably(draft, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw problem(file, `cannot be changed (${code})`, error)
    throw problem(file, `is being changed, or a change was interrupted; if none is under way, remove ${draft}`, error)
  }
}

const throwAbsent = (file: KeyFile): never => {
  throw problem(file, 'does not exist')
}

const writeDurably = (path: string, text: string): void =>
  writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true })

// Without syncing the folder a power failure may lose the file's name, and with it the keys.
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function problem({ service, masterKeyFile }: KeyFile, sentence: string, cause?: unknown): StartupProblem {
  const setting = `${service} Secrets:MasterKeyFile`
  return new StartupProblem(`${setting}: the master key file ${masterKeyFile} ${sentence}.`, { setting, cause })
}
