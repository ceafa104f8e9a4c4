import type { MoveTable } from '@chancela/service-kernel/states'
import { type Db, moving, tablesOf } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'

/**
 * Where a job stands. `waiting` becomes `claimed` when a worker takes it under a lease; `claimed` becomes `done`, goes
 * back to `waiting` (retry, release), or is claimed again by anyone once the lease has run out; a job whose attempts are
 * used up is `dead` and stays, with its last error, until someone retries or deletes it.
 */
export type JobState = 'waiting' | 'claimed' | 'done' | 'dead'

/** Every way a job changes its state. A job that is done and told so again stays done: an answer may have been lost. */
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
  /** When a worker may take it: of a waiting job the time to run, of a claimed one the end of its lease. */
  due_at: string
  /** How often it was claimed; a worker that crashed has used up an attempt, one that gave it back has not. */
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

/** A job in a worker's hands. Only the holder of the token can settle it, and only while nobody else has claimed it. */
export interface ClaimedJob<Payload = unknown> {
  readonly id: string
  readonly queue: string
  readonly payload: Payload
  /** This attempt's number, from 1. */
  readonly attempt: number
  readonly token: string
  readonly createdAt: Date
}

/** What a claimed job is settled with. */
export type Claim = Pick<ClaimedJob, 'id' | 'token'>

/** The same database, seen with the jobs' table alone: a service need not list it among its own. */
export const jobTables = tablesOf<JobTables>()

/** Moves the jobs that the caller narrows it to. */
export const moveJobs = <Tables>(
  db: Db<Tables>,
  move: keyof typeof jobMoves,
  set: Omit<Partial<JobRow>, 'id' | 'state'>,
) => moving(jobTables(db), { table: 'durable_job', column: 'state', moves: jobMoves, move, set })

/**
 * Conditions on the state as the partial indexes have them, word for word and with literal values: SQLite uses such an
 * index only for a statement in which it finds the index's own condition, and a bound value tells it nothing.
 */
export const unfinished = sql<SqlBool>`state in ('waiting', 'claimed')`
export const claimed = sql<SqlBool>`state in ('waiting', 'claimed') and state = 'claimed'`
export const dead = sql<SqlBool>`state = 'dead'`
export const done = sql<SqlBool>`state = 'done'`

/** The channel on which workers of a queue are woken. */
export const queueChannel = (queue: string): string => `durable_job ${queue}`
