import { StartupProblem } from '@chancela/service-kernel/errors'
import type { Context } from '../../context.ts'
import {
  configuredEntries,
  type InputFolder,
  inputFolder,
  overlaps,
  type Place,
  workPlaces,
} from '../../rules/input-folders.ts'
import type { Trouble } from '../../rules/trouble.ts'
import type { WatchedFolder } from '../../rules/watched-folder.ts'
import type { InputFolderEntry } from '../../settings.ts'
import { FOLDERS_CHANNEL, readWatchedFolders, type StoredFolder } from '../../store/watched-folders.ts'
import { canonicalPath } from '../../upstream/storage/folders/canonical-path.ts'

/** The watched folders, those of the settings file first, always current. */
export interface FolderDirectory {
  list(): readonly WatchedFolder[]
  get(name: string): WatchedFolder | undefined
  /** Calls back after folders were changed by this or another instance; returns a function to stop. */
  onChange(listener: () => void): () => void
  /** Reads the folders again; resolves when they are current, and every listener was told. */
  reload(): Promise<void>
}

type DirectoryContext = Pick<Context, 'settings' | 'dataFolder' | 'store' | 'logger' | 'closing'>

/** Opens the folders, and follows changes of this or another instance. */
export async function openFolderDirectory(context: DirectoryContext): Promise<FolderDirectory> {
  const folders = new CurrentFolders(context)
  await folders.reload()
  const stop = context.store.listen(FOLDERS_CHANNEL, () => {
    folders
      .reload()
      .catch((error: unknown) => context.logger.error({ err: error }, 'The folders could not be read again.'))
  })
  context.closing.add('the list of folders', stop)
  return folders
}

/** The folders of the settings file alone. */
export function configuredFolders(
  context: Pick<Context, 'settings' | 'dataFolder'>,
): Pick<FolderDirectory, 'list' | 'get' | 'onChange'> {
  const list = configuredEntries(context.settings).map((entry) => fixed(context, entry, undefined))
  return { list: () => list, get: (name) => list.find(({ folder }) => folder.name === name), onChange: () => () => {} }
}

class CurrentFolders implements FolderDirectory {
  readonly #context: DirectoryContext
  readonly #listeners = new Set<() => void>()
  #list: readonly WatchedFolder[] = []
  #turn: Promise<void> = Promise.resolve()

  constructor(context: DirectoryContext) {
    this.#context = context
  }

  list(): readonly WatchedFolder[] {
    return this.#list
  }

  get(name: string): WatchedFolder | undefined {
    return this.#list.find(({ folder }) => folder.name === name)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  reload(): Promise<void> {
    // One after the other: an older list must not replace a newer one. The caller of the failed one has its error.
    this.#turn = this.#turn.catch(() => {}).then(() => this.#reloadNow())
    return this.#turn
  }

  async #reloadNow(): Promise<void> {
    const stored = await readWatchedFolders(this.#context.store.db)
    const entries = configuredEntries(this.#context.settings)
    refuseSameName(entries, stored)
    const own = entries.map((entry) =>
      fixed(
        this.#context,
        entry,
        stored.find(({ name }) => name === entry.Name),
      ),
    )
    const added = await this.#added(stored, own)
    const list = [...own, ...added]
    if (JSON.stringify(list) === JSON.stringify(this.#list)) return
    this.#list = list.map((one) => this.#known(one))
    for (const listener of this.#listeners) listener()
  }

  /** A folder that did not change stays the same object, so that its watcher goes on. */
  #known(one: WatchedFolder): WatchedFolder {
    const before = this.get(one.folder.name)
    const isSame = before && JSON.stringify(before.entry) === JSON.stringify(one.entry)
    return isSame ? { ...one, folder: before.folder } : one
  }

  async #added(stored: readonly StoredFolder[], own: readonly WatchedFolder[]): Promise<readonly WatchedFolder[]> {
    const added: WatchedFolder[] = []
    for (const { entry, paused, version } of stored) {
      if (entry === null) continue
      const folder = inputFolder(entry, this.#context.settings.WatchedFolder, this.#context.dataFolder)
      const problem = await standsApart(this.#context, folder, [...own, ...added])
      added.push({ folder, entry, source: 'Dashboard', paused, problem: problem ?? null, version })
    }
    return added
  }
}

const fixed = (
  { settings, dataFolder }: Pick<Context, 'settings' | 'dataFolder'>,
  entry: InputFolderEntry,
  stored: StoredFolder | undefined,
): WatchedFolder => ({
  folder: inputFolder(entry, settings.WatchedFolder, dataFolder),
  entry,
  source: 'Settings',
  paused: stored?.paused ?? null,
  problem: null,
  version: 0,
})

/** Neither may hide the other: whoever wrote the settings file renames or removes one of them. */
function refuseSameName(entries: readonly InputFolderEntry[], stored: readonly StoredFolder[]): void {
  const added = new Set(stored.filter(({ entry }) => entry !== null).map(({ name }) => name))
  const twice = entries.map(({ Name }) => Name).filter((name) => added.has(name))
  if (twice.length === 0) return
  const setting = 'batch-signer Storage:Inputs'
  const sentence = `${setting}: names ${twice.join(', ')}, which was added on the dashboard. Choose another name here.`
  throw new StartupProblem(sentence, { setting })
}

/** Why a folder cannot be watched beside the others: it overlaps one of them or a folder of the service. */
export async function standsApart(
  { settings, dataFolder }: Pick<Context, 'settings' | 'dataFolder'>,
  { name, path }: { readonly name: string; readonly path: string },
  others: readonly WatchedFolder[],
): Promise<Trouble | undefined> {
  const places = [...workPlaces(settings, dataFolder), ...others.flatMap(({ folder }) => placesOf(folder))]
  return overlapOf(placeOf({ name, path }), places)
}

/** Why a folder cannot take the outputs of another: what is put there would be taken in again. */
export const outputStandsApart = (
  path: string,
  inputs: readonly { readonly name: string; readonly path: string }[],
): Promise<Trouble | undefined> => overlapOf({ what: 'the output folder', path }, inputs.map(placeOf))

async function overlapOf(place: Place, others: readonly Place[]): Promise<Trouble | undefined> {
  const [real, ...rest] = await Promise.all([place, ...others].map(realPlace))
  return overlaps(real!, rest)[0]
}

const placesOf = ({ name, path, output }: InputFolder): readonly Place[] => [
  placeOf({ name, path }),
  ...(output.path === undefined ? [] : [{ what: `the output folder of ${name}`, path: output.path }]),
]

const placeOf = ({ name, path }: { readonly name: string; readonly path: string }): Place => ({
  what: `the input folder ${name}`,
  path,
})

/** A path that cannot be resolved is compared as it is written; its folder is reported as missing elsewhere. */
const realPlace = async ({ what, path }: Place): Promise<Place> => ({
  what,
  path: await canonicalPath(path).catch(() => path),
})
