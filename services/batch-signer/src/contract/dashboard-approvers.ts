import Type, { type TSchema } from 'typebox'
import { NO_NUL } from './no-nul.ts'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Time = Type.String({ description: 'ISO 8601 UTC.' })

const Approvers = Type.Object({
  portal: Type.Boolean({ description: 'Whether links are taken.' }),
  secondFactor: Type.Boolean({ description: 'Whether codes are asked for.' }),
  links: Type.Array(
    Type.Object({
      name: Type.String(),
      email: Type.String(),
      profiles: Type.Array(Type.String()),
      path: orNull(
        Type.String({ description: 'The link, without the address of the service; null while the portal is off.' }),
      ),
    }),
    { description: 'Everybody of the pools as they are now.' },
  ),
  enrolments: Type.Array(
    Type.Object({
      email: Type.String(),
      enrolledAt: Time,
      lockedUntil: orNull(Time),
      usable: Type.Boolean({ description: 'False after a change of the secret: the app has to be enrolled anew.' }),
    }),
  ),
})

const operator = { hidden: true, answer: Approvers } as const

export const listApprovers = {
  ...operator,
  method: 'GET',
  path: '/dashboard/api/approvers',
  summary: 'The links of approvers, and their authenticator apps.',
} as const

export const resetFactor = {
  ...operator,
  method: 'POST',
  path: '/dashboard/api/approvers/second-factor/reset',
  summary: 'Forgets the authenticator app of an approver, who then enrols another.',
  policy: 'Actions',
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 200, pattern: NO_NUL }) }),
  refusals: ['approval.second-factor-not-enrolled'],
} as const
