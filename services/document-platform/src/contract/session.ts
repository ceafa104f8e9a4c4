// Signing in at the pages: users of organizations.
import Type from 'typebox'
import { Count, Flag, Id, IdAndName, orNull, Text, Time } from './common.ts'

const tags = ['Session']

const Me = Type.Object(
  {
    id: Id,
    name: Text,
    email: orNull(Text),
    language: Text,
    organization: Type.Object({ id: Id, name: Text, isPersonal: Flag }),
    organizations: Type.Array(Type.Object({ id: Id, name: Text, isPersonal: Flag })),
    roles: Type.Object({ administrator: Flag, manager: Flag, operator: Flag }),
    rights: Type.Record(Type.String(), Type.Enum(['all', 'involved', 'own', 'none'])),
    emailEnabled: Flag,
  },
  { $id: 'Me' },
)

export const signIn = {
  method: 'POST',
  path: '/api/session',
  summary: 'Signs a user of an organization in; answers with a cookie.',
  tags,
  body: Type.Object({ email: Type.String({ maxLength: 254 }), password: Type.String({ maxLength: 200 }) }),
  answer: Me,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['InvalidCredentials'],
} as const

const Ticket = Type.String({ minLength: 1, maxLength: 4000 })

export const readInvitation = {
  method: 'GET',
  path: '/api/invitation',
  summary: 'What an invitation is for, and whether its address signs in already.',
  tags,
  query: Type.Object({ ticket: Ticket }),
  answer: Type.Object({ organization: Text, name: Text, email: Text, hasAccount: Flag }),
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['InvitationInvalidOrExpired'],
} as const

export const acceptInvitation = {
  method: 'POST',
  path: '/api/invitation',
  summary:
    'Becomes the user an invitation is for, with the password of the account or a new one; answers with a cookie.',
  tags,
  body: Type.Object({ ticket: Ticket, password: Type.String({ maxLength: 200 }) }),
  answer: Me,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['InvitationInvalidOrExpired', 'InvalidCredentials', 'PasswordTooCommon'],
} as const

export const signOut = {
  method: 'DELETE',
  path: '/api/session',
  summary: 'Ends the session of this browser; its cookie opens nothing any more.',
  tags,
  status: 200,
  access: 'anonymous',
} as const

export const readMe = {
  method: 'GET',
  path: '/api/session',
  summary: 'Who is signed in, and for which organization.',
  tags,
  answer: Me,
  access: 'user',
} as const

const NewPassword = Type.String({ minLength: 10, maxLength: 200 })

export const changePassword = {
  method: 'PUT',
  path: '/api/session/password',
  summary: 'Another password for whoever is signed in; ends their other sessions.',
  tags,
  body: Type.Object({ password: Type.String({ maxLength: 200 }), newPassword: NewPassword }),
  answer: Me,
  access: 'user',
  policy: 'SignIn',
  refusals: ['PasswordWrong', 'PasswordTooCommon'],
} as const

export const requestPasswordReset = {
  method: 'POST',
  path: '/api/session/password-reset',
  summary:
    'Sends a link for a new password, valid for an hour, to an address that signs in; the answer is always the same.',
  tags,
  body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
  status: 200,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['EmailNotAvailable'],
} as const

export const resetPassword = {
  method: 'POST',
  path: '/api/session/password',
  summary: 'A new password for whoever opened the link; ends every session of the account.',
  tags,
  body: Type.Object({ ticket: Ticket, password: NewPassword }),
  status: 200,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['PasswordResetInvalidOrExpired', 'PasswordTooCommon'],
} as const

export const listSessions = {
  method: 'GET',
  path: '/api/session/sessions',
  summary: 'Where the user is signed in.',
  tags,
  answer: Type.Array(
    Type.Object({
      id: Id,
      organization: IdAndName,
      creationDate: Time,
      lastUseDate: Type.String({ description: 'To the minute.' }),
      ipAddress: Text,
      userAgent: Text,
      isCurrent: Flag,
    }),
  ),
  access: 'user',
} as const

export const endSession = {
  method: 'DELETE',
  path: '/api/session/sessions/{id}',
  summary: 'Signs the user out at one browser.',
  tags,
  status: 200,
  access: 'user',
  refusals: ['SessionNotFound'],
} as const

export const endOtherSessions = {
  method: 'DELETE',
  path: '/api/session/sessions',
  summary: 'Signs the user out everywhere but here.',
  tags,
  status: 200,
  answer: Type.Object({ ended: Count }),
  access: 'user',
} as const

export const switchOrganization = {
  method: 'PUT',
  path: '/api/session/organization',
  summary: 'Acts for another of the user’s organizations from now on.',
  tags,
  body: Type.Object({ organizationId: Id }),
  answer: Me,
  access: 'user',
  refusals: ['OrganizationNotFound'],
} as const
