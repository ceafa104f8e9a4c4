import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { plus } from '@chancela/service-kernel/clock'
import { Alarm } from '@chancela/service-kernel/concurrency'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Context } from '../../context.ts'
import type { WaitReason } from '../../contract/folders.ts'
import { FolderHeld } from '../../rules/folder-conditions.ts'
import { isIgnored } from '../../rules/ignore-rules.ts'
import type { InputFolder } from '../../rules/input-folders.ts'
import { MAX_PATH_LENGTH } from '../../rules/job.ts'
import type { Profile } from '../../rules/profile.ts'
import { said, telling } from '../../rules/sentences.ts'
import { type Trouble, troubleOf, troubleOfError } from '../../rules/trouble.ts'
import { fileNames } from '../../upstream/storage/folders/enumerate.ts'
import { type FolderEvents, listenToFolder } from '../../upstream/storage/folders/folder-events.ts'
import { writersOf } from '../../upstream/storage/folders/open-writers.ts'
import { FolderNotWritable } from '../../upstream/storage/folders/place-marker.ts'
import { identityAt, isSame, isUntouchedSince, type Sample, sample } from '../../upstream/storage/folders/sample.ts'
import { errnoOf } from '../../upstream/storage/local/disk-errors.ts'
import type { Admission, Admitted } from './admission.ts'
import { folderBreaker } from './folder-breaker.ts'
import type { FolderPlaces } from './folder-places.ts'
import { lastJobs, queuedJobs } from './last-jobs.ts'
import type { RefusedFiles } from './refused-files.ts'
import { type Candidate, StabilityWindow, type Verdict } from './stability-window.ts'
import { type WaitingFile, WaitingFiles } from './waiting-files.ts'
import { WriterRhythm } from './writer-rhythm.ts'

export interface WatcherParts {
  readonly context: Pick<Context, 'settings' | 'store' | 'clock' | 'logger' | 'events' | 'heartbeats'>
  readonly admission: Admission
  readonly refused: RefusedFiles
  readonly places: FolderPlaces
  /** Paths of uploads whose job is being recorded: not files of the folder itself. */
  readonly landing: ReadonlySet<string>
  /** Files watched at once until they stop changing. Default: MOST_CANDIDATES. */
  readonly mostCandidates?: number | undefined
  /** Why nothing may be taken from the folder now. */
  stuckBy(): Trouble | undefined
  /** Whether somebody has a file open. Default: as the kernel says. */
  readonly writersOf?: WritersOf | undefined
  /** Called when the state of the folder changes. */
  onChange(): void
  /** Called whenever the folder could be read: it may have gone and come back between two looks. */
  onRead(): void
}

export type WritersOf = typeof writersOf

export interface WatcherState {
  readonly status: 'Running' | 'Stopped'
  readonly trouble: Trouble | undefined
  readonly waiting: readonly WaitingFile[]
}

/** Files watched until they are stable. With three samples half a second apart they allow 2,700 files a second. */
const MOST_CANDIDATES = 4096
/** Names from system events that wait for room in the window; beyond them the folder is enumerated again. */
const MOST_HEARD = 8192
/** Files enqueued together: they share one transaction. */
const MOST_OFFERED = 256
/** Milliseconds between two checks of a full queue, of a failing store, of a missing folder. */
const QUEUE_PAUSE = 200
const TROUBLE_PAUSE = 2_000
/** Milliseconds a stop waits for files being enqueued. */
const STOP_PATIENCE = 5_000

/** Result of offering: some files were, none is ready, the queue is full, the store failed. */
type Offering = 'some' | 'none' | 'held' | 'trouble'

/** The store failed, not the folder; both may report ENOENT. */
class StoreTrouble extends Error {}

/**
 * Watches one folder for its profile. Two loops: one finds files (an enumeration at start and every poll interval;
 * system events in between), the other samples them until they are stable, then offers them.
 */
export class FolderWatcher {
  readonly #folder: InputFolder
  readonly #parts: WatcherParts
  readonly #window: StabilityWindow
  readonly #breaker = folderBreaker(() => performance.now())
  readonly #heard = new Set<string>()
  readonly #waiting = new WaitingFiles()
  readonly #rhythm: WriterRhythm
  readonly #finding = new Alarm()
  readonly #looking = new Alarm()
  readonly #room = new Alarm()
  #profile: Profile
  #saidIdle = false
  #missed = false
  /** Whether the folder was found to be the one the database knows. */
  #isSettled = false
  #passing = false
  #trouble: Trouble | undefined
  /** Why the folder was last stopped. */
  #stoppedBy: Trouble | undefined
  #events: { readonly identity: string; readonly listener: FolderEvents } | undefined
  #stopped = false
  #running: Promise<unknown> | undefined
  #heartbeats: { readonly finding: Heartbeat; readonly looking: Heartbeat } | undefined
  #meets: () => void = () => {}
  /** Resolves after the first look at the folder: what is dropped from then on did not lie there before. */
  readonly met = new Promise<void>((resolve) => {
    this.#meets = resolve
  })

  constructor(folder: InputFolder, profile: Profile, parts: WatcherParts) {
    const { WatchedFolder } = parts.context.settings
    this.#folder = folder
    this.#profile = profile
    this.#parts = parts
    this.#rhythm = new WriterRhythm(WatchedFolder.StabilityPollIntervalMs * WatchedFolder.StabilityRequiredSamples)
    this.#window = new StabilityWindow({
      intervalMs: WatchedFolder.StabilityPollIntervalMs,
      requiredSamples: WatchedFolder.StabilityRequiredSamples,
      timeoutMs: WatchedFolder.StabilityTimeoutSeconds * 1000,
      capacity: parts.mostCandidates ?? MOST_CANDIDATES,
    })
  }

  start(): void {
    const beat = (loop: string) =>
      this.#parts.context.heartbeats.expect(`${loop} of ${this.#folder.name}`, this.#folder.pollMs)
    this.#heartbeats = { finding: beat('enumeration'), looking: beat('watch') }
    this.#running = Promise.all([this.#find(), this.#look()])
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#heartbeats?.finding.end()
    this.#heartbeats?.looking.end()
    this.#meets()
    for (const alarm of [this.#finding, this.#looking, this.#room]) alarm.ring()
    this.#deafen()
    // Files waiting for a failing store keep waiting until the ledger closes, which comes after this.
    const patience = new AbortController()
    await Promise.race([this.#running, setTimeout(STOP_PATIENCE, undefined, { signal: patience.signal })])
    patience.abort()
  }

  get state(): WatcherState {
    const trouble = this.#trouble ?? this.#parts.stuckBy() ?? (this.#isBroken ? this.#stoppedBy : undefined)
    const status = trouble === undefined ? 'Running' : 'Stopped'
    return { status, trouble, waiting: this.#waiting.all }
  }

  /** Stopped by failures, or on trial after them. */
  get #isBroken(): boolean {
    return this.#breaker.state !== 'closed'
  }

  /** Whether files may be offered. */
  get #offers(): boolean {
    return !this.#isBroken || this.#breaker.isTrial
  }

  /** The profile was edited; its folder is enumerated again if it takes files now. */
  profileIs(profile: Profile): void {
    const tookFiles = takesFiles(this.#profile)
    this.#profile = profile
    if (tookFiles || !takesFiles(profile)) return
    this.#saidIdle = false
    this.#finding.ring()
  }

  /** A file that was rewritten during its job. */
  handBack(name: string): void {
    this.#rhythm.wasTakenTooEarly()
    this.offer(name)
  }

  /** A file to sample: reported by the system, or returned after its job. */
  offer(given: string): void {
    const name = this.#announcedBy(given) ?? given
    if (isIgnored(this.#folder.ignored, name)) return
    if (this.#window.has(name)) this.#say(name, this.#window.touched(name, this.#sampleOf(name), performance.now()))
    else if (this.#heard.size < MOST_HEARD) this.#heard.add(name)
    else this.#missed = true
    this.#looking.ring()
  }

  /** What kept the folder is over: it is enumerated again. */
  freed(): void {
    this.#finding.ring()
  }

  /** The file that a ready marker speaks of. */
  #announcedBy(name: string): string | undefined {
    const { readyMarker } = this.#folder
    return readyMarker !== undefined && name.endsWith(readyMarker) ? name.slice(0, -readyMarker.length) : undefined
  }

  /** Looks through the folder now. */
  look(): void {
    this.#finding.ring()
  }

  /** Another success with this folder: a stopped watcher need not wait for the end of its pause. */
  revive(): void {
    if (!this.#isBroken) return
    this.#breaker.endPause()
    this.#finding.ring()
  }

  // --- finding -----------------------------------------------------------------------------------------------------

  async #find(): Promise<void> {
    while (!this.#stopped) {
      this.#missed = false
      const found = this.#offers || this.#breaker.admits() ? await this.#pass() : true
      this.#heartbeats?.finding.beat()
      // The other loop has a turn, too, when there is nothing to look at.
      this.#looking.ring()
      if (this.#missed) continue
      await this.#finding.sleep(this.#pauseAfter(found))
    }
  }

  #pauseAfter(found: boolean): number {
    if (!this.#offers) return this.#breaker.pauseLeft
    return found ? this.#folder.pollMs : Math.min(this.#folder.pollMs, TROUBLE_PAUSE)
  }

  /** Enumerates the whole folder once; false when that failed. */
  async #pass(): Promise<boolean> {
    this.#passing = true
    try {
      const since = await this.#settlePlace()
      this.#listen()
      for await (const names of fileNames(this.#folder.path)) {
        await this.#consider(names)
        if (this.#stopped || !this.#offers) return true
      }
      await this.#asked(() => this.#parts.refused.sweep(this.#folder.name, since))
      await this.#asked(() => this.#tellLongWaits())
      this.#troubleIs(undefined)
      this.#parts.onRead()
      return true
    } catch (error) {
      this.#onPassFailed(error)
      return false
    } finally {
      this.#passing = false
      this.#looking.ring()
    }
  }

  /** Before anything is taken: files that a new or restored database cannot know are held. */
  async #settlePlace(): Promise<string> {
    this.#isSettled = false
    const since = await this.#parts.places.settle(this.#folder).finally(this.#meets)
    this.#isSettled = true
    return since
  }

  /** Adds possible jobs to the window, and waits for room in it: a folder may contain any number. */
  async #consider(names: readonly string[]): Promise<void> {
    this.#heartbeats?.finding.beat()
    const { ignored } = this.#folder
    await this.#clearMarkers(names)
    const candidates = names.filter(
      (name) => !isIgnored(ignored, name) && !this.#window.has(name) && this.#announcedBy(name) === undefined,
    )
    if (candidates.length === 0 || !this.#takesWork()) return
    for (const { name } of await this.#asked(() => this.#parts.refused.candidatesAmong(this.#entries(candidates)))) {
      while (!this.#stopped && !this.#window.add(name, performance.now())) await this.#waitForRoom()
      this.#looking.ring()
    }
  }

  /** As long as the queue is full, which is no fault of this loop. */
  async #waitForRoom(): Promise<void> {
    await this.#room.sleep(this.#folder.pollMs)
    this.#heartbeats?.finding.beat()
  }

  /** A marker goes with the file it spoke of, once that was signed. */
  async #clearMarkers(names: readonly string[]): Promise<void> {
    const markers = names.flatMap((marker) => {
      const file = this.#announcedBy(marker)
      return file === undefined
        ? []
        : [{ marker: join(this.#folder.path, marker), file: join(this.#folder.path, file) }]
    })
    const orphans = markers.filter(({ file }) => identityAt(file) === undefined)
    const jobs = await this.#asked(() =>
      lastJobs(
        this.#parts.context.store.db,
        orphans.map(({ file }) => file),
      ),
    )
    for (const { marker, file } of orphans)
      if (jobs.get(file)?.status === 'Completed') await rm(marker, { force: true })
  }

  /** Names with their paths, without those that cannot be taken. */
  #entries = (names: readonly string[]) =>
    names.map((name) => ({ name, path: join(this.#folder.path, name) })).filter((file) => this.#fits(file))

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (cause) {
      throw new StoreTrouble('The store could not be asked.', { cause })
    }
  }

  #fits({ name, path }: { readonly name: string; readonly path: string }): boolean {
    if (!isNamed(name, path)) this.#waits(name, 'name-not-utf8')
    else if (path.length <= MAX_PATH_LENGTH) return true
    else this.#waits(name, 'path-too-long', { code: 'job.path-too-long', length: path.length })
    return false
  }

  #takesWork(): boolean {
    if (this.#parts.stuckBy() !== undefined) return false
    if (takesFiles(this.#profile)) return true
    if (!this.#saidIdle)
      this.#log('warn', { profile: this.#profile.name }, 'the profile of the folder takes no new files')
    this.#saidIdle = true
    return false
  }

  /** Listens to the current folder: after a replacement, listeners of the old one get no events. */
  #listen(): void {
    const { dev, ino, birthtimeNs } = statSync(this.#folder.path, { bigint: true })
    const identity = `${dev}:${ino}:${birthtimeNs}`
    if (this.#events?.identity === identity) return
    this.#deafen()
    try {
      const listener = listenToFolder(
        this.#folder.path,
        (name) => this.offer(name),
        (error) => this.#onEventsLost(error),
      )
      this.#events = { identity, listener }
    } catch (error) {
      // No watch available: files are found by enumeration only, which is just slower.
      this.#log('warn', { err: error }, 'the system gives no events of the folder')
    }
  }

  #onEventsLost(error: unknown): void {
    this.#events = undefined
    this.#log('warn', { err: error }, 'the events of the folder were lost')
  }

  #deafen(): void {
    this.#events?.listener.close()
    this.#events = undefined
  }

  #onPassFailed(error: unknown): void {
    // A failing store is no problem of the folder: the store's readiness check reports it.
    if (error instanceof StoreTrouble) return
    this.#deafen()
    this.#troubleIs(whyUnreadable(error))
  }

  #troubleIs(trouble: Trouble | undefined): void {
    if (trouble?.message === this.#trouble?.message) return
    this.#trouble = trouble
    if (trouble === undefined) this.#log('info', {}, 'the folder is watched again')
    else this.#log('error', { reason: trouble.message }, 'the folder cannot be watched')
    this.#parts.onChange()
  }

  // --- looking -----------------------------------------------------------------------------------------------------

  async #look(): Promise<void> {
    while (!this.#stopped) {
      const looked = await this.#lookAtDue()
      const offered = await this.#offerStable()
      this.#heartbeats?.looking.beat()
      if (looked || offered === 'some') continue
      this.#endTrial()
      await this.#looking.sleep(this.#untilNextLook(offered))
    }
  }

  #untilNextLook(offered: Exclude<Offering, 'some'>): number | undefined {
    if (offered === 'trouble') return TROUBLE_PAUSE
    const untilDue = this.#window.untilDue(performance.now())
    return offered === 'none' ? untilDue : Math.min(untilDue ?? QUEUE_PAUSE, QUEUE_PAUSE)
  }

  /** A trial without any failing file has succeeded. */
  #endTrial(): void {
    if (this.#breaker.isTrial && !this.#passing && this.#window.isEmpty) this.#succeeded()
  }

  async #lookAtDue(): Promise<boolean> {
    // Slices keep the event loop responsive: a slice takes a fraction of a millisecond.
    const most = this.#parts.context.settings.WatchedFolder.StabilityConcurrency * 8
    let looked = false
    while (!this.#stopped) {
      this.#hear()
      const due = this.#window.takeDue(performance.now(), most)
      if (due.length === 0) break
      looked = true
      for (const candidate of due) this.#lookAt(candidate)
      this.#room.ring()
      await new Promise(setImmediate)
    }
    return looked
  }

  /** Adds names from system events, as far as there is room. */
  #hear(): void {
    if (this.#heard.size === 0) return
    const now = performance.now()
    const welcome = takesFiles(this.#profile) && this.#offers && this.#isSettled
    for (const name of this.#heard) {
      if (welcome && !this.#window.add(name, now)) break
      this.#heard.delete(name)
    }
  }

  #lookAt(candidate: Candidate): void {
    const found = this.#sampleOf(candidate.name)
    if (!found) {
      this.#window.drop(candidate)
      return
    }
    const rested = this.#isRested(candidate.sample, found)
    const now = performance.now()
    // A change after a pause shows how long the writers of this folder pause.
    if (candidate.unchanged > 0 && candidate.sample && !isSame(candidate.sample, found))
      this.#rhythm.wentOnAfter(now - candidate.changedAt)
    this.#say(candidate.name, this.#window.seen(candidate, found, performance.now(), rested))
  }

  /** Notes why a file is not taken; logged when it is news. */
  #waits(file: string, reason: WaitReason, what: object = {}): void {
    const isNews = this.#waiting.waits(file, reason, this.#parts.context.clock())
    if (isNews && !quietReasons.has(reason)) this.#log('warn', { file, reason, ...what }, said(`waits-${reason}`).text)
    if (isNews) this.#parts.onChange()
  }

  /** An event for each file that has waited long, once. */
  async #tellLongWaits(): Promise<void> {
    const { events, store, clock } = this.#parts.context
    const { name, path } = this.#folder
    this.#waiting.keep((file) => !isNamed(file, join(path, file)) || identityAt(join(path, file)) !== undefined)
    for (const { fileName, reason } of this.#waiting.takeLong(clock()))
      await events.record(store.db, {
        type: 'FileWaiting',
        actor: 'intake',
        ...telling(said('file-waits', { file: fileName, folder: name, why: said(`waits-${reason}`) }), {
          folder: name,
          fileName,
          reason,
        }),
      })
  }

  #say(file: string, verdict: Verdict | undefined): void {
    if (verdict === 'abandoned') this.#waits(file, 'changing')
  }

  #sampleOf(name: string): Sample | undefined {
    const path = join(this.#folder.path, name)
    if (this.#parts.landing.has(path)) return undefined
    try {
      return sample(path)
    } catch {
      // A file that cannot be sampled is no candidate now; the next enumeration finds it again.
      return undefined
    }
  }

  /** At the first sample only: whether the file has already been unchanged for a whole stability window. */
  #isRested(before: Sample | undefined, found: Sample): boolean {
    if (before !== undefined) return false
    const { StabilityPollIntervalMs, StabilityRequiredSamples } = this.#parts.context.settings.WatchedFolder
    const window = StabilityPollIntervalMs * StabilityRequiredSamples
    return isUntouchedSince(found, plus(this.#parts.context.clock(), -window))
  }

  /** Enqueues stable files while the queue has room for them. */
  async #offerStable(): Promise<Offering> {
    if (!this.#window.hasStable) return 'none'
    if (!this.#offers || !this.#takesWork()) {
      this.#window.clear()
      return 'none'
    }
    try {
      return await this.#offerWithin(await this.#queueRoom())
    } catch (error) {
      // The store failed; the files are still there and are found again later.
      this.#missed = true
      this.#finding.ring()
      this.#log('warn', { err: error }, 'files could not be offered')
      return 'trouble'
    }
  }

  /** Each profile has its own: the queue of one that is held keeps no other from taking files. */
  async #queueRoom(): Promise<number> {
    const { settings, store } = this.#parts.context
    return settings.Pipeline.MaxQueued - (await queuedJobs(store.db, this.#profile.name))
  }

  async #offerWithin(room: number): Promise<Offering> {
    if (room <= 0) return 'held'
    const stable = this.#window.takeStable(performance.now(), Math.min(room, MOST_OFFERED))
    const names = stable.filter((candidate) => this.#isReady(candidate)).map(({ name }) => name)
    this.#room.ring()
    const { admission } = this.#parts
    const [folder, profile] = [this.#folder, this.#profile]
    // Checked again: since the file was found, a rescan may have enqueued it, and its job may have failed.
    const files = await this.#asked(() => this.#parts.refused.newAmong(this.#entries(names)))
    if (files.length > 0) await this.#parts.places.taking(folder)
    const outcomes = await Promise.all(
      files.map(({ name, identity }) => admission.admit({ folder, name, profile, identity, source: 'Watcher' })),
    )
    for (const outcome of outcomes) this.#count(outcome)
    return 'some'
  }

  /** Whether a stable file is complete, as far as anybody can tell. */
  #isReady(candidate: Candidate): boolean {
    const { name } = candidate
    const why = this.#whyNotReady(candidate)
    if (why === undefined) {
      this.#waiting.forget(name)
      return true
    }
    this.#waits(name, why)
    // The others wait for an event: their own, or that of their marker.
    if (why === 'open' || why === 'settling') this.#window.putBack(candidate, performance.now())
    return false
  }

  #whyNotReady({ name, sample: found, changedAt, unchanged }: Candidate): WaitReason | undefined {
    const why = whyIncomplete(this.#folder, name, found)
    if (why !== undefined) return why
    const hold = (this.#parts.writersOf ?? writersOf)(join(this.#folder.path, name))
    if (hold === 'held') return 'open'
    if (hold === 'free') return undefined
    // One look is enough on the kernel's word only: the clock of a share may be behind ours.
    if (unchanged === 0) return 'settling'
    if (performance.now() - changedAt >= this.#rhythm.quietMs) return undefined
    const since = plus(this.#parts.context.clock(), -this.#rhythm.quietMs)
    return found && isUntouchedSince(found, since) ? undefined : 'settling'
  }

  #count(admitted: Admitted): void {
    if (admitted.outcome !== 'error') this.#succeeded()
    else if (this.#breaker.failed()) this.#trip(admitted.error)
  }

  #succeeded(): void {
    const wasBroken = this.#isBroken
    this.#breaker.succeeded()
    if (!wasBroken) return
    this.#log('info', {}, 'the folder is watched again')
    this.#parts.onChange()
  }

  #trip(error: Error): void {
    this.#stoppedBy = troubleOfError(error)
    this.#window.clear()
    this.#heard.clear()
    this.#log('error', { err: error }, 'the folder was stopped: nothing can be enqueued')
    this.#room.ring()
    this.#finding.ring()
    this.#parts.onChange()
  }

  #log(level: 'info' | 'warn' | 'error', what: object, message: string): void {
    this.#parts.context.logger[level]({ folder: this.#folder.name, ...what }, message)
  }
}

/** What every file may do for a moment is no news for the log. */
const quietReasons: ReadonlySet<WaitReason> = new Set(['open', 'settling', 'empty', 'no-ready-marker'])

/** Why the folder's own rules say that a file is not complete. */
export function whyIncomplete(
  { path, readyMarker }: InputFolder,
  name: string,
  found: Sample | undefined,
): Extract<WaitReason, 'empty' | 'no-ready-marker'> | undefined {
  if (readyMarker !== undefined && identityAt(join(path, name + readyMarker)) === undefined) return 'no-ready-marker'
  return found?.size === 0n ? 'empty' : undefined
}

/** A name that is not UTF-8 has lost bytes on its way here, and cannot be used in a path. */
const isNamed = (name: string, path: string): boolean => !name.includes('\uFFFD') || identityAt(path) !== undefined

/** Whether files of its folder become jobs of the profile. */
export const takesFiles = ({ enabled, method }: Profile): boolean => enabled && method !== 'SignerFolder'

/** Why a folder could not be enumerated. */
export function whyUnreadable(error: unknown): Trouble {
  if (error instanceof FolderHeld) return troubleOfError(error)
  if (error instanceof FolderNotWritable) return troubleOf('folder-not-writable', { errno: error.errno })
  const errno = errnoOf(error)
  if (errno === 'ENOENT') return troubleOf('folder-missing')
  return troubleOf('folder-unreadable', { errno: errno ?? (error instanceof Error ? error.message : String(error)) })
}
