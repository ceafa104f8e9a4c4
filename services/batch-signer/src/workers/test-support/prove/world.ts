import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type ActName, act, type Scene } from './acts.ts'
import { WorldChecker } from './check-world.ts'
import { Deliveries } from './deliveries.ts'
import type { Crash, LifePlan, LifeSetup, Trouble } from './life-plan.ts'
import type { LifeProcess } from './life-process.ts'
import { Operator } from './operator.ts'
import type { OutputJudge } from './output-judge.ts'
import { dropFile, type Held, moveIn, type SiteFile, sha256, writtenFile } from './site-files.ts'
import type { SiteProcess } from './site-process.ts'
import { type Violation, violation } from './violations.ts'
import type { WorldDatabase } from './world-database.ts'
import { foldersOf, type InputName, inputNames } from './world-folders.ts'
import type { WorldPlan } from './world-plan.ts'

/** What every world uses. */
export interface Tools {
  readonly key: Pick<LifeSetup, 'pkcs12File' | 'password'>
  readonly judge: OutputJudge
  readonly site: SiteProcess
  /** A process that has begun to load. */
  newLife(): LifeProcess
}

/** What happened in all worlds so far. */
export interface WorldTally {
  kills: number
  killsAtBoot: number
  /** Acts of operator and clients that came to their end. */
  acts: number
  /** Files whose cancellation was confirmed. */
  canceled: number
  /** Stores that were lost or put back, and second processes that were refused or let in. */
  storesChanged: number
  secondsRefused: number
  secondsLetIn: number
  filesGiven: number
  /** Planned crashes that were reached, and those that were not. */
  readonly crashesReached: string[]
  readonly crashesMissed: string[]
  readonly lives: Record<Trouble | 'untroubled', number>
}

export interface Broken {
  readonly violations: readonly Violation[]
  readonly brokenBy: WorldPlan
}

const FILES_PER_LIFE = 6
const FILES_UNSEEN = 3
/** Milliseconds the last run gets to finish everything, and between two looks at it. */
const PATIENCE = 120_000
const LOOK = 250
/** Milliseconds for which a second process works with the first, or instead of it: until the first is given up. */
const SECOND_WORKS = 4_000
/** Longest milliseconds from the last act to the kill. */
const A_MOMENT = 500
/** A copy of the store is kept after so many kills. */
const KEEP_EVERY = 3
/** A recovered world may need a moment until every file has its place. */
const LOOKS_AT_REST = 5

/** One folder and one store through all their runs. */
export class World {
  readonly #plan: WorldPlan
  readonly #tools: Tools
  readonly #tally: WorldTally
  readonly #setup: LifeSetup
  readonly #database: WorldDatabase
  readonly #deliveries: Deliveries
  readonly #checker: WorldChecker
  readonly #files: SiteFile[] = []
  #lives = 0
  /** The kept copy of the store lacks something only once a process has worked since. */
  #copy: 'none' | 'same' | 'older' = 'none'
  #broken: Broken | undefined

  constructor(root: string, database: WorldDatabase, plan: WorldPlan, tools: Tools, tally: WorldTally) {
    this.#plan = plan
    this.#tools = tools
    this.#tally = tally
    this.#database = database
    this.#setup = { root, databaseUrl: database.url, cluster: plan.cluster, ...tools.key }
    this.#deliveries = new Deliveries(root)
    this.#checker = new WorldChecker({ root, databaseUrl: database.url, deliveries: this.#deliveries })
  }

  /** Undefined when every promise was kept. */
  async run(onLife: (life: number) => void): Promise<Broken | undefined> {
    const { root } = this.#setup
    for (const name of inputNames) mkdirSync(foldersOf(root).input(name), { recursive: true })
    this.#tools.site.begin(root, (taken) => this.#deliveries.take(taken))
    const { lives } = this.#plan
    for (const [index, plan] of lives.entries()) {
      this.#note(await this.#life(plan), lives.slice(0, index + 1))
      onLife(index + 1)
      if (this.#broken && !this.#plan.goesOn) return this.#broken
    }
    this.#note(await this.#lastLife(), lives)
    this.#note(await this.#judge(), lives)
    return this.#broken
  }

  /** Adds what is new to what is broken; the plan is that of the first. */
  #note(found: readonly Violation[], lives: readonly LifePlan[]): void {
    const known = this.#broken?.violations ?? []
    const isNew = ({ kind, about }: Violation) => !known.some((one) => one.kind === kind && one.about === about)
    const fresh = found.filter(isNew)
    if (fresh.length === 0) return
    this.#broken = { brokenBy: { ...this.#plan, lives }, ...this.#broken, violations: [...known, ...fresh] }
  }

  async #life(plan: LifePlan): Promise<readonly Violation[]> {
    if (plan.database) await this.#changeDatabase(plan.database)
    const life = this.#tools.newLife()
    const baseUrl = await life.live(this.#setup, plan)
    if (baseUrl !== undefined && this.#copy === 'same') this.#copy = 'older'
    const violations = baseUrl === undefined ? [] : await this.#atRest()
    if (baseUrl !== undefined && !plan.database) this.#giveWord()
    const acting = baseUrl === undefined ? undefined : this.#begin(life, baseUrl, plan)
    const other = baseUrl !== undefined && plan.second ? await this.#second(life, plan) : undefined
    const died = acting === undefined ? true : await life.killWhen(momentOf(plan, acting))
    await other?.kill()
    await acting
    this.#count(plan, died, baseUrl === undefined)
    this.#lives += 1
    if (this.#lives % KEEP_EVERY === 0) await this.#keepDatabase()
    return violations
  }

  async #keepDatabase(): Promise<void> {
    await this.#database.keep()
    this.#copy = 'same'
  }

  /**
   * Everything that lies in a folder lay there before the store: it waits for a word. A copy that is as new as the store
   * itself knows every file, so that the store is lost instead.
   */
  async #changeDatabase(planned: NonNullable<LifePlan['database']>): Promise<void> {
    await this.#tools.site.drain()
    await this.#checker.takeStock()
    const how = this.#copy === 'older' ? planned : 'lost'
    await (how === 'lost' ? this.#database.lose() : this.#database.putBack())
    // Some came while nobody was there to know them.
    for (let n = 0; n < FILES_UNSEEN; n++) this.#drop()
    for (const file of this.#files) {
      file.held = this.#heldOf(file, how)
      // Name, profile and job of an upload are in the store alone: who sent it sends it again.
      if (file.folder === 'uploads') file.isUnsure = true
    }
    this.#tally.storesChanged += 1
  }

  /** Undefined for a file that is gone. */
  #heldOf(file: SiteFile, how: string): Held | undefined {
    const isUpload = file.folder === 'uploads'
    if (!isUpload && !existsSync(this.#placeOf(file))) return undefined
    const written = isUpload ? 'uploaded' : `written ${statSync(this.#placeOf(file)).mtime.toISOString()}`
    return {
      sha256: isUpload ? file.versions[0]!.sha256 : sha256(readFileSync(this.#placeOf(file))),
      delivered: this.#deliveries.ofFile(file.number).length,
      signed: new Set(this.#checker.signedOf(file.number)),
      story: `${written}, store ${how} ${new Date().toISOString()}`,
    }
  }

  /**
   * The word after a change of the store, with what the operator is told to do first: inputs whose outputs were already
   * put out are taken away. In the folder that is never rescanned there is no word.
   */
  #giveWord(): void {
    for (const file of this.#files.filter(({ held, folder }) => held !== undefined && folder !== 'quiet')) {
      if (this.#wasPutOut(file)) rmSync(this.#placeOf(file))
      file.held = undefined
    }
  }

  /** Whether what lies in the folder is what was delivered, and not what its writer wrote since. */
  #wasPutOut(file: SiteFile): boolean {
    if (file.isOpen || file.folder === 'uploads' || !existsSync(this.#placeOf(file))) return false
    return this.#checker.signedOf(file.number).has(sha256(readFileSync(this.#placeOf(file))))
  }

  #placeOf({ folder, name }: SiteFile): string {
    return join(foldersOf(this.#setup.root).input(folder as InputName), name)
  }

  /** Starts a second process on the same store; it takes part if it is let in. */
  async #second(first: LifeProcess, { second: how, daysOn = 0 }: LifePlan): Promise<LifeProcess> {
    // Not before it has something in hand.
    await setTimeout(A_MOMENT)
    if (how !== 'beside') first.freeze()
    const second = this.#tools.newLife()
    const baseUrl = await second.tries(this.#setup, { workMs: 0, daysOn })
    this.#tally[baseUrl === undefined ? 'secondsRefused' : 'secondsLetIn'] += 1
    second.work()
    await setTimeout(SECOND_WORKS)
    first.wake()
    return second
  }

  #begin(life: LifeProcess, baseUrl: string, plan: LifePlan): Promise<void> {
    this.#tally.lives[plan.trouble ?? 'untroubled'] += 1
    for (let n = 0; n < FILES_PER_LIFE; n++) this.#drop()
    for (const writer of plan.writers ?? []) this.#write(writer)
    life.work()
    // A rescan would be the word for what lay there before a change of the store.
    return plan.database ? Promise.resolve() : this.#operate(new Operator(baseUrl), plan.acts ?? [])
  }

  async #operate(operator: Operator, acts: readonly ActName[]): Promise<void> {
    await this.#putRight(operator)
    for (const name of acts) {
      if (forgetful.has(name)) this.#checker.mayForget()
      await act[name](this.#scene(operator))
      this.#tally.acts += 1
    }
  }

  /** Jobs that failed because a run ended are run again, as an operator would have them: that is the word for them. */
  async #putRight(operator: Operator): Promise<void> {
    await operator.resume()
    await Promise.all(['default', 'remittances'].map((folder) => operator.rescan(folder)))
    const wanted = this.#files.filter(({ folder, never, verdict }) => folder === 'uploads' && !never && !verdict)
    const failed = (await operator.jobs('status=Failed&source=Upload')).filter(({ fileName }) =>
      wanted.some(({ name }) => name === fileName),
    )
    if (failed.length > 0) await operator.retry(failed.map(({ id }) => id))
  }

  #scene(operator: Operator): Scene {
    const give = (file: SiteFile): SiteFile => {
      this.#files.push(file)
      return file
    }
    return {
      operator,
      files: this.#files,
      give,
      drop: (file, bytes) => {
        moveIn(this.#setup.root, file, bytes)
        return give(file)
      },
      newNumber: () => this.#tally.filesGiven++,
      onCanceled: () => {
        this.#tally.canceled += 1
      },
      takeStock: async () => {
        await this.#tools.site.drain()
        await this.#checker.takeStock()
      },
    }
  }

  #drop(): void {
    this.#files.push(dropFile(this.#setup.root, this.#tally.filesGiven++, this.#plan))
  }

  #write(writer: NonNullable<LifePlan['writers']>[number]): void {
    const file = writtenFile(this.#tally.filesGiven++, writer.how)
    this.#files.push(file)
    const path = join(foldersOf(this.#setup.root).input('default'), file.name)
    this.#tools.site.write({ ...writer, number: file.number, path }, () => {
      file.isOpen = false
    })
  }

  /** What is wrong after recovery, before anything is taken or signed. */
  async #atRest(): Promise<readonly Violation[]> {
    for (let look = 1; ; look++) {
      await this.#tools.site.drain()
      const violations = await this.#checker.check(this.#files)
      if (violations.length === 0 || look === LOOKS_AT_REST) return violations
      await setTimeout(LOOK)
    }
  }

  #count(plan: LifePlan, died: boolean, atBoot: boolean): void {
    this.#tally.kills += 1
    if (atBoot) this.#tally.killsAtBoot += 1
    if (plan.crash) this.#tally[died ? 'crashesReached' : 'crashesMissed'].push(crashText(plan.crash))
  }

  /** A run that nobody disturbs ends everything. */
  async #lastLife(): Promise<readonly Violation[]> {
    const life = this.#tools.newLife()
    try {
      const { daysOn = 0 } = this.#plan.lives.at(-1) ?? {}
      const baseUrl = await life.live(this.#setup, { workMs: PATIENCE, daysOn })
      const violations = await this.#atRest()
      if (violations.length > 0 && !this.#plan.goesOn) return violations
      this.#giveWord()
      life.work()
      const unfinished = await this.#finish(new Operator(baseUrl!))
      return [...violations, ...unfinished, ...(await this.#atRest())]
    } finally {
      await life.kill()
    }
  }

  async #finish(operator: Operator): Promise<readonly Violation[]> {
    const until = performance.now() + PATIENCE
    for (let look = 0; performance.now() < until; look++) {
      if (look % 10 === 0) await this.#putRight(operator)
      await setTimeout(LOOK)
      this.#deliveries.look()
      if (this.#undelivered().length === 0 && !this.#tools.site.isWriting) return []
      if (this.#tools.site.trouble) throw this.#tools.site.trouble
    }
    return this.#undelivered().map(({ name }) => violation('hung', name, `it was not delivered in ${PATIENCE} ms`))
  }

  #undelivered(): readonly SiteFile[] {
    return this.#files.filter(
      ({ number, never, verdict, isUnsure, folder }) =>
        !(never || verdict || isUnsure || folder === 'quiet') && this.#deliveries.ofFile(number).length === 0,
    )
  }

  async #judge(): Promise<readonly Violation[]> {
    const byNumber = new Map(this.#files.map((file) => [file.number, file]))
    // What must never be delivered is already told, whatever is in it.
    const exhibits = this.#files
      .filter(({ never }) => !never)
      .flatMap(({ number }) =>
        this.#deliveries.ofFile(number).map((delivery) => ({ ...delivery, file: byNumber.get(number)! })),
      )
    const findings = await this.#tools.judge.findings(exhibits)
    return findings.map(({ exhibit: { file, how }, about, text }) =>
      violation(about === 'content' ? 'signed though open' : 'invalid', file.name, `${how}: ${text}`),
    )
  }
}

/** When a run is killed: a planned time after it began to work, or a moment after all acts are done. */
function momentOf({ workMs, acts }: LifePlan, acting: Promise<void>): Promise<unknown> {
  const wait = (milliseconds: number) => setTimeout(milliseconds, undefined, { ref: false })
  if (!acts?.length) return wait(workMs)
  return Promise.race([wait(workMs), acting.then(() => wait(workMs % A_MOMENT))])
}

/** Acts after which jobs and histories may be gone. */
const forgetful: ReadonlySet<ActName> = new Set(['delete a job', 'clear jobs', 'clean up'] as const)

const crashText = ({ point, side }: Pick<Crash, 'point' | 'side'>): string => `${side} ${point}`
