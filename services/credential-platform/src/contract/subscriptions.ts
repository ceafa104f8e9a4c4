// Organizations. The operator makes them, with a key from the machine itself.
import Type, { type Static } from 'typebox'
import { always, body, Flag, Name, pageOf, searching, subscriptionHeader, Text, Time } from './common.ts'

const tags = ['Subscriptions']

const SubscriptionModel = Type.Object(
  { id: Text, name: Text, disabled: Flag, creationDate: Time, updateDate: Time },
  { $id: 'SubscriptionModel' },
)

export type SubscriptionView = Static<typeof SubscriptionModel>

export const listSubscriptions = {
  method: 'GET',
  path: '/api/subscriptions',
  operationId: 'listSubscriptions',
  summary: 'The organizations of the instance.',
  tags,
  query: Type.Object(searching),
  answer: pageOf(SubscriptionModel),
  access: 'subscriptions.manage',
  refusals: always,
} as const

export const createSubscription = {
  method: 'POST',
  path: '/api/subscriptions',
  operationId: 'createSubscription',
  summary: 'Makes an organization; X-Subscription with its id is how users and applications are made in it.',
  tags,
  body: body({ name: Name }, 'NewSubscription'),
  answer: SubscriptionModel,
  status: 201,
  access: 'subscriptions.manage',
  refusals: [...always, 'invalid-data', 'already-exists'],
} as const

export const changeSubscription = {
  method: 'PUT',
  path: '/api/subscriptions/{id}',
  operationId: 'changeSubscription',
  summary: 'Renames an organization, disables it, so that nothing is done for it, or enables it again.',
  tags,
  body: body({ name: Type.Optional(Name), disabled: Type.Optional(Flag) }, 'SubscriptionChange'),
  answer: SubscriptionModel,
  access: 'subscriptions.manage',
  refusals: [...always, 'subscription-not-found', 'invalid-data', 'already-exists'],
} as const

export const readSubscription = {
  method: 'GET',
  path: '/api/subscriptions/{id}',
  operationId: 'readSubscription',
  summary: 'The organization of the caller.',
  tags,
  headers: subscriptionHeader,
  answer: SubscriptionModel,
  access: 'subscription.read',
  refusals: [...always, 'subscription-not-found'],
} as const
