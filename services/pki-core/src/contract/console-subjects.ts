// Biometric subjects at the admin page: that they are there and agreed to it, never their faces.
import { Id, orNull, pageOf, paging, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { Time } from './common.ts'
import { Named } from './console-activity.ts'

const common = { tags: ['Biometric subjects'] } as const

export const listBioSubjects = {
  ...common,
  access: 'bio-subjects.read',
  method: 'GET',
  path: '/api/bio-subjects',
  summary: 'Persons whose faces are kept, or were, newest first.',
  query: Type.Object({
    ...paging,
    subscriptionId: Type.Optional(Id),
    state: Type.Optional(Type.Enum(['enrolled', 'deleted'])),
    identifier: Type.Optional(
      Type.String({
        maxLength: 256,
        pattern: '^[^\\u0000-\\u001f]*$',
        description: 'The whole of what an application calls the person.',
      }),
    ),
  }),
  answer: pageOf(
    Type.Object(
      {
        id: Id,
        subscription: Named,
        identifier: orNull(Type.String({ description: 'Masked; null once the subject is deleted.' })),
        createdAt: Time,
        enrolledAt: orNull(Type.String({ description: 'When the face that is kept came; null once it is deleted.' })),
        consent: orNull(Type.Object({ date: Time, textVersion: Text })),
        deletedAt: orNull(Time),
      },
      { $id: 'BioSubjectEntry' },
    ),
  ),
} as const

export const consoleDeleteSubject = {
  ...common,
  access: 'bio-subjects.delete',
  method: 'DELETE',
  path: '/api/bio-subjects/{id}',
  summary: 'Deletes template, pictures and identifier of a subject; that it was there remains.',
  refusals: ['BioSubjectNotFound'],
} as const
