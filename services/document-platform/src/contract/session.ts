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
    hasPassword: Flag,
    way: Type.Enum(['password', 'oidc'], { description: 'How the session was begun, and is proved again.' }),
    secondFactor: Type.Enum(['on', 'off', 'to-enrol'], {
      description: 'to-enrol: the organization asks for one, and allows nothing else before.',
    }),
  },
  { $id: 'Me' },
)

const Code = Type.String({
  maxLength: 40,
  description: 'What the authenticator app shows, or a recovery code; needed where an app is set up.',
})

export const signIn = {
  method: 'POST',
  path: '/api/session',
  summary: 'Signs a user of an organization in; answers with a cookie.',
  tags,
  body: Type.Object({
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 200 }),
    code: Type.Optional(Code),
  }),
  answer: Me,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['InvalidCredentials', 'SecondFactorCodeRequired'],
} as const

export const readSignInWays = {
  method: 'GET',
  path: '/api/session/ways',
  summary: 'How one may sign in here.',
  tags,
  answer: Type.Object({ password: Flag, oidc: orNull(Type.Object({ title: Text, path: Text })) }),
  access: 'anonymous',
} as const

export const signInWithOidc = {
  method: 'GET',
  path: '/api/session/oidc',
  summary: 'Sends the browser to the identity provider, or back to the sign-in page when it is away.',
  tags,
  query: Type.Object({
    fresh: Type.Optional(
      Type.Boolean({ description: 'True has the provider ask again who it is, as a proof for the next minutes.' }),
    ),
    returnUrl: Type.Optional(Type.String({ maxLength: 1000, description: 'The page to come back to.' })),
  }),
  status: 302,
  access: 'anonymous',
  policy: 'SignIn',
} as const

export const finishOidc = {
  method: 'GET',
  path: '/oidc/callback',
  summary: 'Where the identity provider sends the browser back to; a failure goes to `/login?error=…`.',
  tags,
  status: 302,
  access: 'anonymous',
  policy: 'SignIn',
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
  body: Type.Object({ ticket: Ticket, password: Type.String({ maxLength: 200 }), code: Type.Optional(Code) }),
  answer: Me,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['InvitationInvalidOrExpired', 'InvalidCredentials', 'SecondFactorCodeRequired', 'PasswordTooCommon'],
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

/** Who changes the second factor proves it anew: a copied cookie is not enough. */
const Proof = { password: Type.String({ maxLength: 200 }), code: Type.Optional(Code) }
const proofRefusals = ['PasswordWrong', 'SecondFactorCodeRequired', 'SecondFactorWrong'] as const

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Text, { description: 'Each signs in once without the app; shown in this answer alone.' }),
})

export const proveSession = {
  method: 'POST',
  path: '/api/session/proof',
  summary: 'Proves again who is signed in, for the next minutes of this session (Auth:ProofMinutes).',
  tags,
  body: Type.Object(Proof),
  status: 200,
  access: 'user',
  policy: 'SignIn',
  refusals: [...proofRefusals, 'ProofAtIdentityProvider'],
} as const

export const beginSecondFactor = {
  method: 'POST',
  path: '/api/session/second-factor',
  summary: 'A new secret for an authenticator app; in force once a code of it was given.',
  tags,
  body: Type.Object(Proof),
  answer: Type.Object({ secret: Text, uri: Text }),
  access: 'user',
  policy: 'SignIn',
  refusals: proofRefusals,
} as const

export const confirmSecondFactor = {
  method: 'PUT',
  path: '/api/session/second-factor',
  summary: 'Puts the new secret in force, with new recovery codes; ends the other sessions.',
  tags,
  body: Type.Object({ code: Code }),
  answer: RecoveryCodes,
  access: 'user',
  policy: 'SignIn',
  refusals: ['SecondFactorWrong'],
} as const

export const removeSecondFactor = {
  method: 'POST',
  path: '/api/session/second-factor/removal',
  summary: 'Forgets the authenticator app and the recovery codes.',
  tags,
  body: Type.Object(Proof),
  status: 200,
  access: 'user',
  policy: 'SignIn',
  refusals: proofRefusals,
} as const

export const makeRecoveryCodes = {
  method: 'POST',
  path: '/api/session/second-factor/recovery-codes',
  summary: 'New recovery codes; those before are void.',
  tags,
  body: Type.Object(Proof),
  answer: RecoveryCodes,
  access: 'user',
  policy: 'SignIn',
  refusals: proofRefusals,
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
