// The management at the admin page: the operations of the API, for administrators, in every subscription.
import { Count } from '@chancela/admin-console/contract'
import Type from 'typebox'
import {
  ApplicationModel,
  changeRoles,
  changeRootRoles,
  createApplicationKey,
  listApplicationKeys,
} from './applications.ts'
import { Flag, maybe, orNull, Text } from './common.ts'
import { listQuery, Name, pageOf } from './management.ts'
import { createSecurityContext, listSecurityContexts, SecurityContextModel } from './security-contexts.ts'
import { changeSubscription, listSubscriptions, SubscriptionModel } from './subscriptions.ts'

const Id = Type.String({ maxLength: 64 })

const ofSubscriptions = { tags: ['Subscriptions'] } as const

export const consoleSubscriptions = {
  ...ofSubscriptions,
  access: 'subscriptions.read',
  method: 'GET',
  path: '/api/subscriptions',
  summary: 'The subscriptions.',
  query: listSubscriptions.query,
  answer: listSubscriptions.answer,
} as const

export const consoleNewSubscription = {
  ...ofSubscriptions,
  access: 'subscriptions.manage',
  method: 'POST',
  path: '/api/subscriptions',
  summary: 'Makes one.',
  body: Type.Object({ name: Name }),
  answer: SubscriptionModel,
  refusals: ['EntityAlreadyExists'],
} as const

export const consoleChangeSubscription = {
  ...ofSubscriptions,
  access: 'subscriptions.manage',
  method: 'PUT',
  path: '/api/subscriptions/{id}',
  summary: 'Renames, disables or enables one.',
  body: changeSubscription.body,
  answer: SubscriptionModel,
  refusals: ['EntityNotFound', 'EntityAlreadyExists'],
} as const

const ofApplications = { tags: ['Applications'] } as const

const ConsoleApplication = Type.Object({ ...ApplicationModel.properties, disabled: Flag, dateCreated: Text })

export const consoleApplications = {
  ...ofApplications,
  access: 'applications.read',
  method: 'GET',
  path: '/api/applications',
  summary: 'Applications of one subscription, or of all.',
  query: Type.Object({ ...listQuery, subscriptionId: maybe(Id) }),
  answer: pageOf(ConsoleApplication),
} as const

export const consoleReadApplication = {
  ...ofApplications,
  access: 'applications.read',
  method: 'GET',
  path: '/api/applications/{id}',
  summary: 'One of them.',
  answer: ConsoleApplication,
  refusals: ['EntityNotFound'],
} as const

export const consoleNewApplication = {
  ...ofApplications,
  access: 'applications.manage',
  method: 'POST',
  path: '/api/applications',
  summary: 'Makes one in a subscription.',
  body: Type.Object({
    subscriptionId: Id,
    name: Name,
    roles: changeRoles.body.properties.roles,
    rootRoles: changeRootRoles.body.properties.roles,
  }),
  answer: ApplicationModel,
  refusals: ['EntityNotFound', 'EntityAlreadyExists'],
} as const

export const consoleSwitchApplication = {
  ...ofApplications,
  access: 'applications.manage',
  method: 'PUT',
  path: '/api/applications/{id}',
  summary: 'Disables an application, so that none of its keys is accepted, or enables it again.',
  body: Type.Object({ disabled: Flag }),
  refusals: ['EntityNotFound'],
} as const

export const consoleChangeRoles = {
  ...ofApplications,
  access: 'applications.manage',
  method: 'PUT',
  path: '/api/applications/{id}/subscriptions/{subscriptionId}',
  summary: 'Gives an application other roles in a subscription.',
  body: changeRoles.body,
  refusals: ['EntityNotFound'],
} as const

export const consoleChangeRootRoles = {
  ...ofApplications,
  access: 'applications.manage',
  method: 'PUT',
  path: '/api/applications/{id}/root-roles',
  summary: 'Gives an application other roles in the instance.',
  body: Type.Object({ roles: changeRootRoles.body.properties.roles }),
  refusals: ['EntityNotFound'],
} as const

export const consoleDeleteApplication = {
  ...ofApplications,
  access: 'applications.manage',
  method: 'DELETE',
  path: '/api/applications/{id}',
  summary: 'Deletes an application and its keys.',
  refusals: ['EntityNotFound'],
} as const

export const consoleKeys = {
  ...ofApplications,
  access: 'applications.read',
  method: 'GET',
  path: '/api/applications/{id}/keys',
  summary: 'The keys of an application.',
  answer: listApplicationKeys.answer,
  refusals: ['EntityNotFound'],
} as const

export const consoleNewKey = {
  ...ofApplications,
  access: 'keys.manage',
  method: 'POST',
  path: '/api/applications/{id}/keys',
  summary: 'Makes a key; it is shown this once.',
  body: createApplicationKey.body,
  answer: createApplicationKey.answer,
  refusals: ['EntityNotFound', 'REAUTHENTICATION_REQUIRED'],
} as const

export const consoleRevokeKey = {
  ...ofApplications,
  access: 'keys.manage',
  method: 'DELETE',
  path: '/api/applications/{id}/keys/{keyId}',
  summary: 'Revokes a key for good.',
  refusals: ['EntityNotFound', 'REAUTHENTICATION_REQUIRED'],
} as const

const ofContexts = { tags: ['Security contexts'] } as const
const contexts = '/api/subscriptions/{subscriptionId}/security-contexts'

export const consoleContexts = {
  ...ofContexts,
  access: 'security-contexts.read',
  method: 'GET',
  path: contexts,
  summary: 'Whom a subscription trusts.',
  answer: listSecurityContexts.answer,
  refusals: ['EntityNotFound'],
} as const

export const consoleNewContext = {
  ...ofContexts,
  access: 'security-contexts.manage',
  method: 'POST',
  path: contexts,
  summary: 'Makes a security context.',
  body: createSecurityContext.body,
  answer: SecurityContextModel,
  refusals: ['EntityNotFound', 'EntityAlreadyExists', 'PKCertificateMalformed', 'EndUserCertificate'],
} as const

export const consoleDefaultContext = {
  ...ofContexts,
  access: 'security-contexts.manage',
  method: 'PUT',
  path: `${contexts}/default`,
  summary: 'Chooses the context of requests that name none.',
  body: Type.Object({ id: orNull(Id) }),
  answer: SecurityContextModel,
  refusals: ['EntityNotFound', 'SecurityContextNotFound'],
} as const

export const consoleChangeContext = {
  ...consoleNewContext,
  access: 'security-contexts.manage',
  method: 'PUT',
  path: `${contexts}/{id}`,
  summary: 'Changes a security context.',
  refusals: [...consoleNewContext.refusals, 'SecurityContextNotFound', 'EntityIsReadOnly'],
} as const

export const consoleDeleteContext = {
  ...ofContexts,
  access: 'security-contexts.manage',
  method: 'DELETE',
  path: `${contexts}/{id}`,
  summary: 'Deletes a security context that is not the default.',
  refusals: ['EntityNotFound', 'SecurityContextNotFound', 'EntityIsReadOnly', 'EntityUnusable'],
} as const

export const readOverview = {
  method: 'GET',
  path: '/api/overview',
  summary: 'Figures for the first page.',
  tags: ['Overview'],
  query: Type.Object({
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Where today begins. Default: midnight, UTC.' }),
    ),
  }),
  answer: Type.Object({
    subscriptions: Count,
    applications: Count,
    authentications: Type.Object({ succeeded: Count, failed: Count }),
    problems: Count,
  }),
  access: 'overview.read',
} as const
