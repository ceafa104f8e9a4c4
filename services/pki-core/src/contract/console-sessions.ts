// Signature sessions at the admin page: how they stand, without what is signed in them and without their tokens.
import { Count, Id, orNull, pageOf, paging, Text } from '@chancela/admin-console/contract'
import Type, { type Static } from 'typebox'
import { Flag, Time } from './common.ts'
import { Named } from './console-activity.ts'
import { signatureTypes } from './documents.ts'
import { sessionDocumentStatuses, sessionStatuses } from './signature-sessions.ts'

const common = { tags: ['Signature sessions'] } as const

const Moment = Type.String({ format: 'date-time' })

const Status = Type.Enum([...sessionStatuses])

const entry = {
  id: Id,
  status: Status,
  subscription: Named,
  application: Named,
  createdAt: Time,
  expiresAt: Time,
  endedAt: orNull(Time),
  isBackground: Flag,
}

export const listSignatureSessions = {
  ...common,
  access: 'signature-sessions.read',
  method: 'GET',
  path: '/api/signature-sessions',
  summary: 'Signature sessions, newest first.',
  query: Type.Object({
    ...paging,
    subscriptionId: Type.Optional(Id),
    status: Type.Optional(Status),
    from: Type.Optional(Type.String({ ...Moment, description: 'Begun at this time or later.' })),
    to: Type.Optional(Type.String({ ...Moment, description: 'Begun before.' })),
  }),
  answer: pageOf(Type.Object({ ...entry, documents: Count }, { $id: 'SignatureSessionEntry' })),
} as const

const deliveryStates = ['waiting', 'delivered', 'failed', 'canceled'] as const

const ConsoleSession = Type.Object(
  {
    ...entry,
    errorCode: orNull(Text),
    takesUploads: Flag,
    signer: orNull(
      Type.Object({ name: Text, identifier: orNull(Type.String({ description: 'CPF, masked.' })), thumbprint: Text }),
    ),
    documents: Type.Array(
      Type.Object({
        id: Id,
        name: Text,
        mimeType: Text,
        length: Count,
        sha256: Text,
        signatureType: Type.Enum([...signatureTypes]),
        status: Type.Enum([...sessionDocumentStatuses]),
        isUploaded: Flag,
        errorCode: orNull(Text),
        signedAt: orNull(Time),
        deliveries: Type.Array(
          Type.Object({
            state: Type.Enum([...deliveryStates]),
            attempts: Count,
            at: Type.String({ description: 'When it ended; of one that waits, when it is tried next.' }),
            lastStatus: orNull(Type.Integer()),
          }),
          { description: 'What the webhook of the subscription was told of it.' },
        ),
      }),
    ),
  },
  { $id: 'ConsoleSignatureSession' },
)

export type ConsoleSessionView = Static<typeof ConsoleSession>

export const showSignatureSession = {
  ...common,
  access: 'signature-sessions.read',
  method: 'GET',
  path: '/api/signature-sessions/{id}',
  summary: 'One of them, with the names of its documents.',
  answer: ConsoleSession,
  refusals: ['SignatureSessionNotFound'],
} as const

export const cancelSignatureSession = {
  ...common,
  access: 'signature-sessions.cancel',
  method: 'POST',
  path: '/api/signature-sessions/{id}/cancellation',
  summary: 'Ends a session in which nobody has signed yet; nobody can any more.',
  status: 200,
  answer: ConsoleSession,
  refusals: ['SignatureSessionNotFound', 'BadSignatureSessionOperation', 'BackgroundProcessing'],
} as const
