import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { BatchSignerSettings, InputFolderEntry } from '../settings.ts'
import { type IgnoreRules, ignoreRules } from './ignore-rules.ts'
import type { DetailKey } from './reason-texts.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** A watched folder, as configured. */
export interface InputFolder {
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** Milliseconds between two enumerations. */
  readonly pollMs: number
  readonly ignored: IgnoreRules
  /** Suffix of the file that says another one is complete: `a.rem` is taken when `a.rem.ok` is there. */
  readonly readyMarker: string | undefined
  readonly output: OutputSettings
}

/** What is configured for the outputs of a folder. */
export interface OutputSettings {
  /** Absolute; undefined is output/ under the root. */
  readonly path: string | undefined
  readonly mode: string | undefined
  readonly owner: string | undefined
  readonly group: string | undefined
}

/** A folder with a role, under its real path. */
export interface Place {
  /** As a sentence names it: `the input folder default`. */
  readonly what: string
  readonly path: string
}

/** The entries of the settings file in their order; by default one named default at input/ under the root. */
export const configuredEntries = ({
  Storage: { Inputs, Root },
}: Pick<BatchSignerSettings, 'Storage'>): readonly InputFolderEntry[] =>
  Inputs.length > 0 ? Inputs : [{ Name: 'default', Path: join(Root, 'input') }]

/** The folders of the settings file in their order. */
export const inputFolders = (
  settings: Pick<BatchSignerSettings, 'Storage' | 'WatchedFolder'>,
  dataFolder: string,
): readonly InputFolder[] =>
  configuredEntries(settings).map((entry) => inputFolder(entry, settings.WatchedFolder, dataFolder))

/** The folder of an entry, of the settings file or of the dashboard. */
export const inputFolder = (
  input: InputFolderEntry,
  WatchedFolder: BatchSignerSettings['WatchedFolder'],
  dataFolder: string,
): InputFolder => ({
  name: input.Name,
  path: resolve(dataFolder, input.Path),
  pollMs: (input.PollIntervalSeconds ?? WatchedFolder.PollIntervalSeconds) * SECOND,
  ignored: ignoreRules(WatchedFolder, input),
  readyMarker: input.ReadyMarker,
  output: {
    path: input.OutputPath === undefined ? undefined : resolve(dataFolder, input.OutputPath),
    mode: input.OutputMode,
    owner: input.OutputOwner,
    group: input.OutputGroup,
  },
})

/** Where uploads lie until they are signed: nobody watches it, so that none is ever taken for a file of a folder. */
export const uploadFolder = ({ Storage }: Pick<BatchSignerSettings, 'Storage'>, dataFolder: string): string =>
  resolve(dataFolder, Storage.Root, 'uploads')

/** Folders of the service that no input may overlap: files there would be taken in again, or deleted. */
export function workPlaces({ Storage, Backup }: Pick<BatchSignerSettings, 'Storage' | 'Backup'>, dataFolder: string) {
  const work = ['uploads', 'processing', 'output', 'error', 'db'].map((name) => ({
    what: `the work folder ${name}/`,
    path: resolve(dataFolder, Storage.Root, name),
  }))
  const backups = Backup.Path === undefined ? [] : [{ what: 'the folder for backups', path: Backup.Path }]
  const outputs = Storage.Inputs.flatMap(({ Name, OutputPath }) =>
    OutputPath === undefined ? [] : [{ what: `the output folder of ${Name}`, path: resolve(dataFolder, OutputPath) }],
  )
  return [...work, ...outputs, ...backups.map(({ what, path }) => ({ what, path: resolve(dataFolder, path) }))]
}

/** Prevents the start when an input equals, contains or lies inside a folder of the service or another input. */
export function refuseOverlaps(inputs: readonly Place[], others: readonly Place[]): void {
  const problems = inputs.flatMap((input, index) => overlaps(input, [...others, ...inputs.slice(index + 1)]))
  if (problems.length === 0) return
  throw new StartupProblem(
    ['Storage:Inputs: watched folders must stand apart.', ...problems.map(({ message }) => `  ${message}`)].join('\n'),
    {
      setting: 'Storage:Inputs',
    },
  )
}

/** How a folder overlaps others, a sentence each. */
export const overlaps = (input: Place, others: readonly Place[]): readonly Trouble[] =>
  others.flatMap((other) => {
    const how = overlap(input.path, other.path)
    const facts = { what: capital(input.what), path: input.path, other: other.what, otherPath: other.path }
    return how ? [troubleOf(how, facts)] : []
  })

function overlap(path: string, other: string): DetailKey | undefined {
  if (path === other) return 'folders-same'
  if (isInside(path, other)) return 'folders-inside'
  return isInside(other, path) ? 'folders-contain' : undefined
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
