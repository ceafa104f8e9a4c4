import type { WebhookTables } from '@chancela/outbox/webhooks'
import { hotStatement, type Store } from '@chancela/service-kernel/store'

/** A range of the log's numbers. */
interface Some {
  readonly from: number
  readonly to: number
}

// The numbers from the first parameter to the second as `n`, each with a name that sorts like it, as ids of events do.
const numbers = {
  sqlite: `(with recursive number (n) as (select ? union all select n + 1 from number where n < ?)
    select n, printf('old-%012d', n) as name from number)`,
  postgres: `(select n, 'old-' || lpad(n::text, 12, '0') as name from generate_series($1::bigint, $2::bigint) as n)`,
} as const

function filling(name: string, insert: string) {
  const form = (dialect: keyof typeof numbers) => ({
    text: `${insert} from ${numbers[dialect]} as counted`,
    parameters: ({ from, to }: Some) => [from, to],
  })
  return hotStatement<Some, never>(name, { sqlite: form('sqlite'), postgres: form('postgres') })
}

const LONG_AGO = `'2020-01-01T00:00:00.000Z'`

const statements = [
  filling(
    'bench_old_events',
    `insert into webhook_event (id, owner_id, type, subject, is_test, body, created_at)
      select name, 'log', 'DocumentSigned', 'd', 0, '{}', ${LONG_AGO}`,
  ),
  filling(
    'bench_old_deliveries',
    `insert into webhook_delivery (id, event_id, endpoint_id, subject, type, is_test, in_order, state, attempts, due_at,
        created_at, finished_at, last_status)
      select n, name, 'old', 'd', 'DocumentSigned', 0, 0, 'delivered', 1, ${LONG_AGO}, ${LONG_AGO}, ${LONG_AGO}, 200`,
  ),
  filling(
    'bench_old_attempts',
    `insert into webhook_attempt (delivery_id, number, at, duration_ms, status, answer)
      select n, 1, ${LONG_AGO}, 12, 200, ''`,
  ),
]

// Older deliveries have the smaller numbers.
const renumber = hotStatement<number, never>('bench_renumber', {
  sqlite: {
    text: `insert or replace into sqlite_sequence (name, seq) values ('webhook_delivery', ?)`,
    parameters: (last) => [last],
  },
  postgres: {
    text: `select setval(pg_get_serial_sequence('webhook_delivery', 'id'), $1)`,
    parameters: (last) => [last],
  },
})

/** Rows per statement: PostgreSQL aborts one that takes a minute. */
const ROWS_AT_ONCE = 250_000

/** Writes so many deliveries that ended long ago into an empty log, each with its event and its attempt. */
export async function fillLog({ db }: Store<WebhookTables>, count: number): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
    const some = { from, to: Math.min(count, from + ROWS_AT_ONCE - 1) }
    for (const fill of statements) await fill(db, some)
  }
  await renumber(db, count)
}
