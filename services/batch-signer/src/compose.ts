import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createMailer, type Mailer } from '@chancela/outbox/mail'
import { deliveriesPurge } from '@chancela/outbox/webhooks'
import { type Check, storeCheckOptions } from '@chancela/service-kernel/health'
import type { ServiceContext } from '@chancela/service-kernel/service'
import type { Worker } from '@chancela/service-kernel/workers'
import { beginServiceLife, type ServiceLife } from './actions/begin-service-life.ts'
import type { Elsewhere } from './actions/sign-elsewhere/begin-signing.ts'
import type { Context } from './context.ts'
import { type BatchMetrics, openBatchMetrics } from './metrics.ts'
import { approverNotices } from './parts/approvals/approver-notices.ts'
import { ApproverSignatures } from './parts/approvals/approver-signatures.ts'
import { SecondFactors } from './parts/approvals/second-factors.ts'
import { openSigningLinks } from './parts/approvals/signing-links.ts'
import { databaseCheck } from './parts/database-check.ts'
import { type Destinations, openDestinations } from './parts/destinations.ts'
import { type FolderDirectory, openFolderDirectory } from './parts/folders/folder-directory.ts'
import { FolderHolds } from './parts/folders/folder-holds.ts'
import { Instances } from './parts/instances.ts'
import { LiveTopics } from './parts/live-topics.ts'
import { loggedReadiness } from './parts/logged-readiness.ts'
import { openProfileDirectory, type Profiles } from './parts/signing/open-profile-directory.ts'
import { StuckFiles } from './parts/stuck-files.ts'
import { configureWebhooks, openWebhooks } from './parts/webhooks/open-webhooks.ts'
import { webhookTeller } from './parts/webhooks/webhook-teller.ts'
import type { BatchSignerSettings } from './settings.ts'
import { isMailMoot } from './store/approver-notices.ts'
import { JobLedger } from './store/job-ledger.ts'
import { tellerOf } from './store/job-news.ts'
import type { Tables } from './store/tables.ts'
import { createEnvelopeFiles } from './upstream/storage/local/envelope-files.ts'
import { createInputFiles } from './upstream/storage/local/input-files.ts'
import { probeFolder } from './upstream/storage/local/probe-folder.ts'
import { createWorkArea } from './upstream/storage/local/work-area.ts'
import type { EnvelopeFiles, InputFiles, WorkArea } from './upstream/storage/storage.ts'
import { handBack, type RejectedRow } from './workers/approvals/hand-back.ts'
import { KeptSignatures } from './workers/approvals/kept-signatures.ts'
import { Waits } from './workers/approvals/waits.ts'
import { type Backup, createBackup } from './workers/backup/backup.ts'
import { createIntake, type Intake } from './workers/intake/intake.ts'
import { approverMails } from './workers/notices/approver-mails.ts'
import { HoldNotices } from './workers/notices/hold-notices.ts'
import { Notices } from './workers/notices/notices.ts'
import { createPipeline, type Pipeline } from './workers/pipeline/create-pipeline.ts'
import { recoverAtStart } from './workers/recovery/recover-at-start.ts'
import { Sweeper } from './workers/recovery/sweeper.ts'
import { createRetention, type Retention } from './workers/retention/retention.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly folders: FolderDirectory
  readonly folderHolds: FolderHolds
  readonly profiles: Profiles
  readonly envelopes: EnvelopeFiles
  readonly signatures: ApproverSignatures
  readonly elsewhere: Elsewhere
  readonly keptSignatures: KeptSignatures
  readonly work: WorkArea
  readonly inputs: InputFiles
  readonly destinations: Destinations
  readonly pipeline: Pipeline
  readonly waits: Waits
  readonly sweeper: Sweeper
  readonly instances: Instances
  readonly intake: Intake
  readonly retention: Retention
  readonly backup: Backup
  readonly metrics: BatchMetrics
  readonly mailer: Mailer
  readonly holdNotices: HoldNotices
  readonly notices: Notices
  readonly telling: readonly Pick<Worker, 'start'>[]
  readonly live: LiveTopics
  readonly secondFactors: SecondFactors
  readonly life: ServiceLife
}

/** Opens what all parts share. */
export function openContext(given: ServiceContext<BatchSignerSettings, Tables>): {
  context: Context
  troubles: StoreTroubles
} {
  const { store, settings, closing, logger } = given
  const troubles = new StoreTroubles()
  const ledger = new JobLedger({
    store,
    owner: `${hostname()}/${randomUUID()}`,
    namesOnce: settings.Pipeline.RejectAlreadyProcessedFileNames,
    onTrouble: (error) => troubles.onTrouble(error),
    onRecovery: () => troubles.onRecovery(),
    tell: tellerOf([approverNotices(settings), webhookTeller(given)]),
  })
  closing.add('the ledger of jobs', () => ledger.close())
  const readiness = loggedReadiness(given.readiness, logger)
  return { context: { ...given, ledger, readiness }, troubles }
}

/** Forwards store failures of the ledger to the pipeline, which is opened after it. */
export class StoreTroubles {
  pipeline: Pick<Pipeline, 'storeTrouble' | 'storeRecovered' | 'waitsForStorage'> | undefined

  onTrouble(error: unknown): void {
    this.pipeline?.storeTrouble(error)
  }

  onRecovery(): void {
    this.pipeline?.storeRecovered()
  }
}

/** Opens every part: recovery after a crash runs first, then intake and signing may start. */
export async function openParts(context: Context, troubles: StoreTroubles): Promise<Parts> {
  const { settings, dataFolder, closing } = context
  const root = resolve(dataFolder, settings.Storage.Root)
  context.disks.watch('work', root)
  const instances = await Instances.open(context)
  await configureWebhooks(context)
  const life = await beginServiceLife(context)
  const live = openLive(context)
  const metrics = openBatchMetrics(context, () => troubles.pipeline?.waitsForStorage() !== undefined)
  const folders = await openFolderDirectory(context)
  const profiles = await openProfileDirectory(context, { watched: folders })
  const work = await createWorkArea({ root })
  const envelopes = createEnvelopeFiles({ root })
  const signatures = new ApproverSignatures(context, { profiles, envelopes, metrics })
  const inputs = createInputFiles({ root, inMemoryBytes: settings.Pipeline.InMemoryBytes })
  const onFoldersChanged = () => live.announce('folders')
  const stuck = new StuckFiles(context)
  const destinations = await openDestinations(folders, work)
  const folderHolds = new FolderHolds(context, { watched: folders, work })
  const stopTrying = folders.onChange(() => folderHolds.tryAll())
  closing.add('the held folders', async () => {
    stopTrying()
    folderHolds.close()
  })
  context.readiness.add('outputs', () => stuck.checkOutputs(), { gates: false })
  const intake = await createIntake(context, { profiles, work, watched: folders, stuck, folderHolds, onFoldersChanged })
  const isBusy = ({ owner }: { owner: string | null }) => instances.isLiveElsewhere(owner)
  const countDiverged = (profile: string) => metrics.bulk_inputs_diverged_total.inc({ profile })
  const onDiverged = ({ original_path }: { original_path: string | null }) => {
    if (original_path !== null) intake.offer(original_path)
  }
  const handingBack = {
    work,
    inputs,
    profiles,
    destinations,
    disposal: { inputs, stuck, folderHolds, countDiverged, onDiverged },
  }
  const waits = new Waits(context, { ...handingBack, metrics })
  const rejected = (job: RejectedRow) => handBack(context, handingBack, job)
  const recovery = { work, inputs, metrics, stuck, folderHolds, watched: folders, handBack: rejected }
  await recoverAtStart(context, recovery, { isBusy, strays: instances.isAlone })
  const mayClaim = () => instances.mayClaim()
  const pipeline = createPipeline(context, {
    profiles,
    work,
    inputs,
    envelopes,
    metrics,
    stuck,
    folderHolds,
    onDiverged,
    mayClaim,
    destinations,
  })
  troubles.pipeline = pipeline
  const isRunning = (jobId: string) => pipeline.isRunning(jobId) || waits.isBusy(jobId)
  const { isLiveElsewhere, lookAround } = instances
  const sweeper = new Sweeper(context, { ...recovery, onDiverged, isRunning, isLiveElsewhere, lookAround })
  context.readiness.add('database', databaseCheck(context), storeCheckOptions)
  context.readiness.add('work-folders', workFolders(root, pipeline))
  const mailer = openMailer(context, metrics)
  const holdNotices = new HoldNotices(context, { profiles: profiles.holds, folders: folderHolds, live, metrics })
  const notices = new Notices(context, { profiles, watched: folders, folderHolds, mailer, metrics })
  const telling = await openTelling(context, { mailer, metrics })
  closing.add('the notices of held profiles', () => holdNotices.stop())
  closing.add('the notices by mail', () => notices.stop())
  const retention = createRetention(context, { work, live })
  const backup = await createBackup(context, { metrics, live })
  closing.add('the backups', () => backup.stop())
  closing.add('the retention', () => retention.stop())
  closing.add('the pipeline', () => pipeline.stop())
  closing.add('the sweeper', () => sweeper.stop())
  closing.add('the waits for approval', () => waits.stop())
  const workers = {
    pipeline,
    waits,
    sweeper,
    instances,
    intake,
    retention,
    backup,
    mailer,
    holdNotices,
    notices,
    telling,
  }
  const secondFactors = new SecondFactors(context, metrics)
  const decisions = { profiles, destinations, live, metrics }
  const elsewhere = { context, links: openSigningLinks(context), signatures, decisions }
  const keptSignatures = new KeptSignatures(elsewhere)
  closing.add('the kept signatures', () => keptSignatures.stop())
  return {
    folders,
    folderHolds,
    profiles,
    envelopes,
    signatures,
    elsewhere,
    keptSignatures,
    secondFactors,
    work,
    inputs,
    destinations,
    ...workers,
    metrics,
    live,
    life,
  }
}

/** Starts the workers; called after the routes are registered. */
export function startWorking(parts: Parts): void {
  const { intake, pipeline, waits, sweeper, instances, retention, backup, mailer, holdNotices, notices, telling } =
    parts
  parts.keptSignatures.start()
  mailer.start()
  holdNotices.start()
  notices.start()
  for (const worker of telling) worker.start()
  pipeline.start()
  waits.start()
  sweeper.start()
  instances.start()
  intake.start()
  retention.start()
  backup.start()
}

function openMailer(context: Context, metrics: BatchMetrics): Mailer {
  const counted = { mail_attempts_total: metrics.bulk_mail_attempts_total, mail_waiting: metrics.bulk_mail_waiting }
  const { settings, store, clock } = context
  const isMoot = (about: string) => isMailMoot(store.db, about, clock())
  const mailer = createMailer({ ...context, settings: settings.Email, metrics: counted, isMoot })
  context.closing.add('the mails', () => mailer.stop())
  return mailer
}

/** What tells people and programs outside of jobs: only as far as the settings ask for it. */
async function openTelling(
  context: Context,
  { mailer, metrics }: { readonly mailer: Mailer; readonly metrics: BatchMetrics },
): Promise<readonly Pick<Worker, 'start'>[]> {
  const { closing } = context
  const toApprovers = await approverMails(context, { mailer })
  if (toApprovers) closing.add('the mails to approvers', () => toApprovers.stop())
  const webhooks = openWebhooks(context, metrics)
  const purge = webhooks && deliveriesPurge(context)
  if (purge) closing.add('the purge of the webhook log', () => purge.stop())
  return [toApprovers, webhooks, purge].filter((worker) => worker !== undefined)
}

/** Red while an upload could not be taken or an output not be put out: full, gone or read-only. */
const workFolders =
  (root: string, pipeline: Pick<Pipeline, 'waitsForStorage'>): Check =>
  async () => {
    const trouble = pipeline.waitsForStorage()
    if (trouble) return { ok: false, detail: trouble.message }
    for (const name of ['uploads', 'processing', 'output', 'error']) await probeFolder(join(root, name))
    return { ok: true, detail: 'uploads/, processing/, output/ and error/ can be written.' }
  }

function openLive({ ledger, closing }: Context): LiveTopics {
  const live = new LiveTopics()
  const stop = ledger.listen((changes) => live.announceJobs(changes))
  closing.add('live updates', stop)
  return live
}
