// Where administrators are signed in.
import Type from 'typebox'
import { Count, Flag, Id, Text } from './common.ts'

const session = {
  id: Id,
  begunAt: Text,
  lastUsedAt: Type.String({ description: 'To the minute.' }),
  address: Text,
  userAgent: Text,
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this call.' }),
}

const OwnSession = Type.Object(session, { $id: 'OwnSession' })

const AdministratorSession = Type.Object({ ...session, email: Text, isLocal: Flag }, { $id: 'AdministratorSession' })

const Ended = Type.Object({ ended: Count })

export const listOwnSessions = {
  method: 'GET',
  path: '/api/session/sessions',
  summary: 'Where the administrator is signed in.',
  tags: ['Session'],
  answer: Type.Array(OwnSession),
  access: 'account',
} as const

export const endOwnSession = {
  method: 'DELETE',
  path: '/api/session/sessions/{id}',
  summary: 'Signs the administrator out in one browser.',
  tags: ['Session'],
  status: 200,
  access: 'account',
  refusals: ['ADMINISTRATOR_SESSION_NOT_FOUND'],
} as const

export const endOtherSessions = {
  method: 'DELETE',
  path: '/api/session/sessions',
  summary: 'Signs the administrator out everywhere but here.',
  tags: ['Session'],
  answer: Ended,
  access: 'account',
} as const

export const listAdministratorSessions = {
  method: 'GET',
  path: '/api/administrators/sessions',
  summary: 'Who is signed in here, in which browser: local administrators and those of the identity provider.',
  tags: ['Administrators'],
  answer: Type.Array(AdministratorSession),
  access: 'administrators.read',
} as const

export const signAdministratorOut = {
  method: 'POST',
  path: '/api/administrators/sign-out',
  summary: 'Ends every session of whoever signs in with this address, wherever they did.',
  description: 'The session of the call stays, also when the address is that of its own administrator.',
  tags: ['Administrators'],
  body: Type.Object({ email: Type.String({ maxLength: 254 }) }),
  answer: Ended,
  access: 'administrators.sign-out',
} as const
