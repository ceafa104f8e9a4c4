import Type from 'typebox'

const tags = ['Events']

const Values = Type.Record(Type.String(), Type.Unknown())

const OperationalEvent = Type.Object(
  {
    id: Type.String(),
    timestamp: Type.String({ description: 'ISO 8601 UTC.' }),
    eventType: Type.String(),
    message: Type.String({
      description: 'What happened, in the language of the culture cookie or Accept-Language; else English.',
    }),
    code: Type.Optional(Type.String({ description: 'The stable code that goes with it.' })),
    actor: Type.String({
      description:
        'Who did it: api-key, operator, a person of the identity provider, an approver, or a part of the service.',
    }),
    address: Type.Optional(Type.String({ description: 'Of the client that asked for it.' })),
    changes: Type.Optional(
      Type.Object(
        { before: Values, after: Values },
        { description: 'The fields that were changed, as they were and as they are; secrets are not shown.' },
      ),
    ),
  },
  { $id: 'OperationalEvent' },
)

/** A page of the operational event log. */
export const listEvents = {
  method: 'GET',
  path: '/api/events',
  summary: 'The operational event log, newest first.',
  description:
    'A value that makes no sense is refused with `validation.filter-invalid`, never ignored, and so is a name that is not listed.',
  tags,
  query: Type.Object(
    {
      eventType: Type.Optional(Type.Array(Type.String(), { description: 'Only this type; may be repeated.' })),
      from: Type.Optional(
        Type.String({
          description: 'ISO 8601, inclusive; UTC where it names no offset, and a day alone as it begins at the site.',
        }),
      ),
      to: Type.Optional(Type.String({ description: 'ISO 8601, exclusive.' })),
      type: Type.Optional(Type.Array(Type.String(), { description: 'The same as `eventType`.' })),
      text: Type.Optional(Type.String({ description: 'The same as `contains`.' })),
      contains: Type.Optional(
        Type.String({ description: 'Found literally in message, in either language, code, actor or subject.' }),
      ),
      page: Type.Optional(Type.String({ description: 'From 1, at most 10,737,418.' })),
      pageSize: Type.Optional(Type.String({ description: 'From 1 to 200. Default 50.' })),
    },
    { additionalProperties: false },
  ),
  answer: Type.Object(
    {
      items: Type.Array(OperationalEvent),
      page: Type.Integer(),
      pageSize: Type.Integer(),
      totalCount: Type.Integer(),
    },
    { $id: 'OperationalEventPage' },
  ),
  refusals: ['validation.filter-invalid'],
} as const

export const listEventTypes = {
  method: 'GET',
  path: '/api/events/types',
  summary: 'The types of the events that are in the log.',
  tags,
  answer: Type.Object({ types: Type.Array(Type.String()) }, { $id: 'EventTypes' }),
} as const
