import Type, { type Static, type TProperties, type TSchema } from 'typebox'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Time = Type.String({ description: 'ISO 8601 UTC.' })

/** What every event tells of its job. */
const Job = {
  jobId: Type.String({ description: 'As in `/api/jobs/{id}`.' }),
  fileName: Type.String(),
  profileName: Type.String(),
  externalReference: orNull(Type.String({ description: "The caller's reference in the compact variant." })),
}

const closed = <P extends TProperties>(more: P) => Type.Object({ ...Job, ...more }, { additionalProperties: false })

const approverName = Type.String({
  description: 'As in the pool of the approval rule; nothing else is told of people.',
})

/**
 * Every event that is sent to webhooks, with the schema of its `data`. A body is
 * `{ "type", "timestamp", "data" }`; the header `webhook-id` is the same in every attempt.
 */
export const webhookEvents = {
  ApprovalParked: {
    description: 'A file waits for people.',
    data: closed({
      required: Type.Integer({ description: 'How many have to approve.' }),
      poolSize: Type.Integer(),
      expiresAt: orNull(Time),
      contentSha256: orNull(Type.String()),
    }),
  },
  ApprovalDecided: {
    description: 'An approver approved or rejected a file.',
    data: closed({
      decision: Type.Enum(['approved', 'rejected']),
      approverName,
      approved: Type.Integer({ description: 'How many have approved by then.' }),
      required: Type.Integer(),
    }),
  },
  ApprovalReleased: { description: 'Enough people approved: the file is queued to be signed.', data: closed({}) },
  ApprovalRejected: {
    description: 'A file was rejected and will not be signed; follows the decision.',
    data: closed({ approverName }),
  },
  ApprovalExpired: { description: 'Not enough people decided in time.', data: closed({ expiresAt: orNull(Time) }) },
  JobCompleted: {
    description: 'The signed file has its name in the output folder, or gets it now.',
    data: closed({ outputName: orNull(Type.String()), encrypted: Type.Boolean() }),
  },
  JobFailed: { description: 'A job failed.', data: closed({ code: orNull(Type.String()) }) },
  JobCanceled: {
    description: 'A job was canceled: by an operator, a rejection (code `approval.rejected`) or the end of a wait.',
    data: closed({ code: orNull(Type.String()) }),
  },
} as const satisfies Readonly<Record<string, { readonly description: string; readonly data: TSchema }>>

export type WebhookEventType = keyof typeof webhookEvents

export type WebhookData<Type extends WebhookEventType> = Static<(typeof webhookEvents)[Type]['data']>

export const webhookEventTypes = Object.keys(webhookEvents) as [WebhookEventType, ...WebhookEventType[]]
