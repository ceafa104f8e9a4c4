// Activity: sessions, and the audit of their uses.
import { Count, Id, orNull, pageOf, paging, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { identifierTypes, sessionTypes } from './models.ts'

/** State of a session; the table of moves is in `rules/session-states.ts`, and live ones become `expired` by time. */
export const shownStates = ['pending', 'authorized', 'reserved', 'used', 'refused', 'late', 'ended', 'expired'] as const

const Named = Type.Object({ id: Id, name: Type.String({ description: 'Empty when it is no more.' }) })

const providerId = Type.Optional(Id)

const time = Type.Optional(Type.String({ format: 'date-time' }))

/** What a call for help brings: whose, from which application, when. */
const search = {
  identifier: Type.Optional(
    Type.String({
      maxLength: 20,
      description: 'A whole CPF or CNPJ, with or without punctuation; it is kept nowhere.',
    }),
  ),
  application: Type.Optional(Type.String({ maxLength: 200, description: 'Part of its name.' })),
  from: time,
  to: time,
}

const holder = {
  identifierType: orNull(Type.Enum([...identifierTypes])),
  identifier: orNull(Type.String({ description: 'Masked; nothing when the client gave none.' })),
}

const HubSession = Type.Object(
  {
    id: Type.String({ description: 'Names the session here; it is not its value, which nobody can read.' }),
    provider: Named,
    application: Named,
    type: Type.Enum([...sessionTypes]),
    state: Type.Enum([...shownStates]),
    reason: orNull(Type.String({ description: 'Why it cannot be used, as a code.' })),
    ...holder,
    createdAt: Text,
    authorizedAt: orNull(Text),
    expiresAt: Text,
    endedAt: orNull(Text),
  },
  { $id: 'HubSession' },
)

export const listSessions = {
  method: 'GET',
  path: '/api/sessions',
  summary: 'Sessions, newest first, without their values and secrets.',
  tags: ['Sessions'],
  query: Type.Object({
    ...paging,
    live: Type.Optional(Type.Boolean({ description: 'true: only those that may still be used.' })),
    state: Type.Optional(Type.Enum([...shownStates])),
    providerId,
    ...search,
  }),
  answer: pageOf(HubSession),
  access: 'sessions.read',
} as const

export const endSessionAtConsole = {
  method: 'DELETE',
  path: '/api/sessions/{id}',
  summary: 'Ends a session and forgets the tokens it rested on.',
  tags: ['Sessions'],
  access: 'sessions.end',
  refusals: ['SESSION_NOT_FOUND'],
} as const

export const useActions = ['authorize', 'certificate', 'sign', 'end'] as const

const SessionUse = Type.Object(
  {
    id: Id,
    at: Text,
    sessionId: Id,
    provider: Named,
    application: Named,
    ...holder,
    action: Type.Enum([...useActions]),
    outcome: Type.String({ description: '`ok`, or the code that was answered.' }),
    hashes: Count,
    digestAlgorithm: orNull(Text),
    alias: orNull(Type.String({ description: 'Of the certificate; long numbers are masked.' })),
    milliseconds: orNull(Type.Integer({ minimum: 0, description: 'At the provider.' })),
    correlationId: orNull(Text),
  },
  { $id: 'SessionUse' },
)

export const listUses = {
  method: 'GET',
  path: '/api/uses',
  summary: 'What was done under sessions, newest first; neither hashes nor signatures are kept.',
  tags: ['Uses'],
  query: Type.Object({
    ...paging,
    sessionId: Type.Optional(Id),
    providerId,
    action: Type.Optional(Type.Enum([...useActions])),
    failed: Type.Optional(Type.Boolean({ description: 'true: only what did not end well; false: only what did.' })),
    ...search,
  }),
  answer: pageOf(SessionUse),
  access: 'uses.read',
} as const
