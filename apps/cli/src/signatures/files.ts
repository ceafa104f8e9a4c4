import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { UsageProblem } from './exit-codes.ts'
import { DASH, pipedBytes, pipedPieces, writeToOutput } from './standard-streams.ts'
import { leavingNothing } from './unfinished-files.ts'

/** One input file, with its path relative to the folder that was named. */
export interface InputFile {
  readonly path: string
  readonly relativePath: string
}

// Temporary files that editors, browsers and office programs leave in a folder.
const IGNORED = /^[.]|^~\$|\.(tmp|part|crdownload|swp)$/i

/** Expands folders recursively, sorted by name; files stay as they were named. */
export async function inputFiles(paths: readonly string[]): Promise<InputFile[]> {
  const found: InputFile[] = []
  if (paths.filter((path) => path === DASH).length > 1) throw new UsageProblem('Standard input (-) can be read once.')
  for (const path of paths) {
    if (path === DASH) {
      found.push({ path, relativePath: 'stdin' })
      continue
    }
    const isFolder = (await access(path, () => stat(path))).isDirectory()
    const files = isFolder ? await filesBelow(path) : [{ path, relativePath: basename(path) }]
    // Success for no file at all would mislead a script.
    if (files.length === 0) throw new StartupProblem(`There is no file in ${path}.`)
    found.push(...files)
  }
  return found
}

export const isFolder = async (path: string): Promise<boolean> => (await kindOf(path)) === 'folder'

/** Whether it is a file on a disk, which has a size. */
export async function isPlainFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false // reading it reports why
  }
}

/** Whether a path is read once, from its beginning: standard input, a named pipe, a terminal. */
async function isPiped(path: string): Promise<boolean> {
  if (path === DASH) return true
  const stats = await access(path, () => stat(path))
  return stats.isFIFO() || stats.isCharacterDevice() || stats.isSocket()
}

export const isFile = async (path: string): Promise<boolean> => (await kindOf(path)) === 'file'

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined // it does not exist or is not readable: reading it reports that
  }
}

async function filesBelow(folder: string): Promise<InputFile[]> {
  const entries = await access(folder, () => readdir(folder, { recursive: true, withFileTypes: true }))
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, relativePath: relative(folder, path) }))
    .filter(({ relativePath }) => !relativePath.split(/[\\/]/).some((name) => IGNORED.test(name)))
    .sort((a, b) => (a.relativePath < b.relativePath ? -1 : 1))
}

/** Reads a file; a failure becomes one sentence. */
export const readInput = async (path: string): Promise<Buffer> =>
  (await isPiped(path)) ? access(path, () => pipedBytes(path)) : access(path, () => readFile(path))

/** The same in pieces, for a file of any size. */
export async function* openInput(path: string): AsyncGenerator<Uint8Array> {
  if (await isPiped(path)) yield await readInput(path)
  else yield* createReadStream(path)
}

/** The same where it is read once: what comes through a pipe is not kept. */
export async function* openOnce(path: string): AsyncGenerator<Uint8Array> {
  yield* (await isPiped(path)) ? pipedPieces(path) : createReadStream(path)
}

/** Enough of a file to detect its format. */
export async function firstBytes(path: string): Promise<Buffer> {
  if (await isPiped(path)) return (await readInput(path)).subarray(0, 1024)
  return access(path, async () => {
    const file = await open(path)
    try {
      return (await file.read(Buffer.alloc(1024), 0, 1024, 0)).buffer
    } finally {
      await file.close()
    }
  })
}

/** Returns the path if the file is readable: a stream would fail too late. */
export async function requireFile(path: string): Promise<string> {
  await firstBytes(path)
  return path
}

export const sizeOf = async (path: string): Promise<number> =>
  (await isPiped(path)) ? (await readInput(path)).length : (await access(path, () => stat(path))).size

/** The digest of a file of any size. */
export const digestOfFile = (algorithm: string, path: string): Promise<Buffer> =>
  access(path, async () => {
    const hash = createHash(algorithm)
    for await (const piece of openInput(path)) hash.update(piece)
    return hash.digest()
  })

export interface WriteOptions {
  /** Whether a file of that name may be replaced. Default no. */
  readonly force?: boolean
}

/** Writes the output atomically, or to standard output (`-`); the content may be a stream. */
export const writeOutput = (
  path: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<void> =>
  path === DASH ? writeToOutput(content) : produceOutput(path, (temporary) => writeFile(temporary, content), options)

/** Lets `produce` write to a temporary name first, then moves the file into place; overwrites only with `force`. */
export async function produceOutput<Result>(
  path: string,
  produce: (temporary: string) => Promise<Result>,
  { force = false }: WriteOptions = {},
): Promise<Result> {
  const temporary = join(dirname(resolve(path)), `.${basename(path)}.${process.pid}.tmp`)
  if (!force) await refuseExisting(path)
  await access(path, () => mkdir(dirname(resolve(path)), { recursive: true }))
  return leavingNothing(temporary, async () => {
    const result = await access(path, () => produce(temporary))
    await access(path, () => (force ? rename(temporary, path) : link(temporary, path)))
    return result
  })
}

async function refuseExisting(path: string): Promise<void> {
  if (await kindOf(path)) throw new StartupProblem(problems.EEXIST!(path))
}

const problems: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} does not exist.`,
  EACCES: (path) => `${path} may not be read or written by this user.`,
  EPERM: (path) => `${path} may not be read or written by this user.`,
  EEXIST: (path) => `${path} exists already; --force replaces it.`,
  EISDIR: (path) => `${path} is a folder.`,
  ENOTDIR: (path) => `${path} lies in something that is no folder.`,
  ENOSPC: (path) => `There is no space left to write ${path}.`,
  ERR_FS_FILE_TOO_LARGE: (path) => `${path} is too large to be read at once.`,
}

/** Runs a file operation; an error the user can fix becomes one sentence. */
async function access<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (cause) {
    const problem = problems[(cause as NodeJS.ErrnoException).code ?? '']
    if (!problem) throw cause
    throw new StartupProblem(problem(path), { cause })
  }
}
