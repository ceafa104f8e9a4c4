import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { WorldChecker } from './check-world.ts'
import { Deliveries } from './deliveries.ts'
import type { Crash, LifePlan, LifeSetup, Trouble } from './life-plan.ts'
import type { LifeProcess } from './life-process.ts'
import { Operator } from './operator.ts'
import type { OutputJudge } from './output-judge.ts'
import { dropFile, type SiteFile, writtenFile } from './site-files.ts'
import type { SiteProcess } from './site-process.ts'
import { type Violation, violation } from './violations.ts'
import { databaseUrl, foldersOf, inputNames } from './world-folders.ts'
import type { WorldPlan } from './world-plan.ts'

/** What every world uses. */
export interface Tools {
  readonly key: Pick<LifeSetup, 'pkcs12File' | 'password'>
  readonly judge: OutputJudge
  readonly site: SiteProcess
  newLife(): LifeProcess
}

/** What happened in all worlds so far. */
export interface WorldTally {
  kills: number
  killsAtBoot: number
  filesGiven: number
  /** Planned crashes that were reached, and those that were not. */
  readonly crashesReached: string[]
  readonly crashesMissed: string[]
  readonly lives: Record<Trouble | 'untroubled', number>
}

interface Broken {
  readonly violations: readonly Violation[]
  readonly brokenBy: WorldPlan
}

const FILES_PER_LIFE = 6
/** Milliseconds the last run gets to finish everything, and between two looks at it. */
const PATIENCE = 120_000
const LOOK = 250
/** A recovered world may need a moment until every file has its place. */
const LOOKS_AT_REST = 5

/** One folder and one store through all their runs. */
export class World {
  readonly #plan: WorldPlan
  readonly #tools: Tools
  readonly #tally: WorldTally
  readonly #setup: LifeSetup
  readonly #deliveries: Deliveries
  readonly #checker: WorldChecker
  readonly #files: SiteFile[] = []
  #next: LifeProcess | undefined
  #broken: Broken | undefined

  constructor(root: string, plan: WorldPlan, tools: Tools, tally: WorldTally) {
    this.#plan = plan
    this.#tools = tools
    this.#tally = tally
    this.#setup = { root, databaseUrl: databaseUrl(root), ...tools.key }
    this.#deliveries = new Deliveries(root)
    this.#checker = new WorldChecker({ root, databaseUrl: databaseUrl(root), deliveries: this.#deliveries })
  }

  /** Undefined when every promise was kept. */
  async run(onLife: (life: number) => void): Promise<Broken | undefined> {
    const { root } = this.#setup
    for (const name of inputNames) mkdirSync(foldersOf(root).input(name), { recursive: true })
    this.#tools.site.begin(root, (taken) => this.#deliveries.take(taken))
    try {
      return await this.#live(onLife)
    } finally {
      await this.#next?.kill()
    }
  }

  async #live(onLife: (life: number) => void): Promise<Broken | undefined> {
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
    const life = this.#takeLife()
    const baseUrl = await life.live(this.#setup, plan)
    const violations = baseUrl === undefined ? [] : await this.#atRest()
    if (baseUrl !== undefined) this.#begin(life, baseUrl, plan)
    // The next process loads while this one works: loading takes longer than being killed.
    this.#next = this.#tools.newLife()
    const died = baseUrl === undefined ? true : await life.killAfter(plan.workMs)
    this.#count(plan, died, baseUrl === undefined)
    return violations
  }

  #takeLife(): LifeProcess {
    const life = this.#next ?? this.#tools.newLife()
    this.#next = undefined
    return life
  }

  #begin(life: LifeProcess, baseUrl: string, plan: LifePlan): void {
    this.#tally.lives[plan.trouble ?? 'untroubled'] += 1
    for (let n = 0; n < FILES_PER_LIFE; n++)
      this.#files.push(dropFile(this.#setup.root, this.#tally.filesGiven++, this.#plan))
    for (const writer of plan.writers ?? []) this.#write(writer)
    life.work()
    // Jobs that failed because a run ended are run again, as an operator would have them.
    void new Operator(baseUrl).rescan('default')
  }

  #write(writer: NonNullable<LifePlan['writers']>[number]): void {
    const file = writtenFile(this.#tally.filesGiven++, writer.how)
    this.#files.push(file)
    const path = join(foldersOf(this.#setup.root).input(file.folder), file.name)
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
    const life = this.#takeLife()
    try {
      const baseUrl = await life.live(this.#setup, { workMs: PATIENCE })
      const violations = await this.#atRest()
      if (violations.length > 0) return violations
      life.work()
      const unfinished = await this.#finish(new Operator(baseUrl!))
      return [...unfinished, ...(await this.#atRest())]
    } finally {
      await life.kill()
    }
  }

  async #finish(operator: Operator): Promise<readonly Violation[]> {
    const until = performance.now() + PATIENCE
    for (let look = 0; performance.now() < until; look++) {
      if (look % 10 === 0) await operator.rescan('default')
      await setTimeout(LOOK)
      this.#deliveries.look()
      if (this.#undelivered().length === 0 && !this.#tools.site.isWriting) return []
      if (this.#tools.site.trouble) throw this.#tools.site.trouble
    }
    return this.#undelivered().map(({ name }) => violation('hung', name, `it was not delivered in ${PATIENCE} ms`))
  }

  #undelivered(): readonly SiteFile[] {
    return this.#files.filter(({ number, never }) => !never && this.#deliveries.ofFile(number).length === 0)
  }

  async #judge(): Promise<readonly Violation[]> {
    const byNumber = new Map(this.#files.map((file) => [file.number, file]))
    const exhibits = this.#files.flatMap(({ number }) =>
      this.#deliveries.ofFile(number).map((delivery) => ({ ...delivery, file: byNumber.get(number)! })),
    )
    const findings = await this.#tools.judge.findings(exhibits)
    return findings.map(({ exhibit: { file, how }, about, text }) =>
      violation(about === 'content' ? 'signed though open' : 'invalid', file.name, `${how}: ${text}`),
    )
  }
}

const crashText = ({ point, side }: Pick<Crash, 'point' | 'side'>): string => `${side} ${point}`
