import { join } from 'node:path'
import type { Benchmark, Contestant, Run, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { type BatchService, startBatchService } from './batch-service.ts'
import type { BatchWorld } from './batch-world.ts'
import { fillPostgres, fillSqlite } from './many-jobs.ts'

const MILLION = 1_000_000
const SAMPLE_SECONDS = 2
const MEDIAN = 'p50 ms'
const P95 = 'p95 ms'

/** Pages operators look at. */
const pages = {
  'first page': () => '',
  'a page in the middle': (jobs: number) => `page=${Math.ceil(jobs / 100)}`,
  'completed, page in the middle': (jobs: number) => `status=Completed&page=${Math.ceil(jobs / 200)}`,
  'failed, first page': () => 'status=Failed',
  'one profile, page in the middle': (jobs: number) => `profile=second&page=${Math.ceil(jobs / 400)}`,
} as const satisfies Record<string, (jobs: number) => string>

/** The two databases, each with a service of its own. */
const products = ['SQLite', 'PostgreSQL'] as const
type Product = (typeof products)[number]

const nameOf = (product: Product, page: string): string => `${product}: ${page}`
const [firstPage = ''] = Object.keys(pages)

/** The job list after years of work. */
export function jobListBenchmark(scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark {
  const libraries = { SQLite: library('SQLite', scene, world), PostgreSQL: library('PostgreSQL', scene, world) }
  const entries = products.flatMap((product) =>
    Object.entries(pages).map(([page, query]) => ({ product, page, query })),
  )
  return {
    name: 'batch-job-list',
    title: 'Batch signer: a page of the job list at 1,000,000 jobs',
    question: 'How long does GET /api/jobs take, wherever the page is and however the list is filtered?',
    compares: { measure: MEDIAN, unit: MEDIAN },
    figures: [P95],
    reference: nameOf('SQLite', firstPage),
    contestants: entries.map(({ product, page, query }) =>
      contestant(libraries[product], nameOf(product, page), query),
    ),
    targets: entries.map(({ product, page }) => ({
      contestant: nameOf(product, page),
      measure: MEDIAN,
      atMost: 20,
    })),
    notes: [
      'pages of 50, one call at a time, over HTTP; rows written by SQL: two profiles, three formats, one in ten failed, spread over 20 days',
      `a turn shorter than ${SAMPLE_SECONDS} s has proportionally fewer jobs`,
    ],
    sampleSeconds: SAMPLE_SECONDS,
    warmUpMs: 0,
  }
}

/** A service with very many jobs, shared by the contestants on its database. */
interface Library {
  /** The service, with so many jobs in its database; calling it again with the same number returns the same one. */
  holding(jobs: number): Promise<BatchService>
  /** Server processes besides the service. */
  pids(): Promise<readonly number[]>
  close(): Promise<void>
}

function library(product: Product, scene: BenchScene, world: () => Promise<BatchWorld>): Library {
  let opened: { readonly jobs: number; readonly service: Promise<BatchService> } | undefined
  const close = async () => {
    const closing = opened
    opened = undefined
    await (await closing?.service)?.remove()
  }
  return {
    holding: async (jobs) => {
      if (opened?.jobs !== jobs) {
        await close()
        opened = { jobs, service: openFilled(product, scene, world, jobs) }
      }
      return opened!.service
    },
    pids: async () => (product === 'SQLite' ? [] : (await scene.postgres()).pids),
    close,
  }
}

/** The service creates the schema, SQL the rows, and statistics are updated: then it starts as after years of use. */
async function openFilled(
  product: Product,
  scene: BenchScene,
  world: () => Promise<BatchWorld>,
  jobs: number,
): Promise<BatchService> {
  const databaseUrl = product === 'SQLite' ? undefined : (await scene.postgres()).url
  const own = { on: scene.folder, key: 'ec', format: 'Pades', moreProfiles: ['second'] } as const
  const options = { ...own, ...(databaseUrl !== undefined && { databaseUrl }) }
  const service = await startBatchService(await world(), options)
  await service.stop()
  if (databaseUrl === undefined) fillSqlite(join(service.folder, 'batch-signer/db/batch-signer.db'), jobs)
  else await fillPostgres(databaseUrl, service.name.replaceAll('-', '_'), jobs)
  return service.restart()
}

type Query = (jobs: number) => string

const contestant = (library: Library, name: string, query: Query): Contestant => ({
  name,
  cores: 1,
  setUp: async () => toRunner(library, await library.pids(), query),
})

function toRunner(library: Library, pids: readonly number[], query: Query): Runner {
  const jobsFor = (forMs: number) => Math.ceil(MILLION * Math.min(1, forMs / (SAMPLE_SECONDS * 1000)))
  return {
    pids,
    prepare: async (forMs) => void (await library.holding(jobsFor(forMs))),
    run: async (forMs) => {
      const jobs = jobsFor(forMs)
      const service = await library.holding(jobs)
      const path = `/api/jobs?${query(jobs)}`
      await requirePage(service, path)
      return timed(forMs, () => service.call('GET', path))
    },
    tearDown: () => library.close(),
  }
}

// A service must not look fast by returning an empty page.
async function requirePage(service: BatchService, path: string): Promise<void> {
  const { items, totalCount } = await service.call<{ items: unknown[]; totalCount: number }>('GET', path)
  if (items.length === 0) throw new Error(`${path} shows none of ${totalCount} jobs.`)
}

async function timed(forMs: number, once: () => Promise<unknown>): Promise<Run> {
  const deadline = performance.now() + forMs
  const times: number[] = []
  do {
    const begun = performance.now()
    await once()
    times.push(performance.now() - begun)
  } while (performance.now() < deadline)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { operations: times.length, figures: { [MEDIAN]: at(0.5), [P95]: at(0.95) } }
}
