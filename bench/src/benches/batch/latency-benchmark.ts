import { sign } from 'node:crypto'
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark, Contestant, Run } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { pdfSamples } from '../signatures/sample-documents.ts'
import { type BatchService, startBatchService } from './batch-service.ts'
import type { BatchWorld } from './batch-world.ts'

const FLOOR = 'one signature, one durable file'
const DROPPED = 'dropped into the folder, beyond the stability window'
const UPLOADED = 'uploaded'
const P50 = 'p50 ms'
const P95 = 'p95 ms'

/** The stability window of the default settings: three checks, half a second apart, that find the file unchanged. */
const WINDOW_MS = 3 * 500

/** One file while nothing else happens. */
export const latencyBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'batch-latency',
  title: 'Batch signer: one file of 20 KB, nothing else to do',
  question: 'How long does a single file take until its job is Completed?',
  compares: { measure: P95, unit: P95 },
  figures: [P50],
  reference: FLOOR,
  contestants: [
    contestant(FLOOR, () => floor(scene, world)),
    contestant(DROPPED, () => served(scene, world, dropFile)),
    contestant(UPLOADED, () => served(scene, world, uploadFile)),
  ],
  targets: [
    { contestant: DROPPED, measure: P95, atMost: 200 },
    { contestant: UPLOADED, measure: P95, atMost: 300 },
  ],
  notes: [
    `default settings, PAdES with RSA-2048, verified; the file appears whole; ${WINDOW_MS} ms of stability window are taken off the time of the folder`,
    'the job is asked for every 5 ms, which is in the figures',
  ],
  sampleSeconds: 20,
  warmUpMs: 5_000,
})

/** One way of signing a file; returns the milliseconds it took. */
interface Way {
  readonly pids: readonly number[]
  once(): Promise<number>
  end(): Promise<void>
}

const contestant = (name: string, open: () => Promise<Way>): Contestant => ({
  name,
  cores: 1,
  setUp: async () => {
    const { pids, once, end } = await open()
    return { pids, run: (forMs) => repeated(once, forMs), tearDown: end }
  },
})

async function repeated(once: () => Promise<number>, forMs: number): Promise<Run> {
  const deadline = performance.now() + forMs
  const times: number[] = []
  do times.push(await once())
  while (performance.now() < deadline)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { operations: times.length, figures: { [P50]: at(0.5), [P95]: at(0.95) } }
}

async function floor(scene: BenchScene, world: () => Promise<BatchWorld>): Promise<Way> {
  const { privateKey } = (await world()).holders.rsa
  const folder = await mkdtemp(join(scene.folder, 'floor-'))
  const content = pdfSamples['20 KB']()
  let files = 0
  return {
    pids: [],
    once: async () => {
      const begun = performance.now()
      sign('sha256', content, privateKey)
      const file = await open(join(folder, String(files++)), 'w')
      await file.writeFile(content)
      await file.sync()
      await file.close()
      return performance.now() - begun
    },
    end: () => rm(folder, { recursive: true, force: true }),
  }
}

type Deliver = (service: BatchService, name: string) => Promise<number>

async function served(scene: BenchScene, world: () => Promise<BatchWorld>, deliver: Deliver): Promise<Way> {
  const service = await startBatchService(await world(), { on: scene.folder, key: 'rsa', format: 'Pades' })
  let files = 0
  return { pids: [service.pid], once: () => deliver(service, `file-${files++}.pdf`), end: () => service.remove() }
}

async function dropFile(service: BatchService, name: string): Promise<number> {
  const aside = join(service.folder, name)
  await writeFile(aside, pdfSamples['20 KB']())
  const begun = performance.now()
  await rename(aside, join(service.input, name))
  // No polling while nothing can have happened yet.
  await sleep(WINDOW_MS - 100)
  const newest = () => service.call<JobPage>('GET', '/api/jobs?pageSize=1')
  await until(async () => {
    const [job] = (await newest()).items
    return job?.fileName === name ? job.status : undefined
  })
  return performance.now() - begun - WINDOW_MS
}

async function uploadFile(service: BatchService, name: string): Promise<number> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(pdfSamples['20 KB']())]), name)
  const begun = performance.now()
  const { jobId } = await service.call<{ jobId: string }>('POST', '/api/files', form)
  await until(async () => (await service.call<Job>('GET', `/api/jobs/${jobId}`)).status)
  return performance.now() - begun
}

interface Job {
  readonly fileName: string
  readonly status: string
}

interface JobPage {
  readonly items: readonly Job[]
}

async function until(status: () => Promise<string | undefined>): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await sleep(5)) {
    const now = await status()
    if (now === 'Completed') return
    if (now === 'Failed') throw new Error('The job failed.')
  }
  throw new Error('The job was not completed within 30 s.')
}
