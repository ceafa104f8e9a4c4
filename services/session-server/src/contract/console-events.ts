// What administrators did, as it is kept for audits.
import Type from 'typebox'
import { Id, orNull, Text } from './common.ts'
import { pageOf, paging } from './console-paging.ts'

/** Every kind of event of the console; actors at the machine itself appear as `operator`. */
export const eventTypes = [
  'AdministratorSignedIn',
  'SignInRefused',
  'SignInLocked',
  'AdministratorCreated',
  'AdministratorRemoved',
  'PasswordChanged',
  'SecondFactorSet',
  'SecondFactorReset',
  'ApplicationCreated',
  'ApplicationDisabled',
  'ApplicationEnabled',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'CertificateImported',
  'CertificateReplaced',
  'CertificateRemoved',
  'CertificateVerdictChanged',
  'WorkstationCreated',
  'WorkstationChanged',
  'WorkstationRevoked',
  'EnrolmentCodeCreated',
  'SessionEnded',
  'CpfLocked',
  'LockoutCleared',
] as const

export type EventType = (typeof eventTypes)[number]

const AuditEvent = Type.Object(
  {
    id: Id,
    at: Text,
    type: Type.String({ description: 'One of the kinds this version knows, or one of another version.' }),
    actor: Type.String({ description: 'Address of the administrator, or operator for somebody at the machine.' }),
    text: Type.String({ description: 'One English sentence.' }),
    subject: orNull(Type.Object({ kind: Text, id: Text })),
  },
  { $id: 'AuditEvent' },
)

export const listEvents = {
  method: 'GET',
  path: '/api/events',
  summary: 'What administrators did, newest first.',
  tags: ['Events'],
  query: Type.Object({
    ...paging,
    type: Type.Optional(Type.Enum([...eventTypes])),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the text, the actor or the subject.' })),
  }),
  answer: pageOf(AuditEvent),
  access: 'administrator',
} as const
