import { createWebhookSender, deliveriesPurge, growingIntervals, type WebhookSender } from '@chancela/outbox/webhooks'
import { SECOND } from '@chancela/service-kernel/clock'
import { type AddressPolicy, addressPolicy } from '@chancela/service-kernel/http-client'
import { BegunSignatures } from '@chancela/service-kernel/trust'
import type { Worker } from '@chancela/service-kernel/workers'
import type { TimestampClient, TimestampRelay } from '@chancela/signature-engine/timestamps'
import { webhookBody } from './actions/webhooks/webhook-body.ts'
import type { Context } from './context.ts'
import { openCoreMetrics } from './metrics.ts'
import { KnownAccess } from './parts/access/known-access.ts'
import { ProblemLog } from './parts/activity/problem-log.ts'
import type { FaceEngine } from './parts/bio/engine/face-engine.ts'
import { openEngine } from './parts/bio/engine/open-engine.ts'
import { FileValidation } from './parts/files/file-validation.ts'
import { Files } from './parts/files/files.ts'
import { SessionWaits } from './parts/sessions/session-waits.ts'
import { openSigningWays, type SigningWays } from './parts/sessions/signing-ways.ts'
import { openTimestampRelay, openTimestamps } from './parts/signing/archive-timestamps.ts'
import { SecurityContexts } from './parts/trust/security-contexts.ts'
import { linkedDocumentFile } from './store/documents.ts'
import { linkedSessionFile } from './store/sessions.ts'
import { processSessions } from './workers/process-sessions.ts'
import { sweepAuthentications } from './workers/sweep.ts'
import { sweepActivity } from './workers/sweep-activity.ts'
import { sweepBio } from './workers/sweep-bio.ts'
import { sweepFiles } from './workers/sweep-files.ts'
import { sweepSessions } from './workers/sweep-sessions.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly context: Context
  readonly access: KnownAccess
  readonly contexts: SecurityContexts
  readonly files: Files
  readonly begun: BegunSignatures
  /** Undefined without a timestamp authority. */
  readonly timestamps: TimestampClient | undefined
  readonly timestampRelay: TimestampRelay | undefined
  readonly problems: ProblemLog
  readonly engine: FaceEngine
  readonly waits: SessionWaits
  readonly ways: SigningWays
  readonly webhookPolicy: AddressPolicy
  readonly fileValidation: FileValidation
  readonly sender: WebhookSender
  readonly workers: readonly Worker[]
}

export async function openParts(context: Context): Promise<Parts> {
  const access = new KnownAccess(context)
  const contexts = await SecurityContexts.open(context, access)
  const { db } = context.store
  const files = await Files.open(context, (linked) =>
    linked.kind === 'session' ? linkedSessionFile(db, linked.id) : linkedDocumentFile(db, linked),
  )
  const workers = [
    sweepAuthentications(context),
    sweepFiles(context, files),
    sweepSessions(context),
    sweepActivity(context),
    sweepBio(context),
    deliveriesPurge(context),
  ]
  for (const worker of workers) context.closing.add('a worker', () => worker.stop())
  const { Webhooks } = context.settings
  const webhookPolicy = addressPolicy({
    allowed: Webhooks.AllowedHosts,
    allowHttp: Webhooks.AllowHttp,
    allowedPorts: Webhooks.AllowedPorts,
  })
  return {
    context,
    access,
    contexts,
    files,
    begun: new BegunSignatures(),
    timestamps: openTimestamps(context),
    timestampRelay: openTimestampRelay(context),
    problems: new ProblemLog(context),
    engine: openEngine(context),
    waits: new SessionWaits(context),
    ways: openSigningWays(context),
    webhookPolicy,
    fileValidation: new FileValidation(context, webhookPolicy),
    sender: openSender(context, files, webhookPolicy),
    workers,
  }
}

function openSender(context: Context, files: Files, policy: AddressPolicy): WebhookSender {
  const { store, clock, secrets, logger, settings, closing, heartbeats } = context
  const sender = createWebhookSender({
    store,
    clock,
    secrets,
    heartbeats,
    policy,
    schedule: growingIntervals(settings.Webhooks.MaxAttempts),
    timeoutMs: settings.Webhooks.TimeoutSeconds * SECOND,
    metrics: openCoreMetrics(context),
    render: ({ subject }) => webhookBody({ context, files }, subject),
    onTrouble: (error) => logger.error({ err: error }, 'webhook sender failed'),
  })
  closing.add('the webhooks', () => sender.stop())
  return sender
}

/** Starts the workers; called after the routes are registered. */
export function startWorking(parts: Parts): void {
  for (const worker of parts.workers) worker.start()
  parts.sender.start()
  const sessions = processSessions(parts)
  parts.context.closing.add('the signature sessions', () => sessions.stop())
}
