// Who did what with an item, for its organization (credentials-platform facts 3).
import Type from 'typebox'
import { always, Count, orNull, paging, subscriptionHeader, Text, Time } from './common.ts'

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
