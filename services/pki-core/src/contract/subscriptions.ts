// Subscriptions: whoever the data of an instance belong to. Roles in the instance manage them (pki-core facts 4.6).
import Type from 'typebox'
import { Flag, orNull, Text, Time } from './common.ts'
import { always, listQuery, Name, pageOf } from './management.ts'

const tags = ['Subscriptions']

export const SubscriptionModel = Type.Object(
  {
    id: Text,
    name: Text,
    disabled: Flag,
    defaultSecurityContextId: orNull(
      Type.String({ description: 'The context of requests that name none; null: ICP-Brasil.' }),
    ),
    dateCreated: Time,
  },
  { $id: 'SubscriptionModel' },
)

export const listSubscriptions = {
  method: 'GET',
  path: '/api/subscriptions',
  operationId: 'listSubscriptions',
  summary: 'The subscriptions of the instance.',
  tags,
  query: Type.Object(listQuery),
  answer: pageOf(SubscriptionModel),
  access: 'subscriptions.read',
  refusals: always,
} as const

export const createSubscription = {
  method: 'POST',
  path: '/api/subscriptions',
  operationId: 'createSubscription',
  summary: 'Makes a subscription; X-Subscription with its id is how applications are made in it.',
  tags,
  body: Type.Object({ name: Name }, { $id: 'SubscriptionData' }),
  answer: SubscriptionModel,
  access: 'subscriptions.manage',
  refusals: [...always, 'EntityAlreadyExists'],
} as const

export const readSubscription = {
  method: 'GET',
  path: '/api/subscriptions/{id}',
  operationId: 'readSubscription',
  summary: 'One of them.',
  tags,
  answer: SubscriptionModel,
  access: 'subscriptions.read',
  refusals: always,
} as const

export const changeSubscription = {
  method: 'PUT',
  path: '/api/subscriptions/{id}',
  operationId: 'changeSubscription',
  summary: 'Renames a subscription, disables it, so that nothing is done for it, or enables it again.',
  tags,
  body: Type.Object({ name: Type.Optional(Name), disabled: Type.Optional(Flag) }),
  answer: SubscriptionModel,
  access: 'subscriptions.manage',
  refusals: [...always, 'EntityAlreadyExists'],
} as const
