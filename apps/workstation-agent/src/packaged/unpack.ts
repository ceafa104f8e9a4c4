// The system loads native code from files only: what the package carries is written to a folder of its user, once.
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AgentProblem } from '../agent-problem.ts'

type Environment = Readonly<Record<string, string | undefined>>

const places: Readonly<Record<string, (environment: Environment) => string>> = {
  win32: ({ LOCALAPPDATA }) => join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Chancela', 'agent'),
  darwin: () => join(homedir(), 'Library', 'Caches', 'Chancela', 'agent'),
}

const elsewhere = ({ XDG_CACHE_HOME }: Environment): string =>
  join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'chancela', 'agent')

/** The folder for what a package unpacks. */
export const cacheFolder = (platform: string = process.platform, environment: Environment = process.env): string =>
  (places[platform] ?? elsewhere)(environment)

/** A file with these bytes, in a folder that nobody else may write; the path says which bytes. */
export function unpack(folder: string, name: string, bytes: Buffer): string {
  prepare(folder)
  const file = join(folder, `${digestOf(bytes).slice(0, 16)}-${name}`)
  if (!isThere(file, bytes)) place(file, bytes)
  return file
}

function prepare(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (!lstatSync(folder).isDirectory() || (process.getuid && uid !== process.getuid()))
    throw new AgentProblem(`${folder} must be a folder of the user who runs the agent.`)
  chmodSync(folder, 0o700)
}

/** Whatever was done to the file since, its content is what the package carries, or it is written again. */
function isThere(file: string, bytes: Buffer): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === bytes.length && digestOf(readFileSync(file)) === digestOf(bytes)
}

/** In one step: another agent may be loading it. */
function place(file: string, bytes: Buffer): void {
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, bytes, { mode: 0o600, flag: 'wx' })
  renameSync(unfinished, file)
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
