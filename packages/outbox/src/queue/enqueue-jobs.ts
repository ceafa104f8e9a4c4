import { type Db, dialectOf, hotStatement, newRowId, notify } from '@chancela/service-kernel/store'
import { queueChannel } from './job.ts'
export interface NewJob {
  /** Any value JSON can hold. */
  readonly payload: unknown
  /** Default: at once. */
  readonly runAt?: Date
  /** While a job with this key is unfinished in the queue, another with the key is not added. */
  readonly dedupeKey?: string
}

/**
 * Adds jobs to a queue in one statement and wakes its workers, on commit when `db` is a transaction. Returns the ids in
 * the order given; a job whose key an unfinished job has is not added and has no id.
 */
export async function enqueueJobs<Tables>(
  db: Db<Tables>,
  queue: string,
  jobs: readonly NewJob[],
  now: Date,
): Promise<readonly (string | undefined)[]> {
  if (jobs.length === 0) return []
  const rows = jobs.map((job) => rowOf(job, now))
  const added = new Set((await insert(db, { queue, rows, now: now.toISOString() })).map(({ id }) => id))
  // On PostgreSQL the statement itself notifies, which saves a round trip in every transaction that enqueues.
  if (added.size > 0 && dialectOf(db) === 'sqlite') await notify(db, queueChannel(queue))
  return rows.map(([id]) => (added.has(id) ? id : undefined))
}

/** Adds one job; see `enqueueJobs`. */
export async function enqueueJob<Tables>(
  db: Db<Tables>,
  queue: string,
  job: NewJob,
  now: Date,
): Promise<string | undefined> {
  const [id] = await enqueueJobs(db, queue, [job], now)
  return id
}

type NewRow = readonly [id: string, payload: string, dueAt: string, dedupeKey: string | null]

function rowOf({ payload, runAt, dedupeKey }: NewJob, now: Date): NewRow {
  const text = JSON.stringify(payload)
  if (text === undefined) throw new TypeError('A job needs a payload that JSON can hold.')
  return [newRowId(now), text, (runAt ?? now).toISOString(), dedupeKey ?? null]
}

const insert = hotStatement<{ queue: string; rows: readonly NewRow[]; now: string }, { id: string }>('enqueue_jobs', {
  sqlite: {
    // `where true` tells SQLite's parser that the conflict clause follows and not a join.
    text: `insert into durable_job (id, queue, payload, state, due_at, dedupe_key, created_at, updated_at)
      select value ->> 0, ?, value ->> 1, 'waiting', value ->> 2, value ->> 3, ?, ? from json_each(?) where true
      on conflict (queue, dedupe_key) where dedupe_key is not null and state in ('waiting', 'claimed') do nothing
      returning id`,
    parameters: ({ queue, rows, now }) => [queue, now, now, JSON.stringify(rows)],
  },
  postgres: {
    text: `insert into durable_job (id, queue, payload, state, due_at, dedupe_key, created_at, updated_at)
      select id, $1, payload, 'waiting', due_at, dedupe_key, $2, $2
      from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as job (id, payload, due_at, dedupe_key)
      on conflict (queue, dedupe_key) where dedupe_key is not null and state in ('waiting', 'claimed') do nothing
      returning id, pg_notify(current_schema(), $7)`,
    parameters: ({ queue, rows, now }) => [
      queue,
      now,
      ...([0, 1, 2, 3] as const).map((i) => rows.map((row) => row[i])),
      queueChannel(queue),
    ],
  },
})
