import { createMailer, type Mailer } from '@chancela/outbox/mail'
import { createWebhookSender, deliveriesPurge, growingIntervals, type WebhookSender } from '@chancela/outbox/webhooks'
import { openBlobStore, rememberingBlobs } from '@chancela/service-kernel/blobs'
import { SECOND } from '@chancela/service-kernel/clock'
import { homeUrl } from '@chancela/service-kernel/config'
import type { StoredApiKeyRing } from '@chancela/service-kernel/http'
import { type AddressPolicy, addressPolicy } from '@chancela/service-kernel/http-client'
import { openKeys, type ServiceContext } from '@chancela/service-kernel/service'
import type { Worker } from '@chancela/service-kernel/workers'
import { concludeCurriculums } from './actions/curriculums/curriculums.ts'
import { concludeDegrees } from './actions/degrees/conclude-degrees.ts'
import { signEmissions } from './actions/emissions/emissions.ts'
import { concludeTranscripts } from './actions/transcripts/transcripts.ts'
import { webhookBody } from './actions/webhooks/webhook-body.ts'
import type { Context } from './context.ts'
import { type CredentialMetrics, openCredentialMetrics } from './metrics.ts'
import { People } from './parts/access/people.ts'
import { SigningDesk } from './parts/signing/desk.ts'
import { openSigning, type Signing } from './parts/signing/open-signing.ts'
import { Platforms } from './parts/signing/platforms.ts'
import { openSigningLinks, type SigningLinks } from './parts/signing/signing-links.ts'
import { StoredKeys } from './parts/signing/stored-keys.ts'
import { watchKeys } from './parts/signing/watch-keys.ts'
import { IssuerKeys } from './parts/wallet/issuer-keys.ts'
import type { CredentialPlatformSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'
import { endSuspensions } from './workers/end-suspensions.ts'
import { foldSearch } from './workers/fold-search.ts'
import { makeBatches } from './workers/make-batches.ts'
import { makeInspections } from './workers/make-inspections.ts'
import { publishLists } from './workers/publish-lists.ts'
import { putInSignatures } from './workers/put-in-signatures.ts'
import type { QueueWorker } from './workers/queue-worker.ts'
import { renewArchives } from './workers/renew-archives.ts'
import { followPlatforms, signAtPlatform } from './workers/sign-at-platform.ts'
import { signDocuments } from './workers/sign-documents.ts'
import { sweepBlobs } from './workers/sweep-blobs.ts'
import { sweepExpired } from './workers/sweep-expired.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly context: Context
  readonly ring: StoredApiKeyRing
  readonly people: People
  readonly webhookPolicy: AddressPolicy
  readonly sender: WebhookSender
  readonly mailer: Mailer
  readonly signing: Signing
  readonly desk: SigningDesk
  readonly links: SigningLinks
  readonly platforms: Platforms
  /** Those who work on queues. */
  readonly queues: readonly QueueWorker[]
  readonly issuerKeys: IssuerKeys
  readonly workers: readonly Worker[]
}

/** Opens what all parts share. */
export async function openContext(given: ServiceContext<CredentialPlatformSettings, Tables>): Promise<Context> {
  const { settings, closing } = given
  const blobs = rememberingBlobs(await openBlobStore(settings.Storage, given))
  closing.add('the bytes of documents', () => blobs.close())
  return { ...given, blobs, publicUrl: homeUrl(settings.Http) }
}

export async function openParts(context: Context): Promise<Parts> {
  const { Webhooks } = context.settings
  const webhookPolicy = addressPolicy({
    allowed: Webhooks.AllowedHosts,
    allowHttp: Webhooks.AllowHttp,
    allowedPorts: Webhooks.AllowedPorts,
  })
  const metrics = openCredentialMetrics(context)
  const signing = await openSigning(context)
  const desk = new SigningDesk(context)
  const keys = new StoredKeys(context)
  const issuerKeys = new IssuerKeys(context)
  watchKeys(context, { signing, keys, issuerKeys })
  const platforms = new Platforms(context, webhookPolicy)
  for (const conclude of [concludeCurriculums, concludeTranscripts, concludeDegrees, signEmissions])
    conclude({ context, desk })
  const workers = [
    deliveriesPurge(context),
    sweepExpired(context),
    sweepBlobs(context),
    foldSearch(context),
    endSuspensions(context),
    publishLists({ context, desk }),
    makeInspections({ context, desk }),
    renewArchives({ context, signing }),
    followPlatforms({ context, desk }),
  ]
  const queues = [
    signDocuments({ context, desk, signing, keys }),
    putInSignatures({ context, desk, signing }),
    signAtPlatform({ context, desk, signing, platforms }),
    makeBatches({ context, desk }),
  ]
  for (const worker of [...workers, ...queues]) context.closing.add('a worker', () => worker.stop())
  return {
    context,
    ring: await openKeys(context),
    people: new People(context),
    webhookPolicy,
    sender: openSender(context, webhookPolicy, metrics),
    mailer: openMailer(context, metrics),
    signing,
    desk,
    links: openSigningLinks(context),
    platforms,
    queues,
    issuerKeys,
    workers,
  }
}

/** What is told, and under which type, is read when it is sent, at each attempt (credentials-platform facts 4.1, 4.4). */
function openSender(context: Context, policy: AddressPolicy, metrics: CredentialMetrics): WebhookSender {
  const { store, clock, secrets, logger, settings, closing, heartbeats } = context
  const sender = createWebhookSender({
    store,
    clock,
    secrets,
    heartbeats,
    policy,
    schedule: growingIntervals(settings.Webhooks.MaxAttempts),
    timeoutMs: settings.Webhooks.TimeoutSeconds * SECOND,
    metrics,
    signs: false,
    render: (event) => webhookBody(context, event),
    onTrouble: (error) => logger.error({ err: error }, 'webhook sender failed'),
  })
  closing.add('the webhooks', () => sender.stop())
  return sender
}

function openMailer(context: Context, metrics: CredentialMetrics): Mailer {
  const mailer = createMailer({ ...context, settings: context.settings.Email, metrics })
  context.closing.add('the mails', () => mailer.stop())
  return mailer
}

/** Starts the workers; called after the routes are registered. */
export function startWorking({ sender, mailer, queues, workers }: Parts): void {
  mailer.start()
  sender.start()
  for (const worker of [...queues, ...workers]) worker.start()
}
