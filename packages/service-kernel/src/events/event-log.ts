import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Clock } from '../clock/index.ts'
import { type Db, type Dialect, newRowId, type Store, storeOf } from '../store/index.ts'
import {
  type AuditEvent,
  type EventRow,
  type EventTables,
  eventTables,
  type NewEvent,
  searchable,
  storable,
  toEvent,
} from './event.ts'
import { redact } from './redact.ts'

/** Filters of events; all of them must match. */
export interface EventFilter {
  /** One type or several; all when absent or empty. */
  readonly type?: string | readonly string[]
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Searched literally, ignoring case, in the text, its translations, the code, the actor or the subject's id. */
  readonly text?: string
  /** All subjects of a kind when the id is absent. */
  readonly subject?: { readonly kind: string; readonly id?: string }
  /** From 1. Default: 1. */
  readonly page?: number
  /** Default: 50. */
  readonly pageSize?: number
}

/** A page of events, newest first, and how many there are in all. */
export interface EventPage {
  readonly items: readonly AuditEvent[]
  readonly page: number
  readonly pageSize: number
  readonly total: number
}

/** The audit and operational events of a service. */
export interface EventLog {
  /** Records an event; in the transaction of the change it reports, both happen or neither. */
  record<Tables>(db: Db<Tables>, event: NewEvent): Promise<AuditEvent>
  list(filter?: EventFilter): Promise<EventPage>
  /** Deletes the events before a time; returns how many. `removing` is told which, before and in the same transaction. */
  prune(before: Date, removing?: Removing): Promise<number>
}

/** What else happens with events that are deleted; the condition is one on their table. */
type Removing = (tx: Kysely<EventTables>, which: RawBuilder<SqlBool>) => Promise<void>

/** Opens the event log of a store whose migrations include `eventMigrations`. */
export function createEventLog<Tables>(store: Store<Tables>, clock: Clock): EventLog {
  const db = eventTables(store.db)
  return {
    record: (tx, event) => record(eventTables(tx), event, clock()),
    list: (filter = {}) => list(db, store.dialect, filter),
    prune: (before, removing) => prune(storeOf<EventTables>()(store), before, removing),
  }
}

async function record(db: Db<EventTables>, event: NewEvent, now: Date): Promise<AuditEvent> {
  const row = rowOf(event, now)
  await db.insertInto('audit_event').values(row).execute()
  return toEvent(row)
}

function rowOf(event: NewEvent, now: Date): EventRow {
  const { type, subject, code, text, translations = [], data, changes } = event
  const { name: actor, address = undefined } = typeof event.actor === 'string' ? { name: event.actor } : event.actor
  const found = [text, code, actor, subject?.id, ...translations].filter((part) => part !== undefined)
  return {
    id: newRowId(now),
    at: now.toISOString(),
    type,
    actor: storable(actor),
    subject_kind: subject?.kind ?? null,
    subject_id: subject === undefined ? null : storable(subject.id),
    code: code ?? null,
    text: storable(text),
    data: jsonOf(data),
    address: address === undefined ? null : storable(address),
    changes: jsonOf(changes),
    // A line end between the parts, so that a search does not match across two of them.
    search_text: searchable(found.join('\n')),
  }
}

const jsonOf = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(redact(value))

async function list(db: Db<EventTables>, dialect: Dialect, filter: EventFilter): Promise<EventPage> {
  const { page = 1, pageSize = 50 } = filter
  const matching = db.selectFrom('audit_event').where((row) => row.and(conditions(row, dialect, filter)))
  const rows = await matching
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const { total } = await matching
    .select((row) => row.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return { items: rows.map(toEvent), page, pageSize, total: Number(total) }
}

type Row = ExpressionBuilder<EventTables, 'audit_event'>
type Condition = ExpressionWrapper<EventTables, 'audit_event', SqlBool>

/** One condition per field of the filter. */
function conditions(row: Row, dialect: Dialect, { type, from, to, text, subject }: EventFilter): Condition[] {
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return [
    types.length > 0 && row('type', 'in', [...types]),
    from && row('at', '>=', from.toISOString()),
    to && row('at', '<', to.toISOString()),
    text !== undefined && text !== '' && contains(row, dialect, text),
    subject && row('subject_kind', '=', subject.kind),
    subject?.id !== undefined && row('subject_id', '=', storable(subject.id)),
  ].filter((condition): condition is Condition => typeof condition === 'object')
}

/** The position of one text in another, 0 if absent. Unlike `like` it has no wildcards, so none need escaping. */
const POSITION = { sqlite: sql.raw('instr'), postgres: sql.raw('strpos') } as const satisfies Record<Dialect, unknown>

const contains = (row: Row, dialect: Dialect, text: string): Condition =>
  row(sql<number>`${POSITION[dialect]}(${sql.ref('search_text')}, ${searchable(text)})`, '>', 0)

/** Rows deleted in one statement, which on SQLite blocks every other query. */
const PRUNED_AT_ONCE = 1_000

async function prune(store: Store<EventTables>, before: Date, removing?: Removing): Promise<number> {
  let pruned = 0
  for (;;) {
    const some = await store.transaction((tx) => pruneSome(tx, before, removing))
    pruned += some
    if (some < PRUNED_AT_ONCE) return pruned
  }
}

async function pruneSome(tx: Kysely<EventTables>, before: Date, removing?: Removing): Promise<number> {
  const oldest = tx.selectFrom('audit_event').select('id').where('at', '<', before.toISOString()).orderBy('at')
  const ids = (await oldest.limit(PRUNED_AT_ONCE).execute()).map(({ id }) => id)
  if (ids.length === 0) return 0
  await removing?.(tx, sql<SqlBool>`id in (${sql.join(ids)})`)
  const { numDeletedRows } = await tx.deleteFrom('audit_event').where('id', 'in', ids).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
