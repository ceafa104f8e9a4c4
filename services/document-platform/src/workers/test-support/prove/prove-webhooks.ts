import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, MINUTE, systemClock } from '@chancela/service-kernel/clock'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { type ReceivedMail, type RunningSmtpServer, startSmtpServer } from '@chancela/testkit/mail'
import { startPostgres } from '@chancela/testkit/postgres'
import { type CompiledFile, compileFile } from '@chancela/testkit/programs'
import { Deeds } from './deeds.ts'
import { isEveryMailSent, isEverythingTold, type Judgement, judgeWorld, settledDocuments } from './judge-world.ts'
import type { Crash, LifePlan, LifeSetup, Organization } from './life-plan.ts'
import { LifeProcess } from './life-process.ts'
import { PlatformClient } from './platform-client.ts'
import { type Receiver, startReceivers } from './receivers.ts'

export interface ProofOptions {
  /** Processes killed at a random moment. */
  readonly randomKills: number
  /** Crashes at a step, or at a delivery. */
  readonly crashes: readonly Crash[]
  /** Worlds on PostgreSQL besides those on SQLite, each with as many runs. */
  readonly postgresWorlds: number
  /** Runs on one database before everything is checked. Default 25. */
  readonly livesPerWorld?: number
  /** Lines of the file of each generation. Default 40. */
  readonly generationRows?: number
  onLife?(life: number, of: number): void
}

/** What the proof found. */
export interface ProofReport extends Judgement {
  readonly kills: number
  /** Planned crashes that were reached, and those that were not. */
  readonly crashesReached: readonly string[]
  readonly crashesMissed: readonly string[]
  readonly worlds: { readonly sqlite: number; readonly postgres: number }
  readonly confirmed: number
  /** Calls without an answer: their requests may have been executed or not. */
  readonly unanswered: number
}

/** Starts and kills the service over and over, and checks the documents and deliveries that result. */
export async function proveWebhooks(options: ProofOptions): Promise<ProofReport> {
  const { randomKills, crashes, postgresWorlds, livesPerWorld = 25, generationRows = 40, onLife } = options
  const plans = shuffled([...crashes.map((crash) => ({ crash })), ...Array.from({ length: randomKills }, () => ({}))])
  const worlds = Math.max(1, Math.ceil(plans.length / livesPerWorld))
  const proof = new Proof(generationRows)
  await proof.prepare(postgresWorlds > 0)
  try {
    for (let world = 0; world < worlds && proof.violations.length === 0; world += 1) {
      const from = world * livesPerWorld
      const some = plans.slice(from, from + livesPerWorld)
      await proof.world(world < postgresWorlds ? 'postgres' : 'sqlite', some, (life) =>
        onLife?.(from + life, plans.length),
      )
    }
  } finally {
    await proof.end()
  }
  return proof.report()
}

const shuffled = <T>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

/** Documents changed concurrently. */
const LANES = 4

/** The same while a row of a generation is waited for, which would take long beside more. */
const LANES_BESIDE = 2

/** Changes after which a run ends; a run planned to crash at a step gets more of them to reach it. */
const MOST_DEEDS = 12
const PLANNED_DEEDS = 40

/** A row of a generation takes longer than other deeds: such a run ends with its time. */
const plannedDeeds: Partial<Record<Crash['point'], number>> = { 'generated row': Number.POSITIVE_INFINITY }

/** A run ends at most this many milliseconds after its last change: webhooks are sent and flows concluded meanwhile. */
const LONGEST_PAUSE = 150

/** Upper limit on slow machines. */
const LONGEST_LIFE = 15_000

/** How long the remaining deliveries may take once nothing is killed any more. */
const LONGEST_END = 60_000

class Proof {
  readonly violations: string[] = []
  readonly #folder = mkdtempSync(join(tmpdir(), 'chancela-prove-'))
  readonly #reached: string[] = []
  readonly #missed: string[] = []
  readonly #worlds = { sqlite: 0, postgres: 0 }
  readonly #generationRows: number
  readonly #sums = {
    documents: 0,
    events: 0,
    deliveries: 0,
    repeated: 0,
    pdfsJudged: 0,
    accounts: 0,
    passwordChanges: 0,
    generations: 0,
    generated: 0,
    auditEntries: 0,
    chainsFollowed: 0,
    mails: 0,
    mailsRepeated: 0,
  }
  #confirmed = 0
  #unanswered = 0
  #kills = 0
  #ahead = 0
  #pki: RunningDemoPki | undefined
  #postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  #compiled: CompiledFile | undefined
  #next: LifeProcess | undefined

  constructor(generationRows: number) {
    this.#generationRows = generationRows
  }

  async prepare(needsPostgres: boolean): Promise<void> {
    this.#compiled = await compileFile(new URL('./life.ts', import.meta.url), [
      new URL('../../../parts/renditions/threads/rendition-thread.ts', import.meta.url),
    ])
    if (needsPostgres) this.#postgres = await startPostgres()
    // The demo PKI's clock follows the clock of the runs.
    const clock = () => new Date(systemClock().getTime() + this.#ahead)
    this.#pki = await startDemoPki({ keys: cachedKeys(), clock })
    writeFileSync(join(this.#folder, 'roots.pem'), this.#pki.pki.trustAnchors())
  }

  /** Runs one database through its planned runs; the last run is not killed until everything is delivered. */
  async world(kind: 'sqlite' | 'postgres', plans: readonly LifePlan[], onLife: (life: number) => void): Promise<void> {
    this.#worlds[kind] += 1
    const world = new World(await this.#setupOf(kind), this.#pki!, this.#generationRows)
    await world.open()
    try {
      for (const [index, plan] of harmlessFirst(plans).entries()) {
        await this.#life(world, plan)
        onLife(index + 1)
      }
      await this.#lastLife(world)
    } finally {
      await world.close()
    }
  }

  async #setupOf(kind: 'sqlite' | 'postgres'): Promise<WorldSetup> {
    const name = `prove-${randomBytes(6).toString('hex')}`
    const dataFolder = join(this.#folder, name)
    mkdirSync(dataFolder)
    const databaseUrl = kind === 'sqlite' ? `sqlite:${join(dataFolder, 'documents.db')}` : this.#postgres!.url
    return { name, dataFolder, databaseUrl, roots: join(this.#folder, 'roots.pem') }
  }

  async #life(world: World, plan: LifePlan): Promise<void> {
    const life = this.#next ?? this.#newLife()
    // Failed attempts are due again.
    this.#ahead += 2 * MINUTE
    const client = await world.begin(life, plan, this.#ahead)
    // The next process loads while this one works: loading takes longer than being killed.
    this.#next = this.#newLife()
    const { crash } = plan
    const deeds = crash ? (plannedDeeds[crash.point] ?? PLANNED_DEEDS) : Math.random() * MOST_DEEDS
    const died = client ? await world.workUntilDeath(life, client, plan, deeds) : true
    this.#kills += 1
    if (crash) (died ? this.#reached : this.#missed).push(textOf(crash))
  }

  async #lastLife(world: World): Promise<void> {
    const life = this.#next ?? this.#newLife()
    this.#next = undefined
    for (const receiver of world.receivers) receiver.calmDown()
    // After this time every pending retry is due.
    this.#ahead += 6 * HOUR
    const client = (await world.begin(life, {}, this.#ahead))!
    try {
      await world.deeds.accounts.settle(client.accounts)
      await world.deeds.generations.settle(client)
      const documents = await settledDocuments(client)
      for (const deadline = performance.now() + LONGEST_END; performance.now() < deadline; await sleep(50))
        if (isEverythingTold(documents, world.receivers) && isEveryMailSent(documents, world)) break
      const { violations, ...sums } = await judgeWorld(client, documents, world)
      this.violations.push(...violations.map((one) => `${one} [${world.name}]`))
      for (const figure of Object.keys(sums) as (keyof typeof sums)[]) this.#sums[figure] += sums[figure]
      this.#confirmed += world.deeds.count
      this.#unanswered += world.deeds.unknown
    } finally {
      await life.kill()
    }
  }

  #newLife(): LifeProcess {
    return new LifeProcess(this.#compiled!.program)
  }

  async end(): Promise<void> {
    await this.#next?.kill()
    await this.#pki?.stop()
    await this.#postgres?.stop()
    this.#compiled?.remove()
    if (this.violations.length === 0) rmSync(this.#folder, { recursive: true, force: true })
    else this.violations.push(`The folders were kept in ${this.#folder}.`)
  }

  report(): ProofReport {
    return {
      violations: this.violations,
      ...this.#sums,
      kills: this.#kills,
      crashesReached: this.#reached,
      crashesMissed: this.#missed,
      worlds: this.#worlds,
      confirmed: this.#confirmed,
      unanswered: this.#unanswered,
    }
  }
}

/** What stays the same for all runs of a world; its mail server has its port when it is open. */
type WorldSetup = Omit<LifeSetup, 'ahead' | 'isFirst' | 'mailPort'>

/** The first run of a world creates the organization, so it is not planned to crash: the crash would be wasted. */
function harmlessFirst(plans: readonly LifePlan[]): readonly LifePlan[] {
  const at = plans.findIndex(({ crash }) => crash === undefined)
  return at > 0 ? [plans[at]!, ...plans.slice(0, at), ...plans.slice(at + 1)] : plans
}

const textOf = (crash: Crash): string => ('side' in crash ? `${crash.side} ${crash.point}` : `with a ${crash.point}`)

/** One database, with the receivers, the mail server and the clients that outlive its processes. */
class World {
  readonly deeds: Deeds
  receivers: readonly Receiver[] = []
  readonly #setup: WorldSetup
  readonly #pki: RunningDemoPki
  #smtp: RunningSmtpServer | undefined
  #organization: Organization | undefined
  #onDelivery = () => {}

  constructor(setup: WorldSetup, pki: RunningDemoPki, generationRows: number) {
    this.deeds = new Deeds(() => this.inbox, generationRows)
    this.#setup = setup
    this.#pki = pki
  }

  get name(): string {
    return this.#setup.name
  }

  get inbox(): readonly ReceivedMail[] {
    return this.#smtp!.inbox
  }

  async open(): Promise<void> {
    this.receivers = await startReceivers(() => this.#onDelivery())
    this.#smtp = await startSmtpServer()
  }

  async close(): Promise<void> {
    await Promise.all([...this.receivers.map((receiver) => receiver.close()), this.#smtp?.stop()])
  }

  /** Starts a run; the first one creates the organization and registers the receivers before it may crash. */
  async begin(life: LifeProcess, plan: LifePlan, ahead: number): Promise<PlatformClient | undefined> {
    const isFirst = this.#organization === undefined
    this.#dieWithMessage(life, plan)
    const setup = { ...this.#setup, ahead, isFirst, mailPort: this.#smtp!.port }
    const listening = await life.live(setup, isFirst ? {} : plan)
    if (!listening) return undefined
    this.#organization ??= listening.organization!
    const client = new PlatformClient(listening.baseUrl, this.#organization, this.#pki)
    if (isFirst) for (const { url } of this.receivers) await client.register(url)
    else await this.deeds.accounts.checkChain(client.accounts)
    return client
  }

  /** Kills the process when a receiver or the mail server has the message and has not answered. */
  #dieWithMessage(life: LifeProcess, { crash }: LifePlan): void {
    let deliveries = 0
    this.#onDelivery = () => {
      deliveries += 1
      if (crash?.point === 'delivery' && deliveries === crash.nth) void life.kill()
    }
    this.#smtp!.behave(crash?.point === 'mail' ? { kind: 'is-silent', at: 'message' } : { kind: 'accepts' })
    if (crash?.point !== 'mail') return
    const enough = this.inbox.length + crash.nth
    const looking = setInterval(() => {
      if (this.inbox.length >= enough) void life.kill()
      if (!life.isAlive) clearInterval(looking)
    }, 2)
  }

  /** Kills the process after this many changes; true when it had already crashed by its plan. */
  async workUntilDeath(life: LifeProcess, client: PlatformClient, plan: LifePlan, deeds: number): Promise<boolean> {
    const enough = this.deeds.count + deeds
    let isOver = false
    const isGenerating = plan.crash?.point === 'generated row'
    const lanes = Array.from({ length: isGenerating ? LANES_BESIDE : LANES }, (_, lane) =>
      this.deeds.goOn(client, () => !isOver, isGenerating && lane === 0 ? 'generation' : undefined),
    )
    const deadline = performance.now() + LONGEST_LIFE
    while (life.isAlive && this.deeds.count < enough && performance.now() < deadline) await sleep(5)
    const died = await life.diesWithin(Math.random() * LONGEST_PAUSE)
    await life.kill()
    isOver = true
    await Promise.all(lanes)
    return died
  }
}
