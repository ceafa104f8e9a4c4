// One trial: the suite under load, broken for a while, and what became of it.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Deed, deedsIn } from './deeds.ts'
import type { Fault } from './faults.ts'
import { Readiness, TOLD_WITHIN } from './readiness.ts'
import type { World } from './world.ts'

const SECOND = 1000

/** How long each part of a trial takes, in seconds. */
interface Parts {
  readonly before: number
  readonly broken: number
  /** At most. */
  readonly recovery: number
}

const wholeParts: Parts = { before: 2, broken: 12, recovery: 60 }

export interface TrialReport {
  readonly faults: readonly string[]
  readonly world: string
  /** Deeds that were done, before, during and after. */
  readonly done: number
  readonly failed: number
  /** Things confirmed that were looked at in the end. */
  readonly confirmed: number
  /** Seconds until every kind of deed worked again. */
  readonly servesAfter: number | undefined
  readonly violations: readonly string[]
  /** Seconds until the process had ended, where it was asked to stop; undefined when it had not. */
  readonly endedAfter?: number | undefined
}

type Check = () => Promise<string | undefined>

/** Does all deeds again and again, side by side. */
class Load {
  readonly checks: Check[] = []
  readonly bugs: string[] = []
  done = 0
  failed = 0
  /** When a deed was done last, by name. */
  readonly lastDone = new Map<string, number>()
  readonly lastProblem = new Map<string, string>()
  readonly deeds: readonly Deed[]
  #isOver = false
  readonly #running: Promise<unknown>

  constructor(world: World) {
    this.deeds = deedsIn(world, this.bugs)
    this.#running = Promise.all(this.deeds.map((deed) => this.#repeat(deed)))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #repeat(deed: Deed): Promise<void> {
    while (!this.#isOver) {
      const begun = performance.now()
      try {
        await deed.act((check) => this.checks.push(check))
        this.done += 1
        this.lastDone.set(deed.name, begun)
      } catch (error) {
        this.failed += 1
        this.lastProblem.set(deed.name, String(error))
      }
      await sleep(400)
    }
  }
}

/** Breaks the suite with all of these at once, and mends them. */
export async function trial(world: World, faults: readonly Fault[], parts = wholeParts): Promise<TrialReport> {
  const violations: string[] = []
  const load = new Load(world)
  await sleep(parts.before * SECOND)
  const readiness = new Readiness(world)
  const begun = performance.now()
  const undoing = []
  for (const fault of faults) undoing.push(await fault.begin(world))
  const broken = performance.now()
  await sleep(begun + parts.broken * SECOND - performance.now())
  for (const undo of undoing.reverse()) await undo()
  const mended = performance.now()
  violations.push(...readiness.untold(faults, { begun, broken }))
  const servesAfter = await servedAgain(load, mended, parts)
  violations.push(...stillBroken(load, mended, parts))
  await readiness.end(mended, violations)
  await load.end()
  if (world.suite.ended !== undefined) violations.push(`the suite ${world.suite.ended}`)
  violations.push(...load.bugs.map((bug) => `500: ${bug}`), ...(await lostOf(load.checks)))
  const { done, failed, checks } = load
  return {
    faults: faults.map(({ name }) => name),
    world: world.kind,
    done,
    failed,
    confirmed: checks.length,
    servesAfter,
    violations: counted(violations),
  }
}

/** For the services in turn (5 s), their requests (20 s), all else (10 s), and the process of a busy machine. */
const STOP_SECONDS = 40

/** Breaks the suite, and asks it to stop while it is broken. */
export async function stopTrial(world: World, faults: readonly Fault[], { before } = wholeParts): Promise<TrialReport> {
  const load = new Load(world)
  await sleep(before * SECOND)
  const undoing = []
  const readiness = new Readiness(world)
  const begun = performance.now()
  for (const fault of faults) undoing.push(await fault.begin(world))
  const broken = performance.now()
  await sleep(begun + TOLD_WITHIN * SECOND - performance.now())
  const violations = [...readiness.untold(faults, { begun, broken })]
  await readiness.close()
  if (world.suite.ended !== undefined) violations.push(`the suite ${world.suite.ended} before it was asked to`)
  const asked = performance.now()
  const hasEnded = await world.suite.stop(STOP_SECONDS)
  const endedAfter = hasEnded ? (performance.now() - asked) / SECOND : undefined
  // Disks of the suite are gone with it.
  for (const undo of undoing.reverse())
    await Promise.resolve()
      .then(undo)
      .catch(() => undefined)
  await load.end()
  const { ended } = world.suite
  violations.push(...load.bugs.map((bug) => `500: ${bug}`))
  if (!hasEnded) violations.push(`the suite does not end within ${STOP_SECONDS} s`)
  else if (ended !== 'ended with 0') violations.push(`the suite ${ended}`)
  const { done, failed } = load
  const names = faults.map(({ name }) => name)
  const report = { faults: names, world: world.kind, done, failed, confirmed: 0, servesAfter: undefined, endedAfter }
  return { ...report, violations: counted(violations) }
}

/** What happened many times is said once, whatever its ids are. */
function counted(all: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  for (const one of all.map((text) => text.replace(/[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')))
    times.set(one, (times.get(one) ?? 0) + 1)
  return [...times].map(([one, n]) => (n === 1 ? one : `${one} (${n} times)`))
}

const missing = (load: Load, mended: number): readonly string[] =>
  load.deeds.map(({ name }) => name).filter((name) => (load.lastDone.get(name) ?? 0) < mended)

/** Seconds until every kind of deed was begun after the mending and done; undefined when it never was. */
async function servedAgain(load: Load, mended: number, { recovery }: Parts): Promise<number | undefined> {
  while (missing(load, mended).length > 0 && performance.now() < mended + recovery * SECOND) await sleep(100)
  return missing(load, mended).length === 0 ? (performance.now() - mended) / SECOND : undefined
}

const stillBroken = (load: Load, mended: number, { recovery }: Parts): readonly string[] =>
  missing(load, mended).map((name) => `${name} do not work again after ${recovery} s: ${load.lastProblem.get(name)}`)

/** A document whose signing was cut off is looked at again after half of its age, which is some twenty seconds here. */
const SETTLED_WITHIN = 30
const ASKED_EVERY = 0.5

/** Asked again for a while: what is under way when it is first asked may need a moment. */
async function lostOf(checks: readonly Check[]): Promise<readonly string[]> {
  const lost: string[] = []
  const left = [...checks]
  const askAll = async () => {
    for (let check = left.shift(); check; check = left.shift()) {
      const reason = await asked(check)
      if (reason !== undefined) lost.push(`lost: ${reason}`)
    }
  }
  await Promise.all(Array.from({ length: 6 }, askAll))
  return lost
}

async function asked(check: Check): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const reason = await check().catch(String)
    if (reason === undefined || tries * ASKED_EVERY >= SETTLED_WITHIN) return reason
    await sleep(ASKED_EVERY * SECOND)
  }
}
