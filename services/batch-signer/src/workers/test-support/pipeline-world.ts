import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '@chancela/service-kernel/clock'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished } from 'vitest'
import { type DecisionRequest, decide } from '../../actions/decide.ts'
import { openBatchMetrics } from '../../metrics.ts'
import { openDestinations } from '../../parts/destinations.ts'
import { configuredFolders, type FolderDirectory } from '../../parts/folders/folder-directory.ts'
import { FolderHolds } from '../../parts/folders/folder-holds.ts'
import { LiveTopics } from '../../parts/live-topics.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { StuckFiles } from '../../parts/stuck-files.ts'
import { formatByExtension } from '../../rules/job.ts'
import type { NewJob } from '../../store/job-ledger.ts'
import { type OpenStore, openBatchStore } from '../../test-support/ledger-world.ts'
import { createEnvelopeFiles } from '../../upstream/storage/local/envelope-files.ts'
import { createInputFiles } from '../../upstream/storage/local/input-files.ts'
import { createWorkArea } from '../../upstream/storage/local/work-area.ts'
import { handBack, type RejectedRow } from '../approvals/hand-back.ts'
import { Waits } from '../approvals/waits.ts'
import { createPipeline, type PipelineParts } from '../pipeline/create-pipeline.ts'
import type { DisposableJob } from '../pipeline/input-disposal.ts'
import { recoverAtStart } from '../recovery/recover-at-start.ts'
import { Sweeper } from '../recovery/sweeper.ts'
import { type DemoSigner, demoSigner } from './demo-signer.ts'
import { type FileCall, type FileFault, faultyFiles } from './faulty-files.ts'
import { type ContextOptions, openContext } from './open-context.ts'
import { plainProfiles } from './plain-profiles.ts'

export interface WorldOptions {
  readonly settings?: ContextOptions['settings']
  readonly profiles?: Parameters<typeof plainProfiles>[0]['profiles']
  /** Whether a held profile can sign again; throws ProfileHeld while it cannot. */
  probe?(profile: string): Promise<void>
  /** Changes the profiles of the world, for example to a failing key. */
  wrapProfiles?(profiles: ProfileDirectory): ProfileDirectory
  /** Default: the system's. */
  readonly clock?: Clock
  /** Faults of the file system. */
  faults?(call: FileCall): FileFault | undefined
}

let signer: Promise<DemoSigner> | undefined

/** The pipeline over a store and a temporary root, with an input folder and a key of the demo PKI. */
export async function pipelineWorld(open: OpenStore, options: WorldOptions = {}) {
  signer ??= demoSigner()
  const demo = await signer
  const store = await openBatchStore(open)
  const root = temporaryFolder()
  mkdirSync(join(root, 'input'))
  const context = await openContext({
    store,
    clock: options.clock ?? systemClock,
    dataFolder: root,
    settings: options.settings ?? {},
    onTrouble: (error) => pipeline.storeTrouble(error),
    onRecovery: () => pipeline.storeRecovered(),
  })
  const fs = faultyFiles((call) => options.faults?.(call))
  const work = await createWorkArea({ root, fs })
  const inputs = createInputFiles({ root, inMemoryBytes: context.settings.Pipeline.InMemoryBytes, fs })
  const metrics = openBatchMetrics(context)
  const { profiles, probe } = options
  const plain = plainProfiles({ ...demo, ...(profiles && { profiles }), ...(probe && { probe }) })
  const handedBack: DisposableJob[] = []
  const onDiverged = (job: DisposableJob) => handedBack.push(job)
  const stuck = new StuckFiles(context)
  const watched = configuredFolders(context)
  const folderHolds = new FolderHolds(context, { watched, work, firstRetryMs: 20 })
  const parts: PipelineParts = {
    profiles: options.wrapProfiles?.(plain) ?? plain,
    work,
    inputs,
    envelopes: createEnvelopeFiles({ root, fs }),
    metrics,
    stuck,
    folderHolds,
    destinations: await openDestinations(watched, work),
    onDiverged,
    probeMs: 20,
  }
  const pipeline = createPipeline(context, parts)
  const destinations = parts.destinations!
  const countDiverged = (profile: string) => metrics.bulk_inputs_diverged_total.inc({ profile })
  const disposal = { inputs, stuck, folderHolds, countDiverged, onDiverged }
  const handingBack = { work, inputs, profiles: parts.profiles, destinations, disposal }
  const live = new LiveTopics()
  const waits = new Waits(context, { ...handingBack, metrics })
  const rejected = (job: RejectedRow) => handBack(context, handingBack, job)
  onTestFinished(async () => {
    await waits.stop()
    live.close()
    await pipeline.stop(5_000)
    folderHolds.close()
    await context.close()
  })

  const row = (id: string) => store.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    root,
    context,
    store,
    work,
    inputs,
    pipeline,
    waits,
    live,
    decide: (request: DecisionRequest) =>
      decide(context, { profiles: parts.profiles, destinations, metrics, live }, request, context.clock()),
    holds: plain.holds,
    folderHolds,
    watched,
    handedBack,
    rootPem: demo.rootPem,
    row,
    recover: (folders: Pick<FolderDirectory, 'list'> = watched) =>
      recoverAtStart(context, { work, inputs, metrics, stuck, folderHolds, watched: folders, handBack: rejected }),
    sweeper: new Sweeper(context, {
      work,
      inputs,
      metrics,
      stuck,
      folderHolds,
      watched,
      handBack: rejected,
      onDiverged,
      isRunning: (id) => pipeline.isRunning(id) || waits.isBusy(id),
      isLiveElsewhere: () => false,
    }),
    stuck,
    metric: async (line: string) => {
      const text = await context.metrics.text()
      const found = text.split('\n').find((one) => one.startsWith(`${line} `))
      return found === undefined ? undefined : Number(found.split(' ').at(-1))
    },
    /** The job as it was queued. */
    async jobOf(id: string): Promise<NewJob> {
      const { file_name, original_path, input_folder, format, source, profile_name } = await row(id)
      const path = { fileName: file_name, originalPath: original_path!, inputFolder: input_folder }
      return { id, ...path, format, source, profileName: profile_name, message: 'Seen again.' }
    },
    /** Puts a file into the input folder and queues it, as the watcher would. */
    async drop(fileName: string, bytes: Uint8Array | string, over: Partial<NewJob> = {}): Promise<string> {
      const id = randomUUID()
      const originalPath = join(root, 'input', fileName)
      writeFileSync(originalPath, bytes)
      const job: NewJob = {
        id,
        fileName,
        originalPath,
        inputFolder: 'default',
        format: formatByExtension(fileName),
        source: 'Watcher',
        profileName: 'default',
        message: 'Seen in the folder default.',
        ...over,
      }
      expect(await context.ledger.enqueue(job, systemClock())).toEqual({ outcome: 'Enqueued' })
      return id
    },
    /** Waits until the job has ended and its input is disposed of; returns its row. */
    async ended(id: string) {
      const isOver = async () => {
        const { status, input_disposal } = await row(id)
        return ['Completed', 'Failed', 'Canceled'].includes(status) && input_disposal !== 'pending'
      }
      await expect.poll(isOver, { interval: 10 }).toBe(true)
      return row(id)
    },
    history: (id: string) =>
      store.db
        .selectFrom('job_history')
        .select(['status', 'code', 'message'])
        .where('job_id', '=', id)
        .orderBy('id')
        .execute(),
    eventTypes: async () => (await context.events.list()).items.map(({ type }) => type),
    has: (...path: string[]) => existsSync(join(root, ...path)),
    read: (...path: string[]) => readFileSync(join(root, ...path)),
    list: (folder: 'input' | 'processing' | 'output' | 'error') => readdirSync(join(root, folder)).sort(),
  }
}
