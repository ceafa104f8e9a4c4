import type { Benchmark, Contestant, Run, Runner, Target } from '../../harness/benchmark.ts'
import { repeatFor } from '../../harness/repeat.ts'
import type { BenchScene } from '../../scene.ts'
import type { JobDatabase, JobDriver } from './job-driver.ts'
import { createPostgresJobs } from './postgres-jobs.ts'
import { countRoundTrips } from './round-trips.ts'
import { createSqliteJobs } from './sqlite-jobs.ts'

/** Inserts and claims of durable jobs, on both databases, each against the driver below. */
export const storeBenchmarks = (scene: BenchScene): readonly Benchmark[] =>
  products(scene).flatMap((product) => [insertBenchmark(product), claimBenchmark(product)])

/** What differs between the databases. */
interface Product {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly driver: string
  readonly cores: Contestant['cores']
  create(): Promise<JobDatabase>
  /** Runs a sample and adds the rows per round trip, where there is a network. */
  watch(run: () => Promise<Run>): Promise<Run>
  readonly figures: readonly string[]
  readonly claimTargets: readonly Target[]
}

const PER_TRIP = 'jobs per round trip'

const products = (scene: BenchScene): readonly Product[] => [
  {
    name: 'SQLite',
    driver: '@photostructure/sqlite (WAL, synchronous FULL)',
    cores: 1,
    create: () => createSqliteJobs(scene.folder),
    watch: (run) => run(),
    figures: [],
    claimTargets: claimSizes.map((size) => ({ contestant: kernelOf(size), measure: 'ratio', atLeast: 0.5 })),
  },
  {
    name: 'PostgreSQL',
    driver: 'pg (prepared statement, synchronous_commit on)',
    cores: 2,
    create: async () => createPostgresJobs(await scene.postgres()),
    watch: withRoundTrips,
    figures: [PER_TRIP],
    claimTargets: [{ contestant: kernelOf(100), measure: PER_TRIP, atLeast: 20 }],
  },
]

const insertSizes = [1, 100] as const
const claimSizes = [1, 10, 100] as const

/** Jobs put into the queue per second of a sample: more than any contestant claims in batches of this size. */
const stockPerSecond: Readonly<Record<(typeof claimSizes)[number], number>> = { 1: 10_000, 10: 50_000, 100: 100_000 }

const bareOf = (size: number): string => `bare driver, ${size} at a time`
const kernelOf = (size: number): string => `kernel, ${size} at a time`

const insertBenchmark = (product: Product): Benchmark => ({
  ...common(product, 'insert'),
  title: `Store: adding durable jobs on ${product.name}`,
  question: `How many jobs a second does the kernel's enqueueing write durably to ${product.name}, against a bare insert into the same table?`,
  contestants: insertSizes.flatMap((size) =>
    pair(product, { size, stockPerSecond: 0, turn: (jobs) => jobs.insert(size) }),
  ),
  targets: [],
})

const claimBenchmark = (product: Product): Benchmark => ({
  ...common(product, 'claim'),
  title: `Store: claiming durable jobs on ${product.name}`,
  question: `How many waiting jobs a second does a worker take over under a lease on ${product.name}, against the bare driver running the same statement?`,
  contestants: claimSizes.flatMap((size) =>
    pair(product, { size, stockPerSecond: stockPerSecond[size], turn: (jobs) => jobs.claim(size) }),
  ),
  targets: product.claimTargets,
})

const common = ({ name, driver, figures }: Product, work: string) => ({
  name: `store-${work}-${name.toLowerCase()}`,
  compares: { measure: 'rate', unit: 'jobs/s' },
  figures,
  reference: bareOf(1),
  notes: [`bare driver: ${driver}; one caller, one statement at a time`],
  sampleSeconds: 1,
})

/** One batch size of inserts or claims. */
interface Work {
  readonly size: number
  /** Jobs waiting at the beginning of a sample, per second of its length. */
  readonly stockPerSecond: number
  turn(jobs: JobDriver): number | Promise<number>
}

const pair = (product: Product, work: Work): readonly Contestant[] => [
  { ...entry(product, work, 'bare'), name: bareOf(work.size) },
  { ...entry(product, work, 'kernel'), name: kernelOf(work.size) },
]

const entry = (product: Product, work: Work, side: 'bare' | 'kernel') => ({
  cores: product.cores,
  against: bareOf(work.size),
  setUp: () => setUp(product, work, side),
})

async function setUp(product: Product, { stockPerSecond, turn }: Work, side: 'bare' | 'kernel'): Promise<Runner> {
  const database = await product.create()
  const jobs = await database.open[side]()
  return {
    pids: database.pids,
    prepare: (forMs) => database.fill(Math.ceil((stockPerSecond * forMs) / 1000)),
    run: (forMs) => product.watch(() => repeatFor(forMs, () => turn(jobs))),
    tearDown: async () => {
      await jobs.close()
      await database.drop()
    },
  }
}

async function withRoundTrips(run: () => Promise<Run>): Promise<Run> {
  const { result, roundTrips } = await countRoundTrips(run)
  // Without a count the figure would be infinite, and a broken counter would meet the target.
  if (roundTrips === 0) throw new Error('No round trip to PostgreSQL was seen, so that none can be counted.')
  return { ...result, figures: { [PER_TRIP]: result.operations / roundTrips } }
}
