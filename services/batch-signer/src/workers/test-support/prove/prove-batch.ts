import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createJudge, TrustAnchors } from '@chancela/signature-engine/judgement'
import { Certificate } from '@chancela/signature-engine/x509'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { type RunningPostgres, startPostgres } from '@chancela/testkit/postgres'
import { type CompiledFile, compileFile } from '@chancela/testkit/programs'
import type { Trouble } from './life-plan.ts'
import { LifeProcess } from './life-process.ts'
import { OutputJudge } from './output-judge.ts'
import { SiteProcess } from './site-process.ts'
import type { Violation } from './violations.ts'
import { type Broken, type Tools, World, type WorldTally } from './world.ts'
import { postgresDatabase, sqliteDatabase, type WorldDatabase } from './world-database.ts'
import { type ProofOptions, type WorldPlan, worldPlans } from './world-plan.ts'

/** What the proof found. */
export interface ProofReport extends WorldTally {
  readonly violations: readonly Violation[]
  /** The plan of the world in which a promise was broken, up to the run that broke it. */
  readonly brokenBy?: WorldPlan
  /** Where its folders were kept. */
  readonly kept?: string
  readonly outputsJudged: number
  readonly strangersAsked: number
}

export interface Watching {
  onLife?(life: number, of: number): void
  /** Told as soon as a world has ended. */
  onBroken?(broken: Broken, kept: string): void
}

/** Starts and kills the service over and over, and checks what each run left behind. */
export async function proveBatch(options: ProofOptions & Watching): Promise<ProofReport> {
  const proof = new Proof()
  await proof.prepare()
  try {
    return await proof.run(worldPlans(options), options)
  } finally {
    await proof.end()
  }
}

const noTally = (): WorldTally => ({
  kills: 0,
  killsAtBoot: 0,
  acts: 0,
  canceled: 0,
  storesChanged: 0,
  secondsRefused: 0,
  secondsLetIn: 0,
  filesGiven: 0,
  crashesReached: [],
  crashesMissed: [],
  lives: { EIO: 0, EACCES: 0, ENOSPC: 0, 'slow disk': 0, 'clock jumps': 0, untroubled: 0 } satisfies Record<
    Trouble | 'untroubled',
    number
  >,
})

/** Processes that load, or wait for their order. */
const LOADED_AHEAD = 2
/** Most runs that are tried alone after a broken promise. */
const MOST_TRIED = 8

class Proof {
  readonly #folder = mkdtempSync(join(tmpdir(), 'chancela-prove-'))
  readonly #tally = noTally()
  readonly #compiled: CompiledFile[] = []
  readonly #loading: LifeProcess[] = []
  #tools: Tools | undefined
  #isBroken = false
  #postgres: RunningPostgres | undefined

  /** The programs, and a key in a PKCS#12 file, as an operator would have one. */
  async prepare(): Promise<void> {
    const life = await compileFile(new URL('./life.ts', import.meta.url))
    const site = await compileFile(new URL('./site.ts', import.meta.url))
    this.#compiled.push(life, site)
    const pki = await createDemoPki({ baseUrl: 'http://localhost:1', clock: () => new Date(), keys: cachedKeys() })
    const holder = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key: 'P-256' })
    const key = { pkcs12File: join(this.#folder, 'holder.p12'), password: 'a password of the proof' }
    writeFileSync(key.pkcs12File, pki.pkcs12(holder, { password: key.password }))
    const root = pki.certificate('root')
    const rootPem = join(this.#folder, 'root.pem')
    writeFileSync(rootPem, root.x509.toString())
    const judge = createJudge({ anchors: TrustAnchors.of([Certificate.read(root.der)]) })
    this.#tools = {
      key,
      judge: new OutputJudge(judge, rootPem),
      site: new SiteProcess(site.program),
      newLife: () => this.#nextLife(life.program),
    }
  }

  /** The next processes load while one works: loading takes longer than being killed. */
  #nextLife(program: string): LifeProcess {
    while (this.#loading.length <= LOADED_AHEAD) this.#loading.push(new LifeProcess(program))
    return this.#loading.shift()!
  }

  async run(plans: readonly WorldPlan[], { onLife, onBroken }: Watching): Promise<ProofReport> {
    const of = plans.reduce((lives, plan) => lives + plan.lives.length, 0)
    let before = 0
    let found: Pick<ProofReport, 'violations' | 'brokenBy' | 'kept'> = { violations: [] }
    for (const [index, plan] of plans.entries()) {
      const root = join(this.#folder, `world-${index + 1}`)
      const broken = await this.#world(root, plan, (life) => onLife?.(before + life, of))
      // At once: a proof that is stopped later still shows what it had found.
      this.#isBroken ||= broken !== undefined
      if (broken) onBroken?.(broken, root)
      if (broken) found = { kept: root, ...broken, ...found, violations: [...found.violations, ...broken.violations] }
      else rmSync(root, { recursive: true })
      if (broken && !plan.goesOn) return this.#report({ ...found, ...(await this.#smallest(broken, root)) })
      before += plan.lives.length
    }
    return this.#report(found)
  }

  /** Tries the last runs alone: the fewer break the promise again, the less there is to read. */
  async #smallest(broken: Broken, root: string): Promise<Pick<ProofReport, 'brokenBy' | 'kept'>> {
    const { lives } = broken.brokenBy
    for (let last = 1; last < lives.length && last <= MOST_TRIED; last *= 2) {
      const plan = { ...broken.brokenBy, lives: lives.slice(-last) }
      const again = await this.#world(`${root}-last-${last}`, plan, () => {})
      if (again) return { brokenBy: again.brokenBy, kept: `${root}-last-${last}` }
    }
    return { brokenBy: broken.brokenBy, kept: root }
  }

  async #world(root: string, plan: WorldPlan, onLife: (life: number) => void): Promise<Broken | undefined> {
    const database = await this.#databaseOf(root, plan)
    try {
      return await new World(root, database, plan, this.#tools!, this.#tally).run(onLife)
    } finally {
      // The folder of a broken world is kept with its store.
      if (plan.database === 'postgresql') await database.remove()
    }
  }

  async #databaseOf(root: string, plan: WorldPlan): Promise<WorldDatabase> {
    if (plan.database === 'sqlite') return sqliteDatabase(root)
    this.#postgres ??= await startPostgres()
    return postgresDatabase(this.#postgres.url, basename(root).replaceAll('-', '_'))
  }

  #report(found: Pick<ProofReport, 'violations' | 'brokenBy' | 'kept'>): ProofReport {
    const { judged, strangersAsked } = this.#tools!.judge
    return { ...this.#tally, ...found, outputsJudged: judged, strangersAsked }
  }

  async end(): Promise<void> {
    await Promise.all(this.#loading.map((life) => life.kill()))
    await this.#postgres?.stop()
    this.#tools?.site.end()
    for (const one of this.#compiled) one.remove()
    if (!this.#isBroken) rmSync(this.#folder, { recursive: true, force: true })
  }
}
