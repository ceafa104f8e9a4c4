// People of an organization: an Administrador invites them, and they choose their own password.
import Type, { type Static } from 'typebox'
import { always, body, Flag, Name, orNull, pageOf, searching, subscriptionHeader, Text, Time } from './common.ts'
import { roles } from './vocabulary.ts'

const tags = ['Users']

export const Role = Type.Enum([...roles])

const user = {
  id: Text,
  name: Text,
  email: Text,
  role: Role,
  accepted: Type.Boolean({ description: 'Whether the invitation was accepted.' }),
  creationDate: Time,
  updateDate: Time,
}

const UserModel = Type.Object(user, { $id: 'UserModel' })

const InvitedUserModel = Type.Object(
  {
    ...user,
    invitationUrl: orNull(
      Type.String({
        description: 'Where the person chooses a password; null where it was mailed, or accepted already.',
      }),
    ),
    invitationMailed: Type.Boolean({ description: 'Whether the link goes to the person by e-mail.' }),
  },
  { $id: 'InvitedUserModel' },
)

export type UserView = Static<typeof UserModel>
export type InvitedUser = Static<typeof InvitedUserModel>

export const listUsers = {
  method: 'GET',
  path: '/api/users',
  operationId: 'listUsers',
  summary: 'The users of the organization.',
  tags,
  headers: subscriptionHeader,
  query: Type.Object(searching),
  answer: pageOf(UserModel),
  access: 'users.read',
  refusals: always,
} as const

export const createUser = {
  method: 'POST',
  path: '/api/users',
  operationId: 'createUser',
  summary: 'Invites a person, by e-mail where the service sends any.',
  policy: 'Invitations',
  tags,
  headers: subscriptionHeader,
  body: body({ name: Name, email: Type.String({ format: 'email', maxLength: 254 }), role: Role }, 'NewUser'),
  answer: InvitedUserModel,
  status: 201,
  access: 'users.manage',
  refusals: [...always, 'invalid-data', 'already-exists'],
} as const

export const readUser = {
  method: 'GET',
  path: '/api/users/{id}',
  operationId: 'readUser',
  summary: 'A user.',
  tags,
  headers: subscriptionHeader,
  answer: UserModel,
  access: 'users.read',
  refusals: [...always, 'user-not-found'],
} as const

export const changeUser = {
  method: 'PUT',
  path: '/api/users/{id}',
  operationId: 'changeUser',
  summary: 'Another name or role. What is not given stays.',
  tags,
  headers: subscriptionHeader,
  body: body({ name: Type.Optional(Name), role: Type.Optional(Role) }, 'UserChange'),
  answer: UserModel,
  access: 'users.manage',
  refusals: [...always, 'user-not-found', 'invalid-data', 'last-administrador'],
} as const

export const deleteUser = {
  method: 'DELETE',
  path: '/api/users/{id}',
  operationId: 'deleteUser',
  summary: 'Removes a user from the organization; sessions of other organizations go on.',
  tags,
  headers: subscriptionHeader,
  access: 'users.manage',
  refusals: [...always, 'user-not-found', 'last-administrador'],
} as const

export const inviteUserAgain = {
  method: 'POST',
  path: '/api/users/{id}/invitation',
  operationId: 'inviteUserAgain',
  summary: 'Another invitation, for whom the first one was lost or is over.',
  policy: 'Invitations',
  tags,
  headers: subscriptionHeader,
  answer: InvitedUserModel,
  access: 'users.manage',
  refusals: [...always, 'user-not-found'],
} as const

const Password = Type.String({ maxLength: 200 })
const NewPassword = Type.String({ minLength: 12, maxLength: 200 })
const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'What the authenticator app shows.' })

const MeModel = Type.Object(
  {
    name: Text,
    email: Text,
    secondFactor: Type.Enum(['on', 'off', 'to-enrol']),
    subscriptions: Type.Array(Type.Object({ id: Text, name: Text, role: Role, disabled: Flag })),
  },
  { $id: 'MeModel' },
)

export type Me = Static<typeof MeModel>

const session = { path: '/api/session', tags: ['Session'] } as const

export const signIn = {
  ...session,
  method: 'POST',
  operationId: 'signIn',
  summary: 'Signs a person in; answers with a cookie.',
  body: body({ email: Type.String({ maxLength: 254 }), password: Password, code: Type.Optional(Code) }, 'SignIn'),
  answer: MeModel,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['invalid-request', 'sign-in-refused', 'code-required', 'too-many-requests'],
} as const

export const readMe = {
  ...session,
  method: 'GET',
  operationId: 'readMe',
  summary: 'Who is signed in, and where that person works.',
  answer: MeModel,
  access: 'visitor',
  refusals: ['unauthorized'],
} as const

export const signOut = {
  ...session,
  method: 'DELETE',
  operationId: 'signOut',
  summary: 'Ends the session of this browser.',
  access: 'anonymous',
} as const

export const acceptInvitation = {
  ...session,
  method: 'POST',
  path: '/api/session/invitation',
  operationId: 'acceptInvitation',
  summary: 'Accepts an invitation: with a new password, or with the one that the address has here already.',
  body: body(
    { ticket: Type.String({ minLength: 1, maxLength: 4000 }), password: NewPassword, code: Type.Optional(Code) },
    'AcceptInvitation',
  ),
  answer: MeModel,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: [
    'invalid-request',
    'invitation-invalid',
    'sign-in-refused',
    'code-required',
    'password-too-common',
    'too-many-requests',
  ],
} as const

export const changePassword = {
  ...session,
  method: 'PUT',
  path: '/api/session/password',
  operationId: 'changePassword',
  summary: 'Another password for whoever is signed in; ends their other sessions.',
  body: body({ password: Password, newPassword: NewPassword }, 'PasswordChange'),
  answer: MeModel,
  access: 'visitor',
  policy: 'SignIn',
  refusals: ['invalid-request', 'unauthorized', 'password-wrong', 'password-too-common', 'too-many-requests'],
} as const

export const beginSecondFactor = {
  ...session,
  method: 'POST',
  path: '/api/session/second-factor',
  operationId: 'beginSecondFactor',
  summary: 'A new secret for an authenticator app; in force once a code of it was given.',
  answer: Type.Object({ secret: Text, uri: Text }, { $id: 'SecondFactorModel' }),
  access: 'proven-visitor',
  refusals: ['unauthorized', 'reauthentication-required'],
} as const

export const confirmSecondFactor = {
  ...session,
  method: 'PUT',
  path: '/api/session/second-factor',
  operationId: 'confirmSecondFactor',
  summary: 'Puts the new secret in force.',
  body: body(
    {
      code: Code,
      presentCode: Type.Optional(
        Type.String({ maxLength: 40, description: 'Of the app that the new one replaces, where there is one.' }),
      ),
    },
    'SecondFactorCode',
  ),
  answer: MeModel,
  access: 'proven-visitor',
  policy: 'SignIn',
  refusals: [
    'invalid-request',
    'unauthorized',
    'second-factor-wrong',
    'present-code-wrong',
    'reauthentication-required',
    'too-many-requests',
  ],
} as const

export const proveSession = {
  ...session,
  method: 'POST',
  path: '/api/session/proof',
  operationId: 'proveSession',
  summary: 'Proves again who is signed in, for the next minutes of this session (Auth:ProofMinutes).',
  body: body({ password: Password, code: Type.Optional(Code) }, 'SessionProof'),
  access: 'visitor',
  policy: 'SignIn',
  refusals: ['invalid-request', 'unauthorized', 'proof-refused', 'too-many-requests'],
} as const

const BrowserSession = Type.Object(
  {
    id: Text,
    begunAt: Time,
    lastUsedAt: Type.String({ description: 'To the minute.' }),
    address: Text,
    userAgent: Text,
    isCurrent: Flag,
  },
  { $id: 'BrowserSession' },
)

export const listOwnSessions = {
  ...session,
  method: 'GET',
  path: '/api/session/sessions',
  operationId: 'listOwnSessions',
  summary: 'Where the person is signed in.',
  answer: Type.Array(BrowserSession),
  access: 'visitor',
  refusals: ['unauthorized'],
} as const

export const endOwnSession = {
  ...session,
  method: 'DELETE',
  path: '/api/session/sessions/{id}',
  operationId: 'endOwnSession',
  summary: 'Signs the person out in one browser.',
  access: 'visitor',
  refusals: ['unauthorized', 'browser-session-not-found'],
} as const

export const endOtherSessions = {
  ...session,
  method: 'DELETE',
  path: '/api/session/sessions',
  operationId: 'endOtherSessions',
  summary: 'Signs the person out everywhere but here.',
  answer: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
  access: 'visitor',
  refusals: ['unauthorized'],
} as const
