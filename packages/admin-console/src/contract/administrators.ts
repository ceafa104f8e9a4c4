// Local administrators of a console.
import Type from 'typebox'
import { Flag, Id, orNull, Text } from './common.ts'
import { consoleRoles } from './rights.ts'
import { NewPassword } from './session.ts'

const tags = ['Administrators']

const Role = Type.Enum([...consoleRoles])

const Administrator = Type.Object(
  {
    id: Id,
    name: Text,
    email: Text,
    role: Role,
    secondFactor: Flag,
    createdAt: Text,
    lastSignInAt: orNull(Text),
  },
  { $id: 'Administrator' },
)

export const listAdministrators = {
  method: 'GET',
  path: '/api/administrators',
  summary: 'The local administrators.',
  tags,
  answer: Type.Array(Administrator),
  access: 'administrators.read',
} as const

export const createAdministrator = {
  method: 'POST',
  path: '/api/administrators',
  summary: 'Adds a local administrator, who sets an authenticator app or a passkey up at the first sign-in.',
  tags,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, format: 'one-line' }),
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: NewPassword,
    role: Type.Optional(Type.Enum([...consoleRoles], { description: 'Default: administrator.' })),
  }),
  answer: Administrator,
  access: 'administrators.manage',
  refusals: ['REAUTHENTICATION_REQUIRED', 'ADMINISTRATOR_EMAIL_TAKEN', 'PASSWORD_TOO_COMMON'],
} as const

export const changeAdministratorRole = {
  method: 'PUT',
  path: '/api/administrators/{id}/role',
  summary: 'Gives somebody another role, which decides about their next call.',
  description: 'Somebody who administers always stays, and nobody gives themselves more than they have.',
  tags,
  body: Type.Object({ role: Role }),
  answer: Administrator,
  access: 'administrators.manage',
  refusals: ['REAUTHENTICATION_REQUIRED', 'ADMINISTRATOR_NOT_FOUND', 'LAST_ADMINISTRATOR', 'FORBIDDEN_FOR_ROLE'],
} as const

export const removeAdministrator = {
  method: 'DELETE',
  path: '/api/administrators/{id}',
  summary: 'Removes a local administrator and ends the sessions of the browser they use.',
  tags,
  access: 'administrators.manage',
  refusals: ['REAUTHENTICATION_REQUIRED', 'ADMINISTRATOR_NOT_FOUND', 'LAST_ADMINISTRATOR'],
} as const

export const resetSecondFactor = {
  method: 'DELETE',
  path: '/api/administrators/{id}/second-factor',
  summary: 'Forgets authenticator app and passkeys of an administrator, who sets up others at the next sign-in.',
  tags,
  access: 'administrators.manage',
  refusals: ['REAUTHENTICATION_REQUIRED', 'ADMINISTRATOR_NOT_FOUND'],
} as const
