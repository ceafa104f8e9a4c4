import { createMailer } from '@chancela/outbox/mail'
import {
  createWebhookSender,
  deliveriesPurge,
  endpointsOf,
  growingIntervals,
  type WebhookSender,
} from '@chancela/outbox/webhooks'
import { openBlobStore, rememberingBlobs } from '@chancela/service-kernel/blobs'
import { SECOND } from '@chancela/service-kernel/clock'
import { homeUrl } from '@chancela/service-kernel/config'
import { type AddressPolicy, addressPolicy } from '@chancela/service-kernel/http-client'
import type { ServiceContext } from '@chancela/service-kernel/service'
import type { Worker } from '@chancela/service-kernel/workers'
import type { Context } from './context.ts'
import { openPlatformMetrics } from './metrics.ts'
import { Passwords } from './parts/access/passwords.ts'
import { Tickets } from './parts/access/tickets.ts'
import { openAudit } from './parts/audit/audit-log.ts'
import { mailNotices } from './parts/mail/mail-notices.ts'
import type { Notices } from './parts/mail/notices.ts'
import { silentNotices } from './parts/mail/silent-notices.ts'
import { openRenditions } from './parts/renditions/open-renditions.ts'
import { checkConcluding } from './parts/signing/check-concluding.ts'
import type { DocumentPlatformSettings } from './settings.ts'
import type { Tables } from './store/tables.ts'
import { closeInvoices } from './workers/close-invoices.ts'
import { concludeDocuments } from './workers/conclude-documents.ts'
import { expireDocuments } from './workers/expire-documents.ts'
import { generateDocuments } from './workers/generate-documents.ts'
import { remindPeople } from './workers/remind.ts'
import { sweepAudit } from './workers/sweep-audit.ts'
import { sweepSessions } from './workers/sweep-sessions.ts'
import { sweepUploads } from './workers/sweep-uploads.ts'

/** The parts of the service that the routes use. */
export interface Parts {
  readonly webhookPolicy: AddressPolicy
  readonly sender: WebhookSender
  readonly workers: readonly Worker[]
}

type Given = ServiceContext<DocumentPlatformSettings, Tables>

/** Opens what all parts share. */
export async function openContext(given: Given): Promise<Context> {
  const { settings, secrets, clock, closing } = given
  const blobs = rememberingBlobs(await openBlobStore(settings.Storage, given))
  closing.add('the bytes of documents', () => blobs.close())
  const renditions = openRenditions(settings.Renditions, blobs)
  closing.add('the renditions', () => renditions.stop())
  const publicUrl = homeUrl(settings.Http)
  const tickets = new Tickets(secrets, clock)
  const platformMetrics = openPlatformMetrics(given)
  const notices = openNotices({ ...given, publicUrl, tickets, platformMetrics })
  const passwords = new Passwords(settings.Auth.PasswordCost)
  const audit = await openAudit(given)
  return { ...given, blobs, renditions, notices, publicUrl, tickets, passwords, audit, platformMetrics }
}

/** Mails are queued in the transaction of the change and sent from the queue. */
function openNotices(context: Given & Pick<Context, 'publicUrl' | 'tickets' | 'platformMetrics'>): Notices {
  const { settings, closing, platformMetrics } = context
  if (!settings.Email.Enabled) return silentNotices
  const mailer = createMailer({ ...context, settings: settings.Email, metrics: platformMetrics })
  closing.add('the mails', () => mailer.stop())
  mailer.start()
  return mailNotices({ ...context, mailer })
}

export function openParts(context: Context): Parts {
  const { settings, store, clock, secrets, logger, closing, heartbeats, platformMetrics } = context
  const { Webhooks } = settings
  const webhookPolicy = addressPolicy({
    allowed: Webhooks.AllowedHosts,
    allowHttp: Webhooks.AllowHttp,
    allowedPorts: Webhooks.AllowedPorts,
  })
  const sender = createWebhookSender({
    store,
    clock,
    secrets,
    heartbeats,
    policy: webhookPolicy,
    schedule: growingIntervals(Webhooks.MaxAttempts),
    timeoutMs: Webhooks.TimeoutSeconds * SECOND,
    failures: { disablesOnGone: Webhooks.DisableOnGone, disablesAfterHours: Webhooks.DisableAfterHours },
    metrics: platformMetrics,
    onDisabled: (endpoint) => void recordDisabled(context, endpoint),
    onTrouble: (error) => logger.error({ err: error }, 'webhook sender failed'),
  })
  const workers = [
    concludeDocuments(context, checkConcluding(context)),
    expireDocuments(context),
    deliveriesPurge(context),
    remindPeople(context),
    closeInvoices(context),
    sweepAudit(context),
    sweepSessions(context),
    sweepUploads(context),
    generateDocuments(context),
  ]
  closing.add('the webhooks', () => sender.stop())
  for (const worker of workers) closing.add('a worker', () => worker.stop())
  return { webhookPolicy, sender, workers }
}

/** E-mails the administrators when a webhook is disabled; its state shows it, too. */
async function recordDisabled(
  { store, notices, clock, logger }: Context,
  { id, ownerId, reason }: { readonly id: string; readonly ownerId: string; readonly reason: string },
): Promise<void> {
  logger.warn({ webhookId: id, organizationId: ownerId, reason }, 'webhook endpoint disabled')
  try {
    const endpoint = (await endpointsOf(store.db, ownerId)).find((each) => each.id === id)
    if (endpoint) await store.transaction((tx) => notices.webhookDisabled(tx, ownerId, endpoint.url, reason, clock()))
  } catch (error) {
    logger.error({ err: error }, 'notice of a disabled webhook failed')
  }
}

/** Starts the workers; called after the routes are registered. */
export function startWorking({ sender, workers }: Parts): void {
  sender.start()
  for (const worker of workers) worker.start()
}
