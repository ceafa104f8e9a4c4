// Applications of an organization, and their keys.
import Type, { type Static } from 'typebox'
import { always, body, Flag, line, maybe, orNull, pageOf, searching, subscriptionHeader, Text, Time } from './common.ts'
import { Role } from './users.ts'

const common = { tags: ['Applications'], headers: subscriptionHeader, access: 'applications.manage' } as const

const ApplicationModel = Type.Object(
  { id: Text, name: Text, role: Role, disabled: Flag, creationDate: Time },
  { $id: 'ApplicationModel' },
)

const KeyModel = Type.Object(
  {
    id: Text,
    description: Text,
    creationDate: Time,
    expirationDate: orNull(Time),
    revocationDate: orNull(Time),
    lastUseDate: orNull(Time),
  },
  { $id: 'ApplicationKeyModel' },
)

export type ApplicationView = Static<typeof ApplicationModel>
export type KeyView = Static<typeof KeyModel>

const notFound = [...always, 'application-not-found'] as const

export const listApplications = {
  ...common,
  method: 'GET',
  path: '/api/applications',
  operationId: 'listApplications',
  summary: 'The applications of the organization.',
  query: Type.Object(searching),
  answer: pageOf(ApplicationModel),
  refusals: always,
} as const

export const createApplication = {
  ...common,
  method: 'POST',
  path: '/api/applications',
  operationId: 'createApplication',
  summary: 'Makes an application.',
  body: body({ name: line(100), role: Role }, 'NewApplication'),
  answer: ApplicationModel,
  status: 201,
  refusals: [...always, 'invalid-data', 'already-exists'],
} as const

export const readApplication = {
  ...common,
  method: 'GET',
  path: '/api/applications/{id}',
  operationId: 'readApplication',
  summary: 'An application.',
  answer: ApplicationModel,
  refusals: notFound,
} as const

export const changeApplication = {
  ...common,
  method: 'PUT',
  path: '/api/applications/{id}',
  operationId: 'changeApplication',
  summary: 'Another role, or whether its keys are accepted. What is not given stays.',
  body: body({ role: Type.Optional(Role), disabled: Type.Optional(Flag) }, 'ApplicationChange'),
  answer: ApplicationModel,
  refusals: notFound,
} as const

export const deleteApplication = {
  ...common,
  method: 'DELETE',
  path: '/api/applications/{id}',
  operationId: 'deleteApplication',
  summary: 'Deletes an application; its keys are refused from now on.',
  refusals: notFound,
} as const

export const listApplicationKeys = {
  ...common,
  method: 'GET',
  path: '/api/applications/{id}/keys',
  operationId: 'listApplicationKeys',
  summary: 'The keys of an application, without their secrets.',
  answer: Type.Array(KeyModel),
  refusals: notFound,
} as const

export const createApplicationKey = {
  ...common,
  method: 'POST',
  path: '/api/applications/{id}/keys',
  operationId: 'createApplicationKey',
  summary: 'Makes a key. It is shown once.',
  body: body({ description: line(200), expirationDate: maybe(Time) }, 'NewApplicationKey'),
  answer: Type.Object({ key: Text, info: KeyModel }, { $id: 'CreatedApplicationKeyModel' }),
  status: 201,
  refusals: [...notFound, 'invalid-data'],
} as const

export const revokeApplicationKey = {
  ...common,
  method: 'DELETE',
  path: '/api/applications/{id}/keys/{keyId}',
  operationId: 'revokeApplicationKey',
  summary: 'Revokes a key.',
  refusals: [...notFound, 'application-key-not-found'],
} as const
