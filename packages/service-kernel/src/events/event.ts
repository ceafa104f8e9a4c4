import { tablesOf } from '../store/index.ts'

/** What an event is about: `{ kind: 'job', id: '…' }`. */
export interface EventSubject {
  readonly kind: string
  readonly id: string
}

/** Who did something; with the address of the client, if a request asked for it. */
export type EventActor = string | { readonly name: string; readonly address: string }

/** Fields that were changed, as they were and as they are. */
export interface EventChanges {
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

/** Something that happened and that an operator or an auditor may ask about later. */
export interface NewEvent {
  /** Name of the kind of event, as the service's contract lists them: `InputDiverged`. */
  readonly type: string
  /** Who did it: an operator's name, `api-key:<id>`, or the name of the worker. */
  readonly actor: EventActor
  readonly subject?: EventSubject
  /** The stable code that goes with it: `job.input-diverged`. */
  readonly code?: string
  /** One English sentence. It is stored unchanged: it must not contain secrets. */
  readonly text: string
  /** The same in other languages: the filter by text finds their words too; they are not kept as such. */
  readonly translations?: readonly string[]
  /** Further data, as JSON. Values under names such as `password` or `token` are not stored. */
  readonly data?: Readonly<Record<string, unknown>>
  /** What was changed, see `changesOf`. Values under the names of secrets are not stored. */
  readonly changes?: EventChanges | undefined
}

/** An event as it was recorded. */
export interface AuditEvent extends Omit<NewEvent, 'actor'> {
  readonly actor: string
  /** Of the client; absent where no request asked for it. */
  readonly address?: string
  /** UUID version 7. */
  readonly id: string
  readonly at: Date
}

/** One row of `audit_event`. */
export interface EventRow {
  id: string
  at: string
  type: string
  actor: string
  subject_kind: string | null
  subject_id: string | null
  code: string | null
  text: string
  /** JSON text. */
  data: string | null
  address: string | null
  /** JSON of `EventChanges`. */
  changes: string | null
  /** The text that the filter searches, in lower case: neither database folds the case of every letter by itself. */
  search_text: string
}

export interface EventTables {
  audit_event: EventRow
}

/** The service's tables include this one, which Kysely's types cannot express for a type parameter. */
export const eventTables = tablesOf<EventTables>()

/** How the filter and the stored text are made comparable: composed letters, lower case. */
export const searchable = (text: string): string => storable(text).normalize('NFC').toLowerCase()

// PostgreSQL's text cannot hold the character U+0000; one in a file name must not lose the event.
export const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD')

export function toEvent(row: EventRow): AuditEvent {
  return {
    id: row.id,
    at: new Date(row.at),
    type: row.type,
    actor: row.actor,
    ...(row.subject_kind !== null && { subject: { kind: row.subject_kind, id: row.subject_id! } }),
    ...(row.code !== null && { code: row.code }),
    text: row.text,
    ...(row.data !== null && { data: JSON.parse(row.data) as Record<string, unknown> }),
    ...(row.address !== null && { address: row.address }),
    ...(row.changes !== null && { changes: JSON.parse(row.changes) as EventChanges }),
  }
}
