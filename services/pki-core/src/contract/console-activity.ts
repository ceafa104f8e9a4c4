// What happened lately: authentications, and calls that failed inside the service.
import { Id, orNull, pageOf, paging, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { certificateItemTypes } from './models.ts'

/** How an authentication ended: `Success`, or the type of the first error. */
export const authenticationOutcomes = certificateItemTypes

export const Named = Type.Object({ id: Id, name: Type.String({ description: 'Empty when it is no more.' }) })

export const listAuthentications = {
  method: 'GET',
  path: '/api/authentications',
  summary: 'Authentications that were judged, newest first.',
  tags: ['Activity'],
  query: Type.Object({
    ...paging,
    subscriptionId: Type.Optional(Id),
    outcome: Type.Optional(Type.Enum(['succeeded', 'failed'])),
  }),
  answer: pageOf(
    Type.Object(
      {
        id: Id,
        at: Text,
        subscription: Named,
        application: Named,
        generation: Type.Enum(['Second', 'Earlier']),
        securityContext: Named,
        outcome: Type.Enum([...authenticationOutcomes]),
        subject: orNull(Text),
        identifier: orNull(Type.String({ description: 'CPF, masked.' })),
        thumbprint: orNull(Text),
      },
      { $id: 'AuthenticationEntry' },
    ),
  ),
  access: 'activity.read',
} as const

export const listProblems = {
  method: 'GET',
  path: '/api/problems',
  summary: 'Calls that failed inside the service, newest first, by the exceptionCode their callers were told.',
  tags: ['Activity'],
  query: Type.Object({ ...paging, exceptionCode: Type.Optional(Type.String({ maxLength: 200 })) }),
  answer: pageOf(
    Type.Object(
      {
        id: Id,
        at: Text,
        exceptionCode: Text,
        status: Type.Integer(),
        code: Text,
        path: Text,
        problem: Type.String({ description: 'What was thrown.' }),
        detail: orNull(Type.String({ description: 'Where.' })),
      },
      { $id: 'ProblemEntry' },
    ),
  ),
  access: 'activity.read',
} as const
