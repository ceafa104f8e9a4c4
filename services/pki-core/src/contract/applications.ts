// Applications, their roles and keys (pki-core facts 4, 4.6).
import Type from 'typebox'
import { maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { always, listQuery, Name, pageOf } from './management.ts'

const tags = ['Applications']

const Roles = Type.Array(Type.Enum(['Admin', 'Manager', 'Worker', 'Monitor']), { maxItems: 4 })
const RootRoles = Type.Array(Type.Enum(['Owner', 'Contributor', 'Reader']), { maxItems: 3 })

const SubscriptionAccess = Type.Object(
  {
    subscriptionId: Text,
    roles: Roles,
    parentRoles: Type.Array(Text, { description: 'Roles that follow from those in the instance.' }),
  },
  { $id: 'SubscriptionAccessModel' },
)

export const ApplicationModel = Type.Object(
  {
    id: Text,
    subscriptionId: orNull(Type.String({ description: 'The subscription it was made in.' })),
    name: Text,
    rootRoles: RootRoles,
    subscriptions: Type.Array(SubscriptionAccess, { description: 'Those the caller may see.' }),
    grantAppId: orNull(Text),
  },
  { $id: 'ApplicationModel' },
)

const authorizationData = maybe(Type.Object({ roles: maybe(Roles) }, { $id: 'AuthorizationData' }))
const rootFields = {
  roles: maybe(RootRoles),
  grantAppId: maybe(
    Type.String({
      maxLength: 64,
      description: 'The application in whose name the roles are given; it has them, too. Default: the caller.',
    }),
  ),
}

export const listApplications = {
  method: 'GET',
  path: '/api/applications',
  operationId: 'listApplications',
  summary: 'The applications of the subscription.',
  tags,
  headers: subscriptionHeader,
  query: Type.Object({ ...listQuery, name: maybe(Type.String({ maxLength: 200, description: 'The whole name.' })) }),
  answer: pageOf(ApplicationModel),
  access: 'applications.read',
  refusals: always,
} as const

export const createApplication = {
  method: 'POST',
  path: '/api/applications',
  operationId: 'createApplication',
  summary: 'Makes an application in the subscription. Nobody gives roles that they do not have.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    { name: Name, authorizationData, rootAuthorizationData: maybe(Type.Object(rootFields)) },
    { $id: 'ApplicationData' },
  ),
  answer: ApplicationModel,
  access: 'applications.manage',
  refusals: [...always, 'EntityAlreadyExists'],
} as const

export const readNameAvailability = {
  method: 'GET',
  path: '/api/applications/name-availability',
  operationId: 'readNameAvailability',
  summary: 'Whether no application of the instance has this name.',
  tags,
  headers: subscriptionHeader,
  query: Type.Object({ name: Name }),
  answer: Type.Boolean(),
  access: 'applications.manage',
  refusals: always,
} as const

export const readApplication = {
  method: 'GET',
  path: '/api/applications/{id}',
  operationId: 'readApplication',
  summary: 'One of them.',
  tags,
  headers: subscriptionHeader,
  answer: ApplicationModel,
  access: 'applications.read',
  refusals: always,
} as const

export const deleteApplication = {
  method: 'DELETE',
  path: '/api/applications/{id}',
  operationId: 'deleteApplication',
  summary: 'Deletes an application: none of its keys is accepted any more, and its name is free.',
  tags,
  headers: subscriptionHeader,
  status: 200,
  access: 'applications.manage',
  refusals: always,
} as const

export const changeRoles = {
  method: 'PUT',
  path: '/api/applications/{id}/authorization-data',
  operationId: 'changeRoles',
  summary: 'Gives an application other roles in the subscription; none takes it out of it.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object({ roles: Roles }),
  answer: ApplicationModel,
  access: 'applications.manage',
  refusals: always,
} as const

export const changeRootRoles = {
  method: 'PUT',
  path: '/api/applications/{id}/root-authorization-data',
  operationId: 'changeRootRoles',
  summary: 'Gives an application other roles in the instance.',
  tags,
  body: Type.Object({ ...rootFields, roles: RootRoles }),
  answer: ApplicationModel,
  access: 'root-roles.manage',
  refusals: always,
} as const

const ApplicationKeyModel = Type.Object(
  {
    id: Text,
    type: Type.Enum(['ApiKey', 'PublicKey']),
    applicationId: Text,
    description: Text,
    expiresOn: orNull(Time),
    certificateThumbprint: Type.Null({ description: 'Only keys of the type PublicKey have one; there are none yet.' }),
    dateCreated: Time,
    dateRevoked: orNull(Time),
    dateLastUsed: orNull(Time),
  },
  { $id: 'ApplicationKeyModel' },
)

export const listApplicationKeys = {
  method: 'GET',
  path: '/api/applications/{id}/api-keys',
  operationId: 'listApplicationKeys',
  summary: 'The keys of an application, never with their secrets.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Array(ApplicationKeyModel),
  access: 'applications.read',
  refusals: always,
} as const

export const createApplicationKey = {
  method: 'POST',
  path: '/api/applications/{id}/api-keys',
  operationId: 'createApplicationKey',
  summary: 'Makes a key; it is shown this once.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object(
    {
      description: Type.String({ minLength: 1, maxLength: 200, description: 'What it is for.' }),
      expiresOn: maybe(Time),
    },
    { $id: 'CreateApplicationApiKeyRequest' },
  ),
  answer: Type.Object({ key: Text, info: ApplicationKeyModel }, { $id: 'CreateApplicationApiKeyResponse' }),
  access: 'applications.manage',
  refusals: always,
} as const

export const revokeApplicationKey = {
  method: 'DELETE',
  path: '/api/applications/{id}/api-keys/{keyId}',
  operationId: 'revokeApplicationKey',
  summary: 'Revokes a key for good.',
  tags,
  headers: subscriptionHeader,
  status: 200,
  access: 'applications.manage',
  refusals: always,
} as const

const Metadata = Type.Record(Type.String(), Type.Array(Type.String({ maxLength: 500 }), { maxItems: 100 }), {
  description: 'Name to values.',
  maxProperties: 100,
})

export const readDefaultMetadata = {
  method: 'GET',
  path: '/api/applications/{id}/default-document-metadata',
  operationId: 'readDefaultMetadata',
  summary: 'What is stamped on every document of the application.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Record(Type.String(), Type.Array(Text)),
  access: 'applications.read',
  refusals: always,
} as const

export const changeDefaultMetadata = {
  method: 'PUT',
  path: '/api/applications/{id}/default-document-metadata',
  operationId: 'changeDefaultMetadata',
  summary: 'Replaces it. Names have up to 50 letters, digits, hyphens, underscores and spaces; values 500 characters.',
  tags,
  headers: subscriptionHeader,
  body: Metadata,
  answer: Type.Record(Type.String(), Type.Array(Text)),
  access: 'applications.manage',
  refusals: always,
} as const
