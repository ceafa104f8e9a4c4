// Client applications and their keys.
import Type from 'typebox'
import { Flag, Id, orNull, Text } from './common.ts'

const tags = ['Applications']

const Key = Type.Object({
  id: Id,
  description: Text,
  createdAt: Text,
  expiresAt: orNull(Text),
  revokedAt: orNull(Text),
  lastUsedAt: orNull(Text),
})

const Application = Type.Object(
  { id: Id, name: Text, createdAt: Text, disabled: Flag, keys: Type.Array(Key) },
  { $id: 'Application' },
)

export const listApplications = {
  method: 'GET',
  path: '/api/applications',
  summary: 'Client applications with their keys, never with the secrets.',
  tags,
  answer: Type.Array(Application),
  access: 'applications.read',
} as const

export const createApplication = {
  method: 'POST',
  path: '/api/applications',
  summary: 'Adds a client application.',
  tags,
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, format: 'one-line' }) }),
  answer: Application,
  access: 'applications.manage',
  refusals: ['APPLICATION_NAME_INVALID', 'APPLICATION_NAME_TAKEN'],
} as const

export const switchApplication = {
  method: 'PUT',
  path: '/api/applications/{id}',
  summary: 'Disables an application, so that none of its keys is accepted, or enables it again.',
  tags,
  body: Type.Object({ disabled: Flag }),
  answer: Application,
  access: 'applications.manage',
  refusals: ['APPLICATION_NOT_FOUND'],
} as const

export const createApplicationKey = {
  method: 'POST',
  path: '/api/applications/{id}/keys',
  summary: 'Makes a key; it is shown this once.',
  tags,
  body: Type.Object({
    description: Type.String({ minLength: 1, maxLength: 200, format: 'one-line' }),
    expiresAt: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
  }),
  answer: Type.Object({ id: Id, key: Text }),
  access: 'keys.manage',
  refusals: ['REAUTHENTICATION_REQUIRED', 'APPLICATION_NOT_FOUND'],
} as const

export const revokeApplicationKey = {
  method: 'DELETE',
  path: '/api/keys/{id}',
  summary: 'Revokes a key for good.',
  tags,
  access: 'keys.manage',
  refusals: ['REAUTHENTICATION_REQUIRED', 'API_KEY_NOT_FOUND'],
} as const
