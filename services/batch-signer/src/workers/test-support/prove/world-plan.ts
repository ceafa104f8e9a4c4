// The plans of all worlds of a proof, from one seed.
import { type Crash, type LifePlan, stepsOfRecovery, troubles } from './life-plan.ts'
import { Random } from './random.ts'
import { writerKinds } from './site-plan.ts'

export interface ProofOptions {
  /** Processes killed at a random moment. */
  readonly randomKills: number
  /** Steps before and after which a process dies. */
  readonly steps: readonly Crash['point'][]
  /** Runs with each kind of fault. */
  readonly livesPerTrouble: number
  /** Decides every plan. */
  readonly seed: number
  /** Whether somebody takes outputs away at once. Default true. */
  readonly consumer?: boolean
  /** Writers that write in place, per life. Default 1. */
  readonly writersPerLife?: number
  /** Whether a proof goes on after a broken promise, to count them all. */
  readonly goesOn?: boolean
  /** Runs after which a new world begins, so that checking everything stays fast. Default 40. */
  readonly livesPerWorld?: number
  /** Milliseconds a run planned to die at a step gets to reach it. Default 2,500. */
  readonly plannedLifeMs?: number
}

/** One folder and one store, and the runs of the service over them. */
export interface WorldPlan {
  readonly seed: number
  readonly consumer: boolean
  readonly goesOn: boolean
  readonly lives: readonly LifePlan[]
}

/** Longest milliseconds of a working run: enough for many jobs to be at every step. */
const LONGEST_WORK = 800
/** Longest milliseconds of a run that is killed while it starts. */
const LONGEST_BOOT = 400
/** Longest milliseconds for which a writer stops in the middle. */
const LONGEST_PAUSE = 5_000
/** One random kill of so many comes while the service starts. */
const ONE_AT_BOOT_OF = 6

export function worldPlans(options: ProofOptions): readonly WorldPlan[] {
  const random = new Random(options.seed)
  const { livesPerWorld = 40, consumer = true, writersPerLife = 1, goesOn = false } = options
  const lives = random
    .shuffled(livesOf(options, random))
    .flat()
    .map((life) => ({ ...life, writers: repeated(writersPerLife, () => writerOf(random)) }))
  return Array.from({ length: Math.ceil(lives.length / livesPerWorld) }, (_, world) => ({
    seed: options.seed + world,
    consumer,
    goesOn,
    lives: lives.slice(world * livesPerWorld, (world + 1) * livesPerWorld),
  }))
}

/** The stability window of a world is 50 ms: every pause is far longer. */
const writerOf = (random: Random) => ({
  how: random.pick(writerKinds),
  pauseMs: 300 + random.below(LONGEST_PAUSE),
  againMs: random.below(LONGEST_WORK),
})

/** Every planned run, with the run before it where it needs one. */
function livesOf(options: ProofOptions, random: Random): readonly (readonly LifePlan[])[] {
  const { randomKills, steps, livesPerTrouble, plannedLifeMs = 2_500 } = options
  const workMs = () => Math.ceil(random.next() * LONGEST_WORK)
  const crashes = steps.flatMap((point) =>
    (['before', 'after'] as const).map((side) => crashLives({ point, side }, plannedLifeMs, random)),
  )
  const troubled = troubles.flatMap((trouble) => repeated(livesPerTrouble, () => [{ trouble, workMs: workMs() }]))
  return [...crashes, ...troubled, ...repeated(randomKills, () => [randomLife(workMs(), random)])]
}

const randomLife = (workMs: number, random: Random): LifePlan => ({
  workMs,
  ...(random.below(ONE_AT_BOOT_OF) === 0 && { killedAtBootMs: random.below(LONGEST_BOOT) }),
})

/** A crash in recovery needs something to recover: the run before leaves it behind. */
function crashLives({ point, side }: Omit<Crash, 'nth'>, workMs: number, random: Random): LifePlan[] {
  if (!isOfRecovery(point)) return [{ crash: { point, side, nth: 1 + random.below(2) }, workMs }]
  // A staged copy of a large file, or a signed file whose job has not completed. Recovery never takes
  // these steps, so that it cannot die of the first crash.
  const left = point === 'rename job-folder' ? 'rename partial' : 'fsync processing'
  return [
    { crash: { point: left, side: 'after', nth: 1 }, workMs },
    { crash: { point, side, nth: 1 }, workMs },
  ]
}

const isOfRecovery = (point: Crash['point']): boolean => (stepsOfRecovery as readonly Crash['point'][]).includes(point)

const repeated = <T>(times: number, make: () => T): T[] => Array.from({ length: times }, make)
