import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { defaultHome } from '../home.ts'

/** What the system starts for a person. */
export interface StartupEntry {
  /** Of the file, the unit, the value: one for each folder of an agent. */
  readonly name: string
  readonly home: string
  /** The program and its arguments: the agent as a process that whoever starts it watches. */
  readonly watched: readonly string[]
  /** The same for systems that start once and do not watch. */
  readonly alone: readonly string[]
}

/** The entry of a folder, for the program that these words start. */
export function entryOf(program: readonly string[], folder: string): StartupEntry {
  const home = resolve(folder)
  return {
    name: nameOf(home),
    home,
    watched: [...program, 'run', '--home', home],
    alone: [...program, 'run', '--background', '--home', home],
  }
}

const nameOf = (home: string): string =>
  home === resolve(defaultHome())
    ? 'chancela-agent'
    : `chancela-agent-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`
