import { emitEvents } from '@chancela/outbox/webhooks'
import type { Context } from '../../context.ts'
import { type WebhookData, type WebhookEventType, webhookEventTypes } from '../../contract/webhook-events.ts'
import type { JobChange } from '../../store/job-ledger.ts'
import type { DecisionNews, JobNews, JobTeller } from '../../store/job-news.ts'
import { type WebhookFacts, webhookFacts } from '../../store/webhook-facts.ts'

/** Whose endpoints they are: the instance has one owner. */
export const WEBHOOK_OWNER = 'batch-signer'

interface Occurrence {
  readonly type: WebhookEventType
  readonly jobId: string
  readonly at: string
  readonly code: string | null
  readonly decision: DecisionNews | undefined
}

/**
 * Writes events for webhooks with the changes they tell of. Undefined without an endpoint; an event that no endpoint
 * asks for costs nothing.
 */
export function webhookTeller({
  settings,
  store,
  clock,
}: Pick<Context, 'settings' | 'store' | 'clock'>): JobTeller | undefined {
  const wanted = new Set(settings.Webhooks.Endpoints.flatMap(({ Events }) => Events))
  if (wanted.size === 0) return undefined
  return async (tx, news) => {
    const occurred = occurrencesOf(news).filter(({ type }) => wanted.has(type))
    if (occurred.length === 0) return
    const facts = await webhookFacts(tx, {
      jobIds: idsOf(occurred),
      approvedIds: idsOf(occurred.filter(({ type }) => tellsApproval.includes(type))),
    })
    const events = occurred.flatMap((occurrence) => {
      const known = facts.get(occurrence.jobId)
      return known ? [eventOf(occurrence, known)] : []
    })
    await emitEvents(store, tx, events, clock())
  }
}

const idsOf = (occurred: readonly Occurrence[]): string[] => [...new Set(occurred.map(({ jobId }) => jobId))]

const tellsApproval: readonly WebhookEventType[] = ['ApprovalParked', 'ApprovalDecided', 'ApprovalExpired']

const occurrencesOf = ({ decisions, changes }: JobNews): Occurrence[] => [
  ...decisions.flatMap((decision) =>
    typesOfDecision(decision).map((type) => ({
      type,
      jobId: decision.jobId,
      at: decision.at,
      code: null,
      decision,
    })),
  ),
  ...changes.flatMap((change) =>
    typesOfChange(change).map((type) => ({
      type,
      jobId: change.id,
      at: change.at,
      code: change.code ?? null,
      decision: undefined,
    })),
  ),
]

const typesOfDecision = ({ decision }: DecisionNews): WebhookEventType[] =>
  decision === 'rejected' ? ['ApprovalDecided', 'ApprovalRejected'] : ['ApprovalDecided']

/** Which changes are told of, in the order in which they are. */
const told: Readonly<Partial<Record<WebhookEventType, (change: JobChange) => boolean>>> = {
  ApprovalParked: ({ status }) => status === 'AwaitingApproval',
  ApprovalReleased: ({ move }) => move === 'release',
  ApprovalExpired: ({ move }) => move === 'expire',
  JobCompleted: ({ status }) => status === 'Completed',
  JobFailed: ({ status }) => status === 'Failed',
  JobCanceled: ({ status }) => status === 'Canceled',
}

const typesOfChange = (change: JobChange): WebhookEventType[] =>
  webhookEventTypes.filter((type) => told[type]?.(change) ?? false)

function eventOf(occurrence: Occurrence, facts: WebhookFacts) {
  const { type, jobId, at } = occurrence
  const { job } = facts
  const data = {
    jobId,
    fileName: job.file_name,
    profileName: job.profile_name,
    externalReference: job.external_reference,
    ...details[type](facts, occurrence),
  }
  return {
    ownerId: WEBHOOK_OWNER,
    type,
    subject: jobId,
    body: JSON.stringify({ type, timestamp: at, data }),
  }
}

type Details<Type extends WebhookEventType> = Omit<
  WebhookData<Type>,
  'jobId' | 'fileName' | 'profileName' | 'externalReference'
>

/** What each event tells besides the job. */
const details: { readonly [Type in WebhookEventType]: (facts: WebhookFacts, of: Occurrence) => Details<Type> } = {
  ApprovalParked: ({ approval, tally }) => ({
    required: tally?.required ?? 0,
    poolSize: tally?.poolSize ?? 0,
    expiresAt: approval?.expires_at ?? null,
    contentSha256: approval?.content_sha256 ?? null,
  }),
  ApprovalDecided: ({ tally }, { decision }) => ({
    decision: decision!.decision,
    approverName: decision!.approverName,
    approved: tally?.approved ?? 0,
    required: tally?.required ?? 0,
  }),
  ApprovalReleased: () => ({}),
  ApprovalRejected: (_, { decision }) => ({ approverName: decision!.approverName }),
  ApprovalExpired: ({ approval }) => ({ expiresAt: approval?.expires_at ?? null }),
  JobCompleted: ({ job }) => ({ outputName: job.output_name, encrypted: job.output_encrypted === 1 }),
  JobFailed: (_, { code }) => ({ code }),
  JobCanceled: (_, { code }) => ({ code }),
}
