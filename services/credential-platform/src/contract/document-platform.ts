// The document platform at which an organization's people sign, and what it tells (credentials-platform facts 3).
import Type, { type Static } from 'typebox'
import { always, body, Flag, Messages, maybe, orNull, subscriptionHeader, Text } from './common.ts'

const tags = ['Document platform']

const ofSubscription = {
  path: '/api/subscriptions/{id}/document-platform',
  tags,
  headers: subscriptionHeader,
  access: 'document-platform.manage',
} as const

const ConnectionModel = Type.Object(
  {
    enabled: Flag,
    url: orNull(Text),
    hasApiKey: Type.Boolean({ description: 'Whether there is a key; it is never shown.' }),
    folderId: orNull(Text),
    webhookUrl: Type.String({
      description:
        'Where the webhook of the organization at the document platform points, with a key of an application.',
    }),
  },
  { $id: 'DocumentPlatformModel' },
)

export type ConnectionView = Static<typeof ConnectionModel>

export const readDocumentPlatform = {
  ...ofSubscription,
  method: 'GET',
  operationId: 'readDocumentPlatform',
  summary: 'The document platform at which people of the organization sign.',
  answer: ConnectionModel,
  refusals: [...always, 'subscription-not-found'],
} as const

export const putDocumentPlatform = {
  ...ofSubscription,
  method: 'PUT',
  operationId: 'putDocumentPlatform',
  summary: 'Connects a document platform, or changes the connection: there is one.',
  body: body(
    {
      enabled: Type.Boolean({ description: 'While false nothing is sent there; what is there is still followed.' }),
      url: Type.String({ minLength: 1, maxLength: 2000, description: 'Base URL of the platform.' }),
      apiKey: maybe(
        Type.String({
          maxLength: 1000,
          description: 'Key of an application there. Not given: the one there is stays.',
        }),
      ),
      folderId: maybe(Type.String({ minLength: 1, maxLength: 64, description: 'Folder there that documents go to.' })),
    },
    'DocumentPlatformSettings',
  ),
  answer: ConnectionModel,
  refusals: [...always, 'subscription-not-found', 'invalid-data', 'address-refused', 'in-use'],
} as const

export type ConnectionSettings = Static<typeof putDocumentPlatform.body>

export const deleteDocumentPlatform = {
  ...ofSubscription,
  method: 'DELETE',
  operationId: 'deleteDocumentPlatform',
  summary: 'Forgets the connection and its key; refused while documents are being signed there.',
  refusals: [...always, 'subscription-not-found', 'document-platform-not-found', 'in-use'],
} as const

export const testDocumentPlatform = {
  ...ofSubscription,
  method: 'POST',
  path: `${ofSubscription.path}/test`,
  operationId: 'testDocumentPlatform',
  summary: 'Asks the document platform whether documents could be sent; nothing is created there.',
  answer: Type.Object(
    {
      works: Flag,
      problem: orNull(Type.String({ description: 'What is wrong, in a sentence.' })),
      problemMessages: Messages,
    },
    { $id: 'DocumentPlatformTest' },
  ),
  refusals: [...always, 'subscription-not-found', 'document-platform-not-found'],
} as const

export type ConnectionTest = Static<typeof testDocumentPlatform.answer>

/** From the organization's webhook there (spec 3 A); answered before anything is done about it. */
export const hearDocumentPlatform = {
  method: 'POST',
  path: '/api/degrees/webhook',
  operationId: 'hearDocumentPlatform',
  summary: 'Takes an event of the document platform; the documents it names are read again.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      type: Type.String({ maxLength: 100, description: 'Any: what became of a document is read from it.' }),
      data: Type.Optional(Type.Unknown()),
    },
    // Whoever sends it may be newer than this service.
    { $id: 'DocumentPlatformEvent', additionalProperties: true },
  ),
  status: 202,
  access: 'document-platform.notify',
  refusals: always,
} as const
