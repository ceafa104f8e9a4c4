// Renewals of the archives of signed documents (credentials-platform facts 2.8).
import Type from 'typebox'
import { always, pageOf, paging, subscriptionHeader } from './common.ts'
import { eventModels } from './models.ts'
import { restampStatuses } from './vocabulary.ts'

const common = { tags: ['Restamps'], headers: subscriptionHeader } as const

export const listRestamps = {
  ...common,
  method: 'GET',
  path: '/api/restamps',
  operationId: 'listRestamps',
  summary: 'Renewals of archives that are planned, done or failed, the newest first.',
  query: Type.Object({ ...paging, status: Type.Optional(Type.Enum([...restampStatuses])) }),
  answer: pageOf(eventModels.Restamp),
  access: 'restamps.read',
  refusals: always,
} as const

export const retryRestamp = {
  ...common,
  method: 'POST',
  path: '/api/restamps/{id}/retry',
  operationId: 'retryRestamp',
  summary: 'Tries a renewal that failed again now, not only tomorrow.',
  answer: eventModels.Restamp,
  access: 'restamps.manage',
  refusals: [...always, 'restamp-not-found', 'invalid-transition'],
} as const
