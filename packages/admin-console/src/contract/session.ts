// Signing in at a console: a local administrator with password and authenticator app, or an identity provider.
import Type from 'typebox'
import { Count, Flag, orNull, Text } from './common.ts'
import { PasskeyAnswer } from './passkey-shapes.ts'
import { consoleRoles } from './rights.ts'

const tags = ['Session']

export const Me = Type.Object(
  {
    id: Text,
    name: Text,
    email: Text,
    way: Type.Enum(['password', 'oidc']),
    role: Type.Enum([...consoleRoles]),
    rights: Type.Array(Text, { description: 'What the role allows here, by the names of rights.' }),
    secondFactor: Type.Enum(['on', 'off', 'to-enrol'], {
      description: 'to-enrol: nothing else is allowed until an authenticator app or a passkey is set up.',
    }),
    factors: Type.Array(Type.Enum(['app', 'passkey']), { description: 'What is set up as a second factor.' }),
  },
  { $id: 'Me' },
)

const Password = Type.String({ maxLength: 200 })

export const SHORTEST_PASSWORD = 12

export const NewPassword = Type.String({ minLength: SHORTEST_PASSWORD, maxLength: 200 })

const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'What the authenticator app shows.' })

const AnyCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'What the authenticator app shows, or a recovery code.',
})

export const readSignInWays = {
  method: 'GET',
  path: '/api/session/ways',
  summary: 'How one may sign in here.',
  tags,
  answer: Type.Object({ password: Flag, passkey: Flag, oidc: orNull(Type.Object({ title: Text, path: Text })) }),
  access: 'anonymous',
} as const

export const signIn = {
  method: 'POST',
  path: '/api/session',
  summary: 'Signs a local administrator in; answers with a cookie.',
  tags,
  body: Type.Object({
    email: Type.String({ maxLength: 254 }),
    password: Password,
    code: Type.Optional(AnyCode),
    passkey: Type.Optional(PasskeyAnswer),
  }),
  answer: Me,
  access: 'anonymous',
  policy: 'SignIn',
  refusals: ['SIGN_IN_REFUSED', 'CODE_REQUIRED', 'PASSKEYS_UNAVAILABLE'],
} as const

export const readMe = {
  method: 'GET',
  path: '/api/session',
  summary: 'Who is signed in.',
  tags,
  answer: Me,
  access: 'visitor',
} as const

export const signOut = {
  method: 'DELETE',
  path: '/api/session',
  summary: 'Ends the session of this browser.',
  tags,
  status: 200,
  access: 'anonymous',
} as const

export const beginSecondFactor = {
  method: 'POST',
  path: '/api/session/second-factor',
  summary: 'A new secret for an authenticator app; in force once a code of it was given.',
  tags,
  answer: Type.Object({ secret: Text, uri: Text }),
  access: 'proven-visitor',
  refusals: ['AT_IDENTITY_PROVIDER', 'REAUTHENTICATION_REQUIRED'],
} as const

export const confirmSecondFactor = {
  method: 'PUT',
  path: '/api/session/second-factor',
  summary: 'Puts the new secret in force.',
  tags,
  body: Type.Object({
    code: Code,
    presentCode: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Of the app that the new one replaces, where there is one; or a recovery code.',
      }),
    ),
  }),
  answer: Me,
  access: 'proven-visitor',
  policy: 'SignIn',
  refusals: ['SECOND_FACTOR_WRONG', 'PRESENT_CODE_WRONG', 'AT_IDENTITY_PROVIDER', 'REAUTHENTICATION_REQUIRED'],
} as const

export const readRecoveryCodes = {
  method: 'GET',
  path: '/api/session/second-factor/recovery-codes',
  summary: 'How many recovery codes are left.',
  tags,
  answer: Type.Object({ left: Count }),
  access: 'account',
} as const

export const makeRecoveryCodes = {
  method: 'POST',
  path: '/api/session/second-factor/recovery-codes',
  summary: 'New recovery codes, shown this once; those from before end.',
  tags,
  answer: Type.Object({ codes: Type.Array(Text) }),
  access: 'proven-account',
  refusals: ['NO_SECOND_FACTOR', 'AT_IDENTITY_PROVIDER', 'REAUTHENTICATION_REQUIRED'],
} as const

export const proveSession = {
  method: 'POST',
  path: '/api/session/proof',
  summary: 'Proves again who is signed in, for the next minutes of this session (Auth:ProofMinutes).',
  tags,
  body: Type.Object({ password: Password, code: Type.Optional(AnyCode) }),
  access: 'visitor',
  policy: 'SignIn',
  refusals: ['PROOF_REFUSED', 'AT_IDENTITY_PROVIDER'],
} as const

export const changePassword = {
  method: 'PUT',
  path: '/api/session/password',
  summary: 'Another password for whoever is signed in; ends their other sessions.',
  tags,
  body: Type.Object({ password: Password, newPassword: NewPassword }),
  answer: Me,
  access: 'account',
  policy: 'SignIn',
  refusals: ['PASSWORD_WRONG', 'PASSWORD_TOO_COMMON', 'AT_IDENTITY_PROVIDER'],
} as const

/** The page's address after a failed sign-in at the identity provider: `/login?error=<one of these>`. */
export const oidcProblems = ['OIDC_REFUSED', 'OIDC_UNAVAILABLE'] as const

export const signInWithOidc = {
  method: 'GET',
  path: '/api/session/oidc',
  summary: 'Sends the browser to the identity provider, or back to the sign-in page when it is away.',
  tags,
  query: Type.Object({
    fresh: Type.Optional(
      Type.Boolean({ description: 'True has the provider ask again who it is, as a proof for the next minutes.' }),
    ),
    ReturnUrl: Type.Optional(Type.String({ maxLength: 1000, description: 'The page to come back to.' })),
  }),
  status: 302,
  access: 'anonymous',
  policy: 'SignIn',
} as const

export const finishOidc = {
  method: 'GET',
  path: '/oidc/callback',
  summary: 'Where the identity provider sends the browser back to.',
  tags,
  status: 302,
  access: 'anonymous',
  policy: 'SignIn',
} as const
