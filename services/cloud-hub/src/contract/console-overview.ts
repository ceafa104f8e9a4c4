// Figures for the first page.
import { Count, Notice } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { Provider } from './console-providers.ts'

const { id, serviceName, enabled, available, lastFailure } = Provider.properties

export const readOverview = {
  method: 'GET',
  path: '/api/overview',
  summary: 'Figures for the first page.',
  tags: ['Overview'],
  query: Type.Object({
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Where today begins for whoever asks. Default: midnight, UTC.' }),
    ),
  }),
  answer: Type.Object({
    sessions: Type.Object({
      pending: Type.Integer({ minimum: 0, description: 'Holders who are at a provider now.' }),
      authorized: Type.Integer({ minimum: 0, description: 'Sessions that may be used now.' }),
    }),
    today: Type.Object({
      authorizations: Count,
      hashes: Type.Integer({ minimum: 0, description: 'Hashes that were signed.' }),
      failures: Type.Integer({ minimum: 0, description: 'Uses that did not end well.' }),
    }),
    providers: Type.Array(Type.Object({ id, serviceName, enabled, available, lastFailure })),
    notices: Type.Array(Notice, { description: 'What operators are told of, as of now.' }),
  }),
  access: 'overview.read',
} as const
