// What administrators did, for audits.
import Type from 'typebox'
import { Id, orNull, Text } from './common.ts'
import { pageOf, paging } from './paging.ts'

/** Kinds of events every console records; a service adds its own. */
export const commonEventTypes = [
  'AdministratorSignedIn',
  'SignInRefused',
  'SignInLocked',
  'AdministratorCreated',
  'AdministratorRemoved',
  'AdministratorRoleChanged',
  'SessionsEnded',
  'PasswordChanged',
  'SecondFactorSet',
  'SecondFactorReset',
  'RecoveryCodesMade',
  'RecoveryCodeUsed',
  'PasskeyAdded',
  'PasskeyRenamed',
  'PasskeyRemoved',
  'ApplicationCreated',
  'ApplicationDisabled',
  'ApplicationEnabled',
  'ApiKeyCreated',
  'ApiKeyRevoked',
  'AuditExported',
] as const

export type CommonEventType = (typeof commonEventTypes)[number]

const Fields = Type.Record(Type.String(), Type.Unknown())

const AuditEvent = Type.Object(
  {
    id: Id,
    at: Text,
    type: Type.String({ description: 'One of the kinds this version knows, or one of another version.' }),
    actor: Type.String({ description: 'Address of the administrator, or operator for somebody at the machine.' }),
    address: orNull(Type.String({ description: 'Of the client; null where no request asked for it.' })),
    text: Type.String({ description: 'One sentence.' }),
    textLanguage: Type.Enum(['pt-BR', 'en-US'], {
      description: 'Of the text: as asked for, or English where another version recorded the event.',
    }),
    subject: orNull(Type.Object({ kind: Text, id: Text })),
    changes: orNull(
      Type.Object(
        { before: Fields, after: Fields },
        { description: 'The fields that were changed, as they were and as they are; secrets are not shown.' },
      ),
    ),
  },
  { $id: 'AuditEvent' },
)

/** The list of events of a service that records these kinds. */
export const eventList = <const Types extends readonly string[]>(types: Types) =>
  ({
    method: 'GET',
    path: '/api/events',
    summary: 'What administrators did, newest first.',
    tags: ['Events'],
    query: Type.Object({
      ...paging,
      type: Type.Optional(Type.Enum([...types] as Types[number][])),
      q: Type.Optional(
        Type.String({ maxLength: 200, description: 'Part of the text in either language, the actor or the subject.' }),
      ),
      language: Type.Optional(
        Type.Enum(['pt-BR', 'en-US'], { description: 'Of the texts. Default: as Accept-Language has it.' }),
      ),
    }),
    answer: pageOf(AuditEvent),
    access: 'events.read',
  }) as const

const Time = Type.String({ format: 'date-time', description: 'With a zone: 2026-11-18T12:00:00Z.' })

/** The events of a time as a file, oldest first. */
const eventFile = <const Format extends string, const Produces extends string>(format: Format, produces: Produces) =>
  ({
    method: 'GET',
    path: `/api/events/export.${format}`,
    summary: 'What administrators did, oldest first, as a file.',
    description: 'The export is an event itself.',
    tags: ['Events'],
    query: Type.Object({
      from: Type.Optional(Time),
      to: Type.Optional(Time),
      language: Type.Optional(Type.Enum(['pt-BR', 'en-US'], { description: 'Of titles and texts. Default: pt-BR.' })),
    }),
    produces,
    access: 'events.export',
  }) as const

export const eventFiles = {
  csv: eventFile('csv', 'text/csv; charset=utf-8'),
  jsonl: eventFile('jsonl', 'application/jsonl'),
} as const
