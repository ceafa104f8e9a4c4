import type { MoveTable } from '@chancela/service-kernel/states'
import { type Db, moving, tablesOf } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'

/**
 * The state of a job. `waiting` becomes `claimed` when a worker takes it under a lease; `claimed` becomes `done`, goes
 * back to `waiting` (retry, release), or is claimed again by any worker once the lease has expired; a job without
 * attempts left is `dead` and stays, with its last error, until it is retried or deleted.
 */
export type JobState = 'waiting' | 'claimed' | 'done' | 'dead'

/** Every state transition of a job. Completing a done job again is allowed: a response may have been lost. */
export const jobMoves = {
  claim: { from: ['waiting', 'claimed'], to: 'claimed' },
  complete: { from: ['claimed', 'done'], to: 'done' },
  retry: { from: ['claimed'], to: 'waiting' },
  release: { from: ['claimed'], to: 'waiting' },
  bury: { from: ['claimed'], to: 'dead' },
  revive: { from: ['dead'], to: 'waiting' },
} as const satisfies MoveTable<JobState>

/** One row of `durable_job`. */
export interface JobRow {
  id: string
  queue: string
  /** JSON text. */
  payload: string
  state: JobState
  /** When a worker may claim it: for a waiting job the time to run, for a claimed one the end of its lease. */
  due_at: string
  /** How often it was claimed; a crash of the worker uses up an attempt, a release does not. */
  attempts: number
  claimed_by: string | null
  claim_token: string | null
  last_error: string | null
  dedupe_key: string | null
  created_at: string
  updated_at: string
  finished_at: string | null
}

export interface JobTables {
  durable_job: JobRow
}

/** A job that a worker has claimed. Only the token's holder can settle it, and only while nobody else claims it. */
export interface ClaimedJob<Payload = unknown> {
  readonly id: string
  readonly queue: string
  readonly payload: Payload
  /** This attempt's number, from 1. */
  readonly attempt: number
  readonly token: string
  readonly createdAt: Date
}

/** Identifies a claimed job to settle it. */
export type Claim = Pick<ClaimedJob, 'id' | 'token'>

/** The same database, typed with the jobs' table only: a service need not list it among its own. */
export const jobTables = tablesOf<JobTables>()

/** Applies a transition to the jobs the caller's condition selects. */
export const moveJobs = <Tables>(
  db: Db<Tables>,
  move: keyof typeof jobMoves,
  set: Omit<Partial<JobRow>, 'id' | 'state'>,
) => moving(jobTables(db), { table: 'durable_job', column: 'state', moves: jobMoves, move, set })

/**
 * Conditions on the state, written exactly as in the partial indexes and with literal values: SQLite uses a partial
 * index only for a statement that contains the index's own condition, and never with a bound value.
 */
export const unfinished = sql<SqlBool>`state in ('waiting', 'claimed')`
export const claimed = sql<SqlBool>`state in ('waiting', 'claimed') and state = 'claimed'`
export const dead = sql<SqlBool>`state = 'dead'`
export const done = sql<SqlBool>`state = 'done'`

/** The notification channel that wakes the workers of a queue. */
export const queueChannel = (queue: string): string => `durable_job ${queue}`
