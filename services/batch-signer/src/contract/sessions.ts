// Where operators and approvers are signed in; not part of the reference.
import Type from 'typebox'
import { change, portal } from './portal.ts'

/** Who has sessions: whom the identity provider gave both roles is an operator. */
export const sessionKinds = ['operator', 'approver'] as const

export type SessionKind = (typeof sessionKinds)[number]

/** How a session began. */
const sessionWays = ['key', 'identity-provider', 'link'] as const

export type SessionWay = (typeof sessionWays)[number]

const Time = Type.String({ description: 'ISO 8601 UTC.' })

const session = {
  id: Type.String(),
  begunAt: Time,
  lastUsedAt: Type.String({ description: 'ISO 8601 UTC, to the minute.' }),
  address: Type.String({ description: 'Of the client that began it.' }),
  userAgent: Type.String(),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this call.' }),
}

const Session = Type.Object({
  ...session,
  kind: Type.Enum([...sessionKinds], { description: 'Whoever has both roles is an operator.' }),
  way: Type.Enum([...sessionWays], { description: 'How it began.' }),
  name: Type.String({ description: 'The address of an approver who came by a link; else who signed in.' }),
})

const Ended = Type.Object({ ended: Type.Integer({ minimum: 0 }) })

const Id = Type.Object({ id: Type.String() })

const operator = { hidden: true, refusals: [] } as const

export const listSessions = {
  ...operator,
  method: 'GET',
  path: '/dashboard/api/sessions',
  summary: 'Where operators and approvers are signed in, the latest first.',
  answer: Type.Object({ items: Type.Array(Session) }),
} as const

export const endSession = {
  ...operator,
  method: 'DELETE',
  path: '/dashboard/api/sessions/{id}',
  summary: 'Ends one session, for every copy of its cookie.',
  policy: 'Actions',
  params: Id,
  answer: Ended,
  refusals: ['session.not-found'],
} as const

export const endSessions = {
  ...operator,
  method: 'DELETE',
  path: '/dashboard/api/sessions',
  summary: 'Ends every session of operators, or of approvers, but that of the call.',
  policy: 'Actions',
  query: Type.Object({ kind: Type.Enum([...sessionKinds]) }, { additionalProperties: false }),
  answer: Ended,
} as const

export const listOwnSessions = {
  ...portal,
  method: 'GET',
  path: '/approvals/api/sessions',
  summary: 'Where the caller is signed in, the latest first.',
  answer: Type.Object({ items: Type.Array(Type.Object(session)) }),
} as const

export const endOwnSession = {
  ...change,
  method: 'DELETE',
  path: '/approvals/api/sessions/{id}',
  summary: 'Ends one session of the caller, for every copy of its cookie.',
  params: Id,
  answer: Ended,
  refusals: ['session.not-found'],
} as const

export const endOwnSessions = {
  ...change,
  method: 'DELETE',
  path: '/approvals/api/sessions',
  summary: 'Ends every session of the caller but that of the call.',
  answer: Ended,
} as const
