// Which files people may bring to signature sessions (pki-core facts 4.1); the operations are ours.
import Type, { type Static } from 'typebox'
import { always, Flag, maybe, orNull, subscriptionHeader, Text } from './common.ts'
import { webhookAuthTypes } from './webhooks.ts'

const common = {
  path: '/api/subscriptions/{id}/file-validation',
  tags: ['File validation'],
  headers: subscriptionHeader,
  access: 'webhooks.manage',
} as const

const FileValidationModel = Type.Object(
  { namePattern: orNull(Text), url: orNull(Text), authType: Type.Enum([...webhookAuthTypes]), hasToken: Flag },
  { $id: 'FileValidationModel' },
)

export type FileValidationView = Static<typeof FileValidationModel>

export const readFileValidation = {
  ...common,
  method: 'GET',
  operationId: 'readFileValidation',
  summary: 'Which files people may bring to sessions of the subscription.',
  answer: FileValidationModel,
  refusals: always,
} as const

export const putFileValidation = {
  ...common,
  method: 'PUT',
  operationId: 'putFileValidation',
  summary: 'Says which files people may bring. A token that is not given stays as it is.',
  body: Type.Object(
    {
      namePattern: maybe(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: 'Regular expression that the whole name must match.',
        }),
      ),
      url: maybe(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description: 'Gets {name, contentType, length} of every file, and answers {accept, rejectReason}.',
        }),
      ),
      authType: maybe(Type.Enum([...webhookAuthTypes], { description: 'Default: NoAuth.' })),
      token: maybe(Type.String({ maxLength: 8000, description: 'Sent behind Basic or Bearer, or in X-Api-Key.' })),
    },
    { $id: 'FileValidationRequest' },
  ),
  answer: FileValidationModel,
  refusals: [...always, 'WebhookUrlNotAllowed'],
} as const

export type FileValidationRequest = Static<typeof putFileValidation.body>

export const deleteFileValidation = {
  ...common,
  method: 'DELETE',
  operationId: 'deleteFileValidation',
  summary: 'Lets people bring any file that can be signed.',
  status: 200,
  refusals: always,
} as const
