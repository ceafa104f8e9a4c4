import { isAbsolute } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { Context } from '../context.ts'
import { destinationOf } from '../parts/destinations.ts'
import type { FolderDirectory } from '../parts/folders/folder-directory.ts'
import { outputStandsApart, standsApart } from '../parts/folders/folder-directory.ts'
import type { Profiles } from '../parts/signing/open-profile-directory.ts'
import type { Actor } from '../rules/actor.ts'
import { inputFolder, workPlaces } from '../rules/input-folders.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { type Trouble, troubleIn, troubleOf } from '../rules/trouble.ts'
import type { FolderMove, WatchedFolder } from '../rules/watched-folder.ts'
import type { InputFolderEntry } from '../settings.ts'
import { deleteFolder, insertFolder, moveFolder, updateFolder } from '../store/watched-folders.ts'
import { folderIdentity, folderProblem, makeFolder, troubleAt } from '../upstream/storage/folders/folder-place.ts'
import { errnoOf } from '../upstream/storage/local/disk-errors.ts'
import type { WorkArea } from '../upstream/storage/storage.ts'
import { entryOf, type FormLocale } from './folder-form.ts'

/** A folder from a form. */
export interface FolderForm {
  readonly options: Readonly<Record<string, unknown>>
  /** The profile it feeds; null for none, undefined leaves it as it is. */
  readonly profile?: string | null | undefined
  readonly create?: boolean | undefined
}

/** Who edits a folder. */
interface FolderEditing {
  readonly actor: Actor
  readonly locale: FormLocale
}

export interface FolderParts {
  readonly folders: FolderDirectory
  readonly profiles: Pick<Profiles, 'reload'>
  /** Resolves when no watcher is stopping any more, and every new one has met its folder. */
  readonly intake: { settled(): Promise<void> }
  readonly work: Pick<WorkArea, 'write' | 'discard'>
}

/** The form shows the problem at what the system does not know, else at what was asked for. */
const refusedOption = ({ OutputOwner, OutputGroup }: InputFolderEntry, { setting }: StartupProblem): string =>
  (setting === 'Storage:Inputs:OutputGroup' && 'outputGroup') ||
  (OutputOwner !== undefined && 'outputOwner') ||
  (OutputGroup !== undefined && 'outputGroup') ||
  'outputMode'

type EditingContext = Pick<Context, 'settings' | 'dataFolder' | 'store' | 'events' | 'clock'>

/** Adds, changes, removes, pauses and resumes watched folders; what it answers is in force. */
export class FolderEditor {
  readonly #context: EditingContext
  readonly #parts: FolderParts

  constructor(context: EditingContext, parts: FolderParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Refusals: folder.invalid with fields, folder.already-exists. */
  async add(name: string, form: FolderForm, { actor, locale }: FolderEditing): Promise<void> {
    if (this.#parts.folders.get(name)) throw refuse('folder.already-exists', { name })
    const entry = await this.#checked(name, form, locale)
    await insertFolder(this.#change(actor), { entry, profile: form.profile })
    await this.#inForce()
  }

  /** Refusals: folder.not-found, folder.in-settings, folder.invalid with fields, folder.changed-meanwhile. */
  async edit(name: string, version: number, form: FolderForm, { actor, locale }: FolderEditing): Promise<void> {
    const stored = this.#own(name)
    if (stored.version !== version) throw refuse('folder.changed-meanwhile', { name })
    const entry = await this.#checked(name, form, locale)
    await updateFolder(this.#change(actor), { entry, profile: form.profile }, version)
    await this.#inForce()
  }

  /** Refusals: folder.not-found, folder.in-settings. */
  async remove(name: string, actor: Actor): Promise<void> {
    await deleteFolder(this.#change(actor), this.#own(name).folder.name)
    await this.#inForce()
  }

  /** Refusals: folder.not-found, validation.reason-too-long. */
  async move(name: string, move: FolderMove, reason: string | null | undefined, actor: Actor): Promise<void> {
    const { source } = this.#known(name)
    await moveFolder(this.#change(actor), { name, source }, move, reasonOf(reason))
    await this.#inForce()
  }

  /** The answer is given when the folder is watched, or nothing is taken from it any more. */
  async #inForce(): Promise<void> {
    await this.#parts.folders.reload()
    await this.#parts.profiles.reload()
    await this.#parts.intake.settled()
  }

  #change(actor: Actor) {
    const { store, events, clock } = this.#context
    return { store, events, actor, now: clock() }
  }

  #known(name: string): WatchedFolder {
    const { folders } = this.#parts
    const known = folders.get(name)
    if (!known)
      throw refuse('folder.not-found', { folder: name, folders: folders.list().map((one) => one.folder.name) })
    return known
  }

  #own(name: string): WatchedFolder {
    const known = this.#known(name)
    if (known.source === 'Settings') throw refuse('folder.in-settings', { folder: name })
    return known
  }

  async #checked(name: string, { options, create }: FolderForm, locale: FormLocale): Promise<InputFolderEntry> {
    const entry = entryOf(name, options, locale)
    const refuseIf = (field: string, problem: Trouble | undefined) => {
      if (problem) throw refuse('folder.invalid', { fields: { [field]: [troubleIn(locale, problem)] } })
    }
    refuseIf('path', await this.#placeProblem(entry, create === true))
    refuseIf('outputPath', await this.#outputPathProblem(entry))
    await this.#tryDestination(entry)
    return entry
  }

  async #outputPathProblem({ Name, Path, OutputPath }: InputFolderEntry): Promise<Trouble | undefined> {
    if (OutputPath === undefined) return undefined
    if (!isAbsolute(OutputPath)) return troubleOf('path-relative')
    const inputs = this.#parts.folders.list().map(({ folder }) => folder)
    return (
      (await outputStandsApart(OutputPath, [...inputs, { name: Name, path: Path }])) ??
      (await folderProblem(OutputPath))
    )
  }

  /** Gives a file the mode, owner and group that outputs are to have: only the system knows whether it allows it. */
  async #tryDestination(entry: InputFolderEntry): Promise<void> {
    const { settings, dataFolder } = this.#context
    try {
      await destinationOf(inputFolder(entry, settings.WatchedFolder, dataFolder), this.#parts.work)
    } catch (error) {
      if (!(error instanceof StartupProblem)) throw error
      throw refuse('folder.invalid', { fields: { [refusedOption(entry, error)]: [error.message] } })
    }
  }

  /** Nothing is made on the disk before the path was found to stand apart. */
  async #placeProblem({ Name: name, Path: path }: InputFolderEntry, create: boolean): Promise<Trouble | undefined> {
    const others = this.#parts.folders.list().filter(({ folder }) => folder.name !== name)
    const overlap = await standsApart(this.#context, { name, path }, others)
    if (overlap !== undefined) return overlap
    if (create) {
      const failed = await makeFolder(path).catch((error: unknown) => troubleAt(path, errnoOf(error)))
      if (failed) return failed
    }
    return (await folderProblem(path)) ?? this.#sameFolder(path, others)
  }

  async #sameFolder(path: string, others: readonly WatchedFolder[]): Promise<Trouble | undefined> {
    const own = await folderIdentity(path)
    const { settings, dataFolder } = this.#context
    const places = [
      ...others.map(({ folder }) => ({ what: `the input folder ${folder.name}`, path: folder.path })),
      ...workPlaces(settings, dataFolder),
    ]
    for (const place of places)
      if ((await folderIdentity(place.path)) === own)
        return troubleOf('folders-one', { path, other: place.what, otherPath: place.path })
    return undefined
  }
}
