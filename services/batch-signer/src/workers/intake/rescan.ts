import { join } from 'node:path'
import { plus } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { isIgnored } from '../../rules/ignore-rules.ts'
import type { InputFolder } from '../../rules/input-folders.ts'
import { MAX_PATH_LENGTH } from '../../rules/job.ts'
import type { Profile } from '../../rules/profile.ts'
import { removeTombstones } from '../../store/tombstones.ts'
import { fileNames } from '../../upstream/storage/folders/enumerate.ts'
import { writersOf } from '../../upstream/storage/folders/open-writers.ts'
import { identityAt, isSame, isUntouchedSince, type Sample, sample } from '../../upstream/storage/folders/sample.ts'
import type { Admission } from './admission.ts'
import { takesFiles, whyIncomplete, whyUnreadable } from './folder-watcher.ts'
import { lastJobs } from './last-jobs.ts'

/** Result of a rescan of a folder; every scanned file is counted in exactly one of the others. */
interface RescanCounts {
  scanned: number
  enqueued: number
  alreadyActive: number
  ignored: number
  errors: number
  alreadyProcessed: number
}

export interface RescannedFolder extends Readonly<RescanCounts> {
  readonly name: string
  readonly path: string
  readonly enqueuedFiles: readonly string[]
  /** The folder has no profile: nothing was scanned. */
  readonly unassigned: boolean
}

export interface RescanResult {
  readonly folders: readonly RescannedFolder[]
  readonly totals: Readonly<RescanCounts> & { readonly folders: number; readonly unassigned: number }
}

export interface RescanParts {
  readonly context: Pick<Context, 'settings' | 'store' | 'clock' | 'logger'>
  readonly admission: Admission
  readonly landing: ReadonlySet<string>
}

const nothing = (): RescanCounts => ({
  scanned: 0,
  enqueued: 0,
  alreadyActive: 0,
  ignored: 0,
  errors: 0,
  alreadyProcessed: 0,
})

/** Adds up what happened in each folder. */
export function totalOf(folders: readonly RescannedFolder[]): RescanResult {
  const totals = nothing()
  for (const folder of folders)
    for (const count of Object.keys(totals) as (keyof RescanCounts)[]) totals[count] += folder[count]
  const unassigned = folders.filter((folder) => folder.unassigned).length
  return { folders, totals: { folders: folders.length, ...totals, unassigned } }
}

/** Offers every file of a folder now, including failed and canceled ones; one still changing counts as ignored. */
export async function rescanFolder(
  parts: RescanParts,
  folder: InputFolder,
  profile: Profile | undefined,
): Promise<RescannedFolder> {
  const { name, path } = folder
  if (!profile) return { name, path, ...nothing(), enqueuedFiles: [], unassigned: true }
  const rescan = new FolderRescan(parts, folder, profile)
  try {
    for await (const names of fileNames(path)) await rescan.take(names)
  } catch (error) {
    parts.context.logger.error(
      { folder: name, reason: whyUnreadable(error).message },
      'the folder could not be rescanned',
    )
    rescan.counts.errors += 1
  }
  return { name, path, ...rescan.counts, enqueuedFiles: rescan.enqueuedFiles, unassigned: false }
}

interface Looked {
  readonly name: string
  readonly path: string
  readonly first: Sample | undefined
}

class FolderRescan {
  readonly counts = nothing()
  readonly enqueuedFiles: string[] = []
  readonly #parts: RescanParts
  readonly #folder: InputFolder
  readonly #profile: Profile

  constructor(parts: RescanParts, folder: InputFolder, profile: Profile) {
    this.#parts = parts
    this.#folder = folder
    this.#profile = profile
  }

  async take(names: readonly string[]): Promise<void> {
    this.counts.scanned += names.length
    const files = await this.#ownFiles(names.filter((name) => this.#isWelcome(name)))
    this.counts.ignored += names.length - files.length
    if (this.#profile.method === 'SignerFolder') this.counts.errors += files.length
    else if (!takesFiles(this.#profile)) this.counts.ignored += files.length
    else await this.#offer(await this.#resting(files))
  }

  #isWelcome(name: string): boolean {
    const path = join(this.#folder.path, name)
    if (isIgnored(this.#folder.ignored, name) || this.#parts.landing.has(path)) return false
    const { readyMarker } = this.#folder
    if (readyMarker !== undefined && name.endsWith(readyMarker)) return false
    if (path.length <= MAX_PATH_LENGTH) return true
    const what = { folder: this.#folder.name, code: 'job.path-too-long', file: name, length: path.length }
    this.#parts.context.logger.warn(what, 'the path of a file is too long')
    return false
  }

  /** Excludes uploads: under their generated name they are not files of the folder. Retry runs them again. */
  async #ownFiles(names: readonly string[]): Promise<readonly string[]> {
    const paths = names.map((name) => join(this.#folder.path, name))
    const jobs = await lastJobs(this.#parts.context.store.db, paths)
    return names.filter((_, index) => !jobs.get(paths[index]!)?.uploaded)
  }

  /** Files not being written: unchanged for a whole stability window, or between two samples. */
  async #resting(names: readonly string[]): Promise<readonly string[]> {
    const { settings, clock } = this.#parts.context
    const { StabilityPollIntervalMs, StabilityRequiredSamples } = settings.WatchedFolder
    const restedSince = plus(clock(), -StabilityPollIntervalMs * StabilityRequiredSamples)
    const looked = names.map((name) => this.#lookAt(name))
    const isRested = ({ first }: Looked): boolean => first === undefined || isUntouchedSince(first, restedSince)
    if (!looked.every(isRested)) await new Promise((resolve) => setTimeout(resolve, StabilityPollIntervalMs))
    const resting = looked
      .filter((file) => isRested(file) || this.#isUnchanged(file))
      .filter((file) => this.#isWhole(file))
    this.counts.ignored += names.length - resting.length
    return resting.map(({ name }) => name)
  }

  /** Neither empty nor open for writing; an operator's word does not complete a file. */
  #isWhole({ name, path, first }: Looked): boolean {
    return first !== undefined && !whyIncomplete(this.#folder, name, first) && writersOf(path) !== 'held'
  }

  #lookAt(name: string): Looked {
    const path = join(this.#folder.path, name)
    return { name, path, first: sample(path) }
  }

  #isUnchanged({ path, first }: Looked): boolean {
    const second = sample(path)
    return first !== undefined && second !== undefined && isSame(first, second)
  }

  async #offer(names: readonly string[]): Promise<void> {
    const [folder, profile] = [this.#folder, this.#profile]
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const path = join(folder.path, name)
        const identity = identityAt(path)
        const { outcome } = await this.#parts.admission.admit({ folder, name, profile, identity, source: 'Rescan' })
        // The operator's word: what was refused before is judged anew.
        if (outcome === 'enqueued') await removeTombstones(this.#parts.context.store.db, [path])
        return { name, outcome }
      }),
    )
    for (const { name, outcome } of outcomes) {
      this.counts[outcome === 'error' ? 'errors' : outcome] += 1
      if (outcome === 'enqueued') this.enqueuedFiles.push(name)
    }
  }
}
