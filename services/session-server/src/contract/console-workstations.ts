// Workstations: enrolled with a one-time code, revoked when they are lost.
import { Count, Id, orNull, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { CHANNEL } from './agent-channel.ts'
import { Cpf } from './common.ts'

const tags = ['Workstations']
const workstationStates = ['waiting', 'outdated', 'online', 'offline', 'revoked'] as const

const Workstation = Type.Object(
  {
    id: Id,
    name: Text,
    cpfs: Type.Array(Text, { description: 'Holders whose certificates it may offer.' }),
    state: Type.Enum([...workstationStates], {
      description: 'waiting: not enrolled yet; outdated: enrolled for a channel of before, has to be enrolled again.',
    }),
    platform: orNull(Text),
    agentVersion: orNull(Text),
    address: orNull(Text),
    certificates: Count,
    enrolledAt: orNull(Text),
    lastSeenAt: orNull(Text),
    createdAt: Text,
  },
  { $id: 'Workstation' },
)

const Code = Type.Object({
  workstation: Workstation,
  code: Type.String({ description: 'Good once, until it expires; shown this once.' }),
  expiresAt: Text,
})

const holders = Type.Array(Cpf, { minItems: 1, maxItems: 50 })
const name = Type.String({ minLength: 1, maxLength: 100 })

export const listWorkstations = {
  method: 'GET',
  path: '/api/workstations',
  summary: 'Workstations and their state.',
  tags,
  answer: Type.Array(Workstation),
  access: 'workstations.read',
} as const

export const createWorkstation = {
  method: 'POST',
  path: '/api/workstations',
  summary: 'Adds a workstation and makes the code its agent enrols with.',
  tags,
  body: Type.Object({ name, cpfs: holders }),
  answer: Code,
  access: 'workstations.manage',
} as const

export const changeWorkstation = {
  method: 'PUT',
  path: '/api/workstations/{id}',
  summary: 'Renames a workstation or changes whose certificates it may offer.',
  tags,
  body: Type.Object({ name, cpfs: holders }),
  answer: Workstation,
  access: 'workstations.manage',
  refusals: ['WORKSTATION_NOT_FOUND'],
} as const

export const createEnrolmentCode = {
  method: 'POST',
  path: '/api/workstations/{id}/code',
  summary: 'Another code, for an agent that is set up anew; the former enrolment ends when it is used.',
  tags,
  answer: Code,
  access: 'workstations.enrol',
  refusals: ['WORKSTATION_NOT_FOUND'],
} as const

export const revokeWorkstation = {
  method: 'DELETE',
  path: '/api/workstations/{id}',
  summary: 'Revokes an enrolment at once: its channel is cut, its certificates go and sessions on them end.',
  tags,
  access: 'workstations.manage',
  refusals: ['WORKSTATION_NOT_FOUND'],
} as const

/** Called by an agent. The code itself is not sent: its key signs the enrolment (`channel/enrolment-code.ts`). */
export const enrolWorkstation = {
  method: 'POST',
  path: '/agents/enrol',
  summary: 'Enrols a workstation agent with its one-time code.',
  tags: ['Agents'],
  body: Type.Object({
    codeKey: Type.String({ maxLength: 100, description: 'Public half of the code’s Ed25519 key, base64url.' }),
    proof: Type.String({ maxLength: 100, description: 'Signature of the code’s key over the rest, base64url.' }),
    publicKey: Type.String({
      maxLength: 100,
      description: 'Ed25519, 32 bytes, base64url: who the agent is from now on.',
    }),
    platform: Type.String({ maxLength: 100 }),
    agentVersion: Type.String({ maxLength: 50 }),
    channel: Type.Literal(CHANNEL, {
      description: 'Which channel the agent speaks; with another it would not get in.',
    }),
  }),
  answer: Type.Object({
    workstationId: Id,
    name: Text,
    serverPublicKey: Type.String({ description: 'Ed25519, base64url; its digest is part of the code.' }),
  }),
  access: 'anonymous',
  policy: 'Enrolment',
  refusals: ['ENROLMENT_REFUSED'],
} as const
