// The statements of the sending loop, each for many deliveries at once.
import { hotStatement, type JsonColumns, jsonRows } from '../store/index.ts'
import type { DeliveryRow, EventRow } from './tables.ts'

/** What a sender gets of a delivery it took. */
export type TakenDelivery = Pick<DeliveryRow, 'event_id' | 'endpoint_id' | 'subject' | 'type' | 'attempts'> & {
  readonly id: number
}

export interface TakeFromLine {
  readonly endpointId: string
  readonly now: string
  readonly most: number
  readonly claim: string
  readonly leaseUntil: string
}

const TAKEN = 'id, event_id, endpoint_id, subject, type, attempts'
const OPEN = `state in ('waiting', 'sending')`

const take = (place: (n: number) => string, taken: (head: string) => string, head: string) => `update webhook_delivery
  set state = 'sending', attempts = attempts + 1, claim = ${place(1)}, due_at = ${place(2)}
  where ${taken(`${head} order by due_at, id limit ${place(5)}`)}
  returning ${TAKEN}`

const inHead = (head: string) => `id in (${head})`
// Worked out once: the planner may run the select of `in (…)` again for every row, and each run would take others.
const lockedHead = (head: string) => `id = any(array(${head} for update skip locked))`

const head = (place: (n: number) => string): string =>
  `select id from webhook_delivery where endpoint_id = ${place(3)} and ${OPEN} and due_at <= ${place(4)}`

// A delivery goes when nothing older about its subject is on its way.
const orderedHead = (place: (n: number) => string): string => `select id from webhook_delivery as one
  where endpoint_id = ${place(3)} and ${OPEN} and due_at <= ${place(4)} and not exists (
    select 1 from webhook_delivery as older
    where older.endpoint_id = one.endpoint_id and older.subject = one.subject and older.${OPEN} and older.id < one.id)`

const question = () => '?'
const dollar = (n: number) => `$${n}`
const values = ({ claim, leaseUntil, endpointId, now, most }: TakeFromLine) => [
  claim,
  leaseUntil,
  endpointId,
  now,
  most,
]

/** Takes the deliveries that are due at the head of an endpoint's line; those of a sender that died are due again. */
export const takeFromLine = hotStatement<TakeFromLine, TakenDelivery>('webhook_take', {
  sqlite: { text: take(question, inHead, head(question)), parameters: values },
  postgres: { text: take(dollar, lockedHead, head(dollar)), parameters: values },
})

/** The same, one per subject. */
export const takeOrdered = hotStatement<TakeFromLine, TakenDelivery>('webhook_take_ordered', {
  sqlite: { text: take(question, inHead, orderedHead(question)), parameters: values },
  postgres: { text: take(dollar, lockedHead, orderedHead(dollar)), parameters: values },
})

/** When the line of an endpoint goes on. */
export const nextInLine = hotStatement<string, { readonly due_at: string | null }>('webhook_next', {
  sqlite: {
    text: `select min(due_at) as due_at from webhook_delivery where endpoint_id = ? and ${OPEN}`,
    parameters: (endpointId) => [endpointId],
  },
  postgres: {
    text: `select min(due_at) as due_at from webhook_delivery where endpoint_id = $1 and ${OPEN}`,
    parameters: (endpointId) => [endpointId],
  },
})

/** The bodies of events. */
export const eventBodies = hotStatement<readonly string[], EventRow>('webhook_bodies', {
  sqlite: {
    text: `select id, owner_id, type, subject, body, created_at from webhook_event
      where id in (select value from json_each(?))`,
    parameters: (ids) => [JSON.stringify(ids)],
  },
  postgres: {
    text: `select id, owner_id, type, subject, body, created_at from webhook_event where id = any($1::text[])`,
    parameters: (ids) => [ids],
  },
})

/** Lines with new deliveries, after the last one seen. */
export const newInLines = hotStatement<
  { readonly after: number; readonly most: number },
  { readonly id: number; readonly endpoint_id: string }
>('webhook_new', {
  sqlite: {
    text: 'select id, endpoint_id from webhook_delivery where id > ? order by id limit ?',
    parameters: ({ after, most }) => [after, most],
  },
  postgres: {
    text: 'select id, endpoint_id from webhook_delivery where id > $1 order by id limit $2',
    parameters: ({ after, most }) => [after, most],
  },
})

// Walks from one endpoint to the next instead of over every delivery.
const lines = `with recursive line (endpoint_id) as (
    select min(endpoint_id) from webhook_delivery where ${OPEN}
    union all
    select (select min(endpoint_id) from webhook_delivery where ${OPEN} and endpoint_id > line.endpoint_id)
    from line where line.endpoint_id is not null)
  select line.endpoint_id, (select min(due_at) from webhook_delivery as first
    where first.endpoint_id = line.endpoint_id and first.${OPEN}) as due_at
  from line where line.endpoint_id is not null`

/** Every line with something in it, and when it goes on. */
export const allLines = hotStatement<undefined, { readonly endpoint_id: string; readonly due_at: string }>(
  'webhook_lines',
  { sqlite: { text: lines, parameters: () => [] }, postgres: { text: lines, parameters: () => [] } },
)

/** What became of a delivery that was sent. */
export type SettledRow = readonly [
  id: number,
  claim: string,
  state: string,
  dueAt: string,
  finishedAt: string | null,
  status: number | null,
  error: string | null,
]

const settledColumns: JsonColumns = [
  ['id', 'bigint'],
  ['claim', 'text'],
  ['state', 'text'],
  ['due_at', 'text'],
  ['finished_at', 'text'],
  ['last_status', 'integer'],
  ['last_error', 'text'],
]

const settle = (source: string) => `update webhook_delivery set state = done.state, due_at = done.due_at, claim = null,
    finished_at = done.finished_at, last_status = done.last_status, last_error = done.last_error
  from ${source} as done where webhook_delivery.id = done.id and webhook_delivery.claim = done.claim
  returning webhook_delivery.id`

/** Ends attempts; who lost the claim meanwhile has nothing to say. */
export const settleDeliveries = hotStatement<readonly SettledRow[], { readonly id: number }>('webhook_settle', {
  sqlite: { text: settle(jsonRows.sqlite(settledColumns)), parameters: (rows) => [JSON.stringify(rows)] },
  postgres: { text: settle(jsonRows.postgres(settledColumns)), parameters: (rows) => [JSON.stringify(rows)] },
})

export type AttemptValues = readonly [
  deliveryId: number,
  at: string,
  durationMs: number,
  status: number | null,
  error: string | null,
  answer: string | null,
  body: string | null,
]

const attemptColumns: JsonColumns = [
  ['delivery_id', 'bigint'],
  ['at', 'text'],
  ['duration_ms', 'integer'],
  ['status', 'integer'],
  ['error', 'text'],
  ['answer', 'text'],
  ['body', 'text'],
]
const attemptNames = attemptColumns.map(([name]) => name).join(', ')
const insertAttempts = (source: string) =>
  `insert into webhook_attempt (${attemptNames}) select ${attemptNames} from ${source} as fresh`

/** Keeps what came of attempts. */
export const recordAttempts = hotStatement<readonly AttemptValues[], never>('webhook_attempts', {
  sqlite: { text: insertAttempts(jsonRows.sqlite(attemptColumns)), parameters: (rows) => [JSON.stringify(rows)] },
  postgres: { text: insertAttempts(jsonRows.postgres(attemptColumns)), parameters: (rows) => [JSON.stringify(rows)] },
})
