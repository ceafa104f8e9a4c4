import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { InputFolder, OutputSettings } from '../rules/input-folders.ts'
import type { Destination, WorkArea } from '../upstream/storage/storage.ts'
import type { FolderDirectory } from './folders/folder-directory.ts'

/** Where outputs go by the input folder of their job, and with which mode, owner and group. */
export interface Destinations {
  of(inputFolder: string | null): Destination
}

const usual: Destination = { folder: null }

/**
 * Refuses a start that could not give outputs what the settings of their folder say. Folders of the dashboard were tried
 * when they were saved, and are followed while the service runs.
 */
export async function openDestinations(
  watched: Pick<FolderDirectory, 'list' | 'get'>,
  work: Pick<WorkArea, 'write' | 'discard'>,
): Promise<Destinations> {
  const known = new WeakMap<InputFolder, Destination>()
  for (const { folder, source } of watched.list())
    if (source === 'Settings') known.set(folder, await destinationOf(folder, work))
  const destination = (folder: InputFolder): Destination => {
    const found = known.get(folder) ?? resolved(folder.name, folder.output)
    known.set(folder, found)
    return found
  }
  return {
    of: (inputFolder) => {
      const folder = inputFolder === null ? undefined : watched.get(inputFolder)?.folder
      return folder ? destination(folder) : usual
    },
  }
}

/** Resolves the names of owner and group, and tries them on a file. */
export async function destinationOf(
  { name, output }: Pick<InputFolder, 'name' | 'output'>,
  work: Pick<WorkArea, 'write' | 'discard'>,
): Promise<Destination> {
  const destination = resolved(name, output)
  if (destination.mode === undefined && destination.owner === undefined && destination.group === undefined)
    return destination
  const probe = randomUUID()
  try {
    // In processing/, whatever the folder: the rights to give a file away are the process's.
    await work.write(probe, [], { ...destination, folder: null })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupProblem(
      `The outputs of the folder ${name} cannot be given their mode, owner or group: ${reason}`,
      {
        setting: 'Storage:Inputs',
        cause: error,
      },
    )
  } finally {
    await work.discard(probe, null)
  }
  return destination
}

const resolved = (name: string, { path, mode, owner, group }: OutputSettings): Destination => ({
  folder: path ?? null,
  ...(mode !== undefined && { mode: Number.parseInt(mode, 8) }),
  ...(owner !== undefined && { owner: idOf(name, 'passwd', owner) }),
  ...(group !== undefined && { group: idOf(name, 'group', group) }),
})

const databases = {
  passwd: { what: 'user', setting: 'Storage:Inputs:OutputOwner' },
  group: { what: 'group', setting: 'Storage:Inputs:OutputGroup' },
} as const

/** A number, or a name that the system knows, also from a directory of the network. */
function idOf(folder: string, database: keyof typeof databases, name: string): number {
  if (/^[0-9]+$/.test(name)) return Number(name)
  try {
    const line = execFileSync('getent', ['--', database, name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(line.split(':')[2])
  } catch (cause) {
    const { what, setting } = databases[database]
    const sentence = `The folder ${folder} names the ${what} ${name}, which this system does not know.`
    throw new StartupProblem(sentence, { setting, cause })
  }
}
