// The statements of the sending loop, each for many lines or deliveries at once.
import { pairsOf, startsOf } from '@chancela/service-kernel/states'
import {
  type Dialect,
  hotStatement,
  type JsonColumns,
  jsonRows,
  lists,
  type Notation,
  notations,
  portableStatement,
} from '@chancela/service-kernel/store'
import { type DeliveryRow, deliveryMoves, type EndpointRow, type EventRow } from './tables.ts'

const ENDPOINT: readonly (keyof EndpointRow)[] = [
  'id',
  'owner_id',
  'url',
  'auth_type',
  'sealed_token',
  'sealed_secret',
  'sealed_previous_secret',
  'previous_secret_until',
  'sealed_access',
  'event_types',
  'groups',
  'ordered',
  'concurrency',
  'per_second',
  'state',
  'state_reason',
  'state_at',
  'failing_since',
  'failures',
  'open_until',
  'lease_holder',
  'leased_until',
  'created_at',
  'updated_at',
]

export interface LineLease {
  readonly endpointIds: readonly string[]
  readonly holder: string
  readonly until: string
  readonly now: string
}

const leasable = ({ place, list }: Notation) => `select id from webhook_endpoint
  where id in (select value from ${list(3, 'text', 'asked')}) and state = 'enabled'
    and (lease_holder is null or lease_holder = ${place(4)} or leased_until <= ${place(5)})`

const lease = (where: string, { place }: Notation) => `update webhook_endpoint
  set lease_holder = ${place(1)}, leased_until = ${place(2)} where ${where} returning ${ENDPOINT.join(', ')}`

const leaseValues = ({ holder, until, now }: LineLease, ids: unknown) => [holder, until, ids, holder, now]

/** Takes or renews the lines of enabled endpoints, unless another sender holds them; returns their current rows. */
export const leaseLines = hotStatement<LineLease, EndpointRow>('webhook_lease', {
  sqlite: {
    text: lease(`id in (${leasable(notations.sqlite)})`, notations.sqlite),
    parameters: (input) => leaseValues(input, lists.sqlite(input.endpointIds)),
  },
  postgres: {
    // Computed once, and skips rows another sender is taking: two senders never wait for each other.
    text: lease(`id = any(array(${leasable(notations.postgres)} for update skip locked))`, notations.postgres),
    parameters: (input) => leaseValues(input, lists.postgres(input.endpointIds)),
  },
})

/** Releases every line of a sender. */
export const releaseLines = portableStatement<string, never>(
  'webhook_release',
  ({ place }) =>
    `update webhook_endpoint set lease_holder = null, leased_until = null where lease_holder = ${place(1)}`,
  (holder) => [holder],
)

/** A delivery with its body: every further column costs a hundredth of the throughput. */
export type TakenDelivery = Pick<DeliveryRow, 'event_id' | 'attempts'> &
  Pick<EventRow, 'body' | 'created_at'> & {
    readonly id: number
    /** Which of the lines it is from. */
    readonly line: number
  }

export interface TakeFromLines {
  readonly endpointIds: readonly string[]
  readonly now: string
  /** Deliveries this sender holds already. */
  readonly inHand: readonly number[]
  /** Limit for each line. */
  readonly most: number
}

const takeValues = (
  { endpointIds, now, inHand, most }: TakeFromLines,
  list: (values: readonly unknown[]) => unknown,
) => [list(endpointIds), now, list(inHand), most]

const TAKEN = 'one.id, one.event_id, one.attempts, event.body, event.created_at'

const due = (
  { place, list }: Notation,
  columns: string,
  more: string,
) => `select ${columns} from webhook_delivery as head
  where endpoint_id = line.value and state = 'waiting' and due_at <= ${place(2)}
    and id not in (select value from ${list(3, 'bigint', 'taken')})${more}
  order by due_at, id limit ${place(4)}`

// A delivery is sent only when no older one of its subject is waiting.
const first = ` and not exists (select 1 from webhook_delivery as older
  where older.endpoint_id = head.endpoint_id and older.subject = head.subject and older.state = 'waiting'
    and older.in_order = 1 and older.id < head.id)`

// Forces the join order, from a line to its head, whatever the planner's statistics say.
const takeForms = (name: string, more: string) =>
  hotStatement<TakeFromLines, TakenDelivery>(name, {
    sqlite: {
      text: `select ${TAKEN}, line.key as line from json_each(?) as line
        cross join webhook_delivery as one on one.id in (${due(notations.sqlite, 'id', more)})
        cross join webhook_event as event on event.id = one.event_id`,
      parameters: (input) => takeValues(input, lists.sqlite),
    },
    postgres: {
      text: `select ${TAKEN}, line.key - 1 as line from unnest($1::text[]) with ordinality as line (value, key)
        cross join lateral (${due(notations.postgres, 'id, event_id, attempts', more)}) as one
        join webhook_event as event on event.id = one.event_id`,
      parameters: (input) => takeValues(input, lists.postgres),
    },
  })

/** The due deliveries at the head of lines. */
export const takeFromLines = takeForms('webhook_take', '')

/** The same, one per subject. */
export const takeOrdered = takeForms('webhook_take_ordered', first)

export interface LookAhead {
  readonly endpointIds: readonly string[]
  readonly inHand: readonly number[]
}

/** When the next delivery of a line is due, apart from those the sender holds. */
type NextInLine = { readonly endpoint_id: string; readonly due_at: string | null }

const nextDue =
  (more: string) =>
  ({ list }: Notation) =>
    `select line.value as endpoint_id, (select due_at from webhook_delivery as head
      where endpoint_id = line.value and state = 'waiting'
        and id not in (select value from ${list(1, 'bigint', 'taken')})${more}
      order by due_at, id limit 1) as due_at
    from ${list(2, 'text', 'line')}`

const lookValues = ({ inHand, endpointIds }: LookAhead, list: (values: readonly unknown[]) => unknown) => [
  list(inHand),
  list(endpointIds),
]

/** When lines have their next due delivery. */
export const nextInLines = portableStatement<LookAhead, NextInLine>('webhook_next', nextDue(''), lookValues)

/** The same for ordered endpoints, with one delivery per subject at a time. */
export const nextOrdered = portableStatement<LookAhead, NextInLine>('webhook_next_ordered', nextDue(first), lookValues)

/** An event. */
export const eventById = portableStatement<string, EventRow>(
  'webhook_event_by_id',
  ({ place }) => `select id, owner_id, type, subject, groups, is_test, body, created_at from webhook_event
    where id = ${place(1)}`,
  (id) => [id],
)

/** The newest delivery there is. */
export const newestDelivery = portableStatement<undefined, { readonly id: number | null }>(
  'webhook_newest',
  () => 'select max(id) as id from webhook_delivery',
  () => [],
)

/** Lines with new deliveries since the last one seen, and the last one read. */
export const newInLines = portableStatement<
  { readonly after: number; readonly most: number },
  { readonly endpoint_id: string; readonly last: number; readonly seen: number }
>(
  'webhook_new',
  ({ place }) => `select endpoint_id, max(id) as last, count(*) as seen
    from (select id, endpoint_id from webhook_delivery where id > ${place(1)} order by id limit ${place(2)}) as fresh
    group by endpoint_id`,
  ({ after, most }) => [after, most],
)

/** A line with waiting deliveries: when it is due, and its endpoint's state; null where the endpoint is gone. */
export type WaitingLine = { readonly endpoint_id: string; readonly due_at: string } & {
  readonly [Column in 'state' | 'updated_at' | 'failures' | 'open_until' | 'lease_holder' | 'leased_until']:
    | EndpointRow[Column]
    | null
}

// Skips from one endpoint to the next instead of scanning every delivery.
const lines = `with recursive line (endpoint_id) as (
    select min(endpoint_id) from webhook_delivery where state = 'waiting'
    union all
    select (select min(endpoint_id) from webhook_delivery where state = 'waiting' and endpoint_id > line.endpoint_id)
    from line where line.endpoint_id is not null)
  select line.endpoint_id, (select min(due_at) from webhook_delivery as first
    where first.endpoint_id = line.endpoint_id and first.state = 'waiting') as due_at,
    endpoint.state, endpoint.updated_at, endpoint.failures, endpoint.open_until, endpoint.lease_holder, endpoint.leased_until
  from line left join webhook_endpoint as endpoint on endpoint.id = line.endpoint_id
  where line.endpoint_id is not null`

/** Every line with waiting deliveries. */
export const allLines = portableStatement<undefined, WaitingLine>(
  'webhook_lines',
  () => lines,
  () => [],
)

/** The result of a sent delivery. */
export type SettledRow = readonly [
  id: number,
  /** The attempt that ended. */
  attempts: number,
  state: string,
  dueAt: string,
  finishedAt: string | null,
  status: number | null,
  error: string | null,
]

const settledColumns: JsonColumns = [
  ['id', 'bigint'],
  ['attempts', 'integer'],
  ['state', 'text'],
  ['due_at', 'text'],
  ['finished_at', 'text'],
  ['last_status', 'integer'],
  ['last_error', 'text'],
]

const settle = (source: string) => `update webhook_delivery set state = done.state, attempts = done.attempts,
    due_at = done.due_at, finished_at = done.finished_at, last_status = done.last_status, last_error = done.last_error
  from ${source} as done where webhook_delivery.id = done.id and webhook_delivery.attempts = done.attempts - 1
    and (webhook_delivery.state, done.state) in (values ${pairsOf(deliveryMoves, ['postpone', 'fail', 'cancel'])})`

/** Ends failed attempts; does nothing where another sender ended the same one. */
export const settleFailed = rowStatement<SettledRow, never>('webhook_settle_failed', settledColumns, settle)

/** The attempt before the one that just failed, and when that one was due: what lies between was waited. */
export const waitsBefore = portableStatement<
  readonly number[],
  { readonly id: number; readonly due_at: string; readonly at: string; readonly duration_ms: number }
>(
  'webhook_waits_before',
  ({ list }) => `select delivery.id, delivery.due_at, attempt.at, attempt.duration_ms
    from webhook_delivery as delivery
    join webhook_attempt as attempt on attempt.delivery_id = delivery.id and attempt.number = delivery.attempts
    where delivery.id in (select value from ${list(1, 'bigint', 'failed')})`,
  (ids, list) => [list(ids)],
)

/** A delivery that arrived, with what its attempt log would say: most arrive at once, and need no row of their own. */
export type DeliveredRow = readonly [
  id: number,
  attempts: number,
  at: string,
  status: number | null,
  durationMs: number,
  answer: string | null,
]

const deliveredColumns: JsonColumns = [
  ['id', 'bigint'],
  ['attempts', 'integer'],
  ['at', 'text'],
  ['status', 'integer'],
  ['duration_ms', 'integer'],
  ['answer', 'text'],
]

const deliver = (
  source: string,
) => `update webhook_delivery set state = '${deliveryMoves.deliver.to}', attempts = done.attempts,
    finished_at = done.at, last_status = done.status, last_error = null, last_duration_ms = done.duration_ms,
    last_answer = done.answer
  from ${source} as done where webhook_delivery.id = done.id and webhook_delivery.attempts = done.attempts - 1
    and webhook_delivery.state in (${startsOf(deliveryMoves, 'deliver')})`

/** Ends successful attempts. */
export const settleDelivered = rowStatement<DeliveredRow, never>('webhook_settle_delivered', deliveredColumns, deliver)

export type AttemptValues = readonly [
  deliveryId: number,
  number: number,
  at: string,
  durationMs: number,
  status: number | null,
  error: string | null,
  answer: string | null,
  body: string | null,
]

const attemptColumns: JsonColumns = [
  ['delivery_id', 'bigint'],
  ['number', 'integer'],
  ['at', 'text'],
  ['duration_ms', 'integer'],
  ['status', 'integer'],
  ['error', 'text'],
  ['answer', 'text'],
  ['body', 'text'],
]

/** Logs attempts; keeps the existing row where another sender logged the same one. */
export const recordAttempts = rowStatement<AttemptValues, never>(
  'webhook_attempts',
  attemptColumns,
  // The condition tells SQLite's parser that no join follows.
  (source) => `${inserting('webhook_attempt', attemptColumns)(source)} where true on conflict do nothing`,
)

export type HealthRow = readonly [
  id: string,
  /** A change of the endpoint since then resets its health. */
  updatedAt: string,
  failingSince: string | null,
  failures: number,
  openUntil: string | null,
]

/** Writes the health of endpoints; returns those that had not changed meanwhile. */
export const recordHealth = rowStatement<HealthRow, { readonly id: string }>(
  'webhook_health',
  [
    ['id', 'text'],
    ['updated_at', 'text'],
    ['failing_since', 'text'],
    ['failures', 'integer'],
    ['open_until', 'text'],
  ],
  (source) => `update webhook_endpoint
    set failing_since = done.failing_since, failures = done.failures, open_until = done.open_until
    from ${source} as done
    where webhook_endpoint.id = done.id and webhook_endpoint.updated_at = done.updated_at
    returning webhook_endpoint.id`,
)

type EventValues = readonly [
  id: string,
  ownerId: string,
  type: string,
  subject: string,
  groups: string | null,
  isTest: number,
  body: string | null,
  createdAt: string,
]

const eventColumns: JsonColumns = [
  ['id', 'text'],
  ['owner_id', 'text'],
  ['type', 'text'],
  ['subject', 'text'],
  ['groups', 'text'],
  ['is_test', 'integer'],
  ['body', 'text'],
  ['created_at', 'text'],
]

/** Writes events. */
export const insertEvents = rowStatement<EventValues, never>(
  'webhook_events',
  eventColumns,
  inserting('webhook_event', eventColumns),
)

export type DeliveryValues = readonly [
  eventId: string,
  endpointId: string,
  subject: string,
  type: string,
  isTest: number,
  inOrder: number,
  dueAt: string,
  createdAt: string,
]

const deliveryColumns: JsonColumns = [
  ['event_id', 'text'],
  ['endpoint_id', 'text'],
  ['subject', 'text'],
  ['type', 'text'],
  ['is_test', 'integer'],
  ['in_order', 'integer'],
  ['due_at', 'text'],
  ['created_at', 'text'],
]
const deliveryNames = deliveryColumns.map(([name]) => name).join(', ')

/** Adds deliveries to the lines. */
export const insertDeliveries = rowStatement<DeliveryValues, { readonly id: number }>(
  'webhook_deliveries',
  deliveryColumns,
  (source) => `insert into webhook_delivery (${deliveryNames}, state, attempts)
    select ${deliveryNames}, 'waiting', 0 from ${source} as fresh returning id`,
)

function inserting(table: string, columns: JsonColumns): (source: string) => string {
  const names = columns.map(([name]) => name).join(', ')
  return (source) => `insert into ${table} (${names}) select ${names} from ${source} as fresh`
}

/** A statement over rows that are passed as one JSON list. */
function rowStatement<Values, Row>(name: string, columns: JsonColumns, text: (source: string) => string) {
  const form = (dialect: Dialect) => ({
    text: text(jsonRows[dialect](columns)),
    parameters: (rows: readonly Values[]) => [JSON.stringify(rows)],
  })
  return hotStatement<readonly Values[], Row>(name, { sqlite: form('sqlite'), postgres: form('postgres') })
}
