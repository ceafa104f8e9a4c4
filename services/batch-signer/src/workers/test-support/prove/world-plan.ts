// The plans of all worlds of a proof, from one seed.
import { actNames } from './acts.ts'
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
  /** One life of so many has acts of an operator; 0 for none. Default 3. */
  readonly actsInOneOf?: number
  /** Changes of the store, and second processes, per world. Default 2 each. */
  readonly storeChanges?: number
  readonly seconds?: number
  /** Databases, by turns from world to world. Default SQLite, and PostgreSQL in every fourth world. */
  readonly databases?: readonly WorldPlan['database'][]
  /** Whether a proof goes on after a broken promise, to count them all. */
  readonly goesOn?: boolean
  /** Runs after which a new world begins, so that checking everything stays fast. Default 40. */
  readonly livesPerWorld?: number
  /** Milliseconds a run planned to die at a step gets to reach it. Default 8,000. */
  readonly plannedLifeMs?: number
}

/** One folder and one store, and the runs of the service over them. */
export interface WorldPlan {
  readonly seed: number
  readonly database: 'sqlite' | 'postgresql'
  readonly cluster: boolean
  readonly consumer: boolean
  readonly goesOn: boolean
  readonly lives: readonly LifePlan[]
}

/** Longest milliseconds of a working run: enough for many jobs to be at every step. */
const LONGEST_WORK = 800
/** Longest milliseconds of a run that is killed while it starts. */
const LONGEST_BOOT = 400
/** The certificate of a world does not expire in it. */
const MOST_DAYS = 150
/** Longest milliseconds for which a writer stops in the middle. */
const LONGEST_PAUSE = 5_000
/** One random kill of so many comes while the service starts. */
const ONE_AT_BOOT_OF = 6

export function worldPlans(options: ProofOptions): readonly WorldPlan[] {
  const random = new Random(options.seed)
  const {
    databases = BY_TURNS,
    livesPerWorld = 40,
    actsInOneOf = 3,
    storeChanges = 2,
    seconds = 2,
    consumer = true,
    writersPerLife = 1,
    goesOn = false,
  } = options
  const lives = random
    .shuffled(livesOf(options, random))
    .flat()
    .map((life) => ({ ...life, writers: repeated(writersPerLife, () => writerOf(random)) }))
  return Array.from({ length: Math.ceil(lives.length / livesPerWorld) }, (_, world) => ({
    seed: options.seed + world,
    database: databases[world % databases.length]!,
    // By turns, and repeated by the seed.
    cluster: (options.seed + world) % 2 === 1,
    consumer,
    goesOn,
    lives: befallen(
      actedOn(lives.slice(world * livesPerWorld, (world + 1) * livesPerWorld), actsInOneOf, random),
      [...changes(storeChanges, 'database', storeFates), ...changes(seconds, 'second', secondFates)],
      random,
    ),
  }))
}

const BY_TURNS = ['sqlite', 'sqlite', 'sqlite', 'postgresql'] as const
const storeFates = ['lost', 'older'] as const
const secondFates = ['beside', 'while the first is frozen'] as const

/** Each fate by turns, as a part of the plan of a run. */
const changes = (times: number, part: 'database' | 'second', fates: readonly string[]): readonly Partial<LifePlan>[] =>
  Array.from({ length: times }, (_, index) => ({ [part]: fates[index % fates.length] }))

/** Gives each fate to a run of its own that was planned for nothing else. */
function befallen(
  lives: readonly LifePlan[],
  fates: readonly Partial<LifePlan>[],
  random: Random,
): readonly LifePlan[] {
  const plain = lives.flatMap((life, index) => (isPlain(life) && index > 2 ? [index] : []))
  const chosen = random.shuffled(plain).slice(0, fates.length)
  return lives.map((life, index) => ({ ...life, ...fates[chosen.indexOf(index)] }))
}

const isPlain = ({ crash, trouble, killedAtBootMs, acts }: LifePlan): boolean =>
  !crash && !trouble && killedAtBootMs === undefined && !acts?.length

/** Days after which retention forgets an ended job, and one more. */
const DAYS_OF_RETENTION = 31
/** Longest milliseconds of a run with acts: some are killed in the middle of one, most after. */
const ACTS_TAKE = 6_000

const someActs = (random: Random) => ['cancel' as const, random.pick(actNames)]

/** Adds acts to some runs. From a clean-up on, the clock of the world is a month later. */
function actedOn(lives: readonly LifePlan[], oneOf: number, random: Random): readonly LifePlan[] {
  let daysOn = 0
  return lives.map((life) => {
    const acts = isPlain(life) && oneOf > 0 && random.below(oneOf) === 0 ? someActs(random) : []
    if (acts.includes('clean up') && daysOn < MOST_DAYS) daysOn += DAYS_OF_RETENTION
    return { ...life, daysOn, acts, workMs: acts.length > 0 ? random.below(ACTS_TAKE) : life.workMs }
  })
}

/** The stability window of a world is 50 ms: every pause is far longer. */
const writerOf = (random: Random) => ({
  how: random.pick(writerKinds),
  pauseMs: 300 + random.below(LONGEST_PAUSE),
  againMs: random.below(LONGEST_WORK),
})

/** Every planned run, with the run before it where it needs one. */
function livesOf(options: ProofOptions, random: Random): readonly (readonly LifePlan[])[] {
  const { randomKills, steps, livesPerTrouble, plannedLifeMs = 8_000 } = options
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
