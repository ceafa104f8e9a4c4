// Who did what with an item, for its organization (credentials-platform facts 3).
import Type from 'typebox'
import { always, Count, orNull, paging, subscriptionHeader, Text, Time } from './common.ts'

const Fields = Type.Record(Type.String(), Type.Unknown())

export const listEvents = {
  method: 'GET',
  path: '/api/events',
  operationId: 'listEvents',
  summary: 'What was done, the newest first: with one item, or with all of some types.',
  tags: ['Events'],
  headers: subscriptionHeader,
  query: Type.Object({
    ...paging,
    entityId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    entityTypes: Type.Optional(
      Type.String({ minLength: 1, maxLength: 400, description: 'Types separated by commas: Degree,Emission.' }),
    ),
  }),
  answer: Type.Object(
    {
      items: Type.Array(
        Type.Object(
          {
            id: Text,
            date: Time,
            type: Text,
            entityType: Text,
            entityId: Text,
            actor: Type.Object({ type: Text, id: Text, name: Text }),
            data: orNull(Type.Unknown()),
            address: Type.Union([Text, Type.Null()], {
              description: 'Of the client; null where no request asked for it.',
            }),
            changes: Type.Union([Type.Object({ before: Fields, after: Fields }), Type.Null()], {
              description: 'What was changed, as it was and as it is; without secrets.',
            }),
          },
          { $id: 'EventModel' },
        ),
      ),
      page: Count,
      pageSize: Count,
    },
    { $id: 'EventPage' },
  ),
  access: 'events.read',
  refusals: always,
} as const
