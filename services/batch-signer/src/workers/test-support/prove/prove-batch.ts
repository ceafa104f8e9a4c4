import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJudge, TrustAnchors } from '@chancela/signature-engine/judgement'
import { Certificate } from '@chancela/signature-engine/x509'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { type CompiledFile, compileFile } from '@chancela/testkit/programs'
import { WorldChecker } from './check-world.ts'
import { type DroppedFile, dropFile } from './dropped-files.ts'
import { type Crash, type LifePlan, type LifeSetup, stepsOfRecovery, type Trouble, troubles } from './life-plan.ts'
import { LifeProcess } from './life-process.ts'
import { OutputJudge } from './output-judge.ts'

export interface ProofOptions {
  /** Processes killed at a random moment. */
  readonly randomKills: number
  /** Steps before and after which a process dies. */
  readonly steps: readonly Crash['point'][]
  /** Runs with each kind of fault. */
  readonly livesPerTrouble: number
  /** Runs after which a new world begins, so that checking everything stays fast. Default 60. */
  readonly livesPerWorld?: number
  /** Milliseconds a run planned to die at a step gets to reach it. Default 2,500. */
  readonly plannedLifeMs?: number
  onLife?(life: number, of: number): void
}

/** What the proof found. */
export interface ProofReport {
  readonly violations: readonly string[]
  readonly kills: number
  /** Planned crashes that were reached, and those that were not. */
  readonly crashesReached: readonly string[]
  readonly crashesMissed: readonly string[]
  readonly lives: Readonly<Record<Trouble | 'untroubled', number>>
  readonly filesDropped: number
  readonly outputsJudged: number
  readonly strangersAsked: number
}

/** Starts and kills the service over and over, and checks what each run left behind. */
export async function proveBatch(options: ProofOptions): Promise<ProofReport> {
  const plans = plansOf(options)
  const proof = new Proof(options.plannedLifeMs ?? 2_500)
  await proof.prepare()
  const { livesPerWorld = 60, onLife } = options
  try {
    for (let from = 0; from < plans.length && proof.violations.length === 0; from += livesPerWorld)
      await proof.world(plans.slice(from, from + livesPerWorld), (life) => onLife?.(from + life, plans.length))
  } finally {
    await proof.end()
  }
  return proof.report()
}

function plansOf({ randomKills, steps, livesPerTrouble }: ProofOptions): readonly LifePlan[] {
  const crashes = steps.flatMap((point) => (['before', 'after'] as const).map((side) => crashLives(point, side)))
  const troubled = troubles.flatMap((trouble) => Array.from({ length: livesPerTrouble }, () => [{ trouble }]))
  const random = Array.from({ length: randomKills }, () => [{}])
  return shuffled([...crashes, ...troubled, ...random]).flat()
}

/** A crash in recovery needs something to recover: the run before leaves it behind. */
function crashLives(point: Crash['point'], side: Crash['side']): LifePlan[] {
  if (!isOfRecovery(point)) return [{ crash: { point, side, nth: 1 + Math.floor(Math.random() * 2) } }]
  // A staged copy of a large file, or a signed file whose job has not completed. Recovery never takes these steps, so
  // that it cannot die of the first crash.
  const left = point === 'rename job-folder' ? 'rename partial' : 'fsync processing'
  return [{ crash: { point: left, side: 'after', nth: 1 } }, { crash: { point, side, nth: 1 } }]
}

const isOfRecovery = (point: Crash['point']): boolean => (stepsOfRecovery as readonly Crash['point'][]).includes(point)

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

/** Longest milliseconds of a working run: enough for many jobs to be at every step. */
const LONGEST_LIFE = 800
const FILES_PER_LIFE = 6

class Proof {
  readonly #plannedLifeMs: number
  readonly violations: string[] = []
  readonly #reached: string[] = []
  readonly #missed: string[] = []
  readonly #lives: Record<Trouble | 'untroubled', number> = {
    EIO: 0,
    EACCES: 0,
    ENOSPC: 0,
    'slow disk': 0,
    'clock jumps': 0,
    untroubled: 0,
  }
  readonly #folder = mkdtempSync(join(tmpdir(), 'chancela-prove-'))
  #judge: OutputJudge | undefined
  #kills = 0
  #dropped = 0
  #judged = 0
  #worlds = 0
  #next: LifeProcess | undefined
  #compiled: CompiledFile | undefined

  constructor(plannedLifeMs: number) {
    this.#plannedLifeMs = plannedLifeMs
  }

  /** The program, and a key in a PKCS#12 file, as an operator would have one. */
  async prepare(): Promise<void> {
    this.#compiled = await compileFile(new URL('./life.ts', import.meta.url))
    const pki = await createDemoPki({ baseUrl: 'http://localhost:1', clock: () => new Date(), keys: cachedKeys() })
    const holder = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key: 'P-256' })
    writeFileSync(join(this.#folder, 'holder.p12'), pki.pkcs12(holder, { password: PASSWORD }))
    const root = Certificate.read(pki.certificate('root').der)
    this.#judge = new OutputJudge(createJudge({ anchors: TrustAnchors.of([root]) }))
  }

  /** Runs one folder through its planned runs, with a last check at the end. */
  async world(plans: readonly LifePlan[], onLife: (life: number) => void): Promise<void> {
    this.#worlds += 1
    const root = join(this.#folder, `world-${this.#worlds}`)
    mkdirSync(join(root, 'input'), { recursive: true })
    const setup = { root, pkcs12File: join(this.#folder, 'holder.p12'), password: PASSWORD }
    const checker = new WorldChecker(root, this.#judge!)
    const files: DroppedFile[] = []
    for (const [index, plan] of plans.entries()) {
      await this.#life(setup, plan, checker, files)
      onLife(index + 1)
      if (this.violations.length > 0) return
    }
    await this.#life(setup, {}, checker, files)
    this.#judged += checker.outputsJudged
    rmSync(root, { recursive: true })
  }

  async #life(setup: LifeSetup, plan: LifePlan, checker: WorldChecker, files: DroppedFile[]): Promise<void> {
    const life = this.#next ?? this.#newLife()
    const recovered = await life.live(setup, plan)
    if (recovered) {
      const found = await checker.check(files)
      this.violations.push(...found.map((one) => `${one} [world ${this.#worlds}, ${JSON.stringify(plan)}]`))
      this.#lives[plan.trouble ?? 'untroubled'] += 1
      for (let n = 0; n < FILES_PER_LIFE; n++) files.push(dropFile(setup.root, this.#dropped++))
      life.work()
    }
    // The next process loads while this one works: loading takes longer than being killed.
    this.#next = this.#newLife()
    const died = recovered
      ? await life.killAfter(plan.crash ? this.#plannedLifeMs : Math.random() * LONGEST_LIFE)
      : true
    this.#kills += 1
    if (plan.crash) (died ? this.#reached : this.#missed).push(crashText(plan.crash))
  }

  #newLife(): LifeProcess {
    return new LifeProcess(this.#compiled!.program)
  }

  async end(): Promise<void> {
    await this.#next?.kill()
    this.#compiled?.remove()
    if (this.violations.length === 0) rmSync(this.#folder, { recursive: true, force: true })
    else this.violations.push(`The folders were kept in ${this.#folder}.`)
  }

  report(): ProofReport {
    return {
      violations: this.violations,
      kills: this.#kills,
      crashesReached: this.#reached,
      crashesMissed: this.#missed,
      lives: this.#lives,
      filesDropped: this.#dropped,
      outputsJudged: this.#judged,
      strangersAsked: this.#judge?.strangersAsked ?? 0,
    }
  }
}

const PASSWORD = 'a password of the proof'

const crashText = ({ point, side }: Crash): string => `${side} ${point}`
