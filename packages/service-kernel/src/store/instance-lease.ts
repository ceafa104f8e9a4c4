// One process where only one can be: whoever holds the one row of `instance_lease` works, and shows that it lives by
// counting up. No clock is compared: whoever waits measures with its own how long the count has stood still.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { SECOND } from '../clock/index.ts'
import type { StartupProblem } from '../errors/index.ts'
import { databaseProblem } from './database-problem.ts'
import { storeOf } from './part-of-store.ts'
import { isCertainlyGone, thisProcess } from './process-mark.ts'
import type { Migration, Store } from './store.ts'

interface LeaseRow {
  /** There is one lease. */
  id: number
  holder: string
  beat: number
  host: string
  space: string | null
  pid: number
  process_started: string | null
}

interface LeaseTables {
  instance_lease: LeaseRow
}

/** Owner `instance-lease` of the migration set of a service that runs in one process only. */
export const instanceLeaseMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'instance-lease',
    breaking: false,
    up: async (db) => {
      await sql`create table instance_lease (
        id integer primary key check (id = 1),
        holder text not null,
        beat integer not null,
        host text not null,
        space text,
        pid integer not null,
        process_started text
      )`.execute(db)
    },
  },
]

/** Milliseconds: between two counts, until a count that stands still means death, between two looks of who waits. */
export interface LeaseTimes {
  readonly beat: number
  readonly lease: number
  readonly look: number
}

const TIMES: LeaseTimes = { beat: 3 * SECOND, lease: 15 * SECOND, look: SECOND / 2 }

export interface InstanceLeaseOptions {
  readonly logger: Logger
  /** Called once when another process has taken over: this one must not go on. */
  readonly onLost: (problem: StartupProblem) => void
  /** Default: a count every 3 s, dead after 15 s. */
  readonly times?: LeaseTimes
}

/** The right to be the only process on a store. */
export interface InstanceLease {
  /**
   * Whether the holder before certainly works no more: it gave the lease back, or its process is gone. Not so where it
   * only counted no more: it may be frozen, and go on with what it had begun until it sees that it was replaced.
   */
  readonly isAlone: boolean
  /** False once another may have taken over: after it was seen to be lost, and after a pause as long as the lease. */
  isHeld(): boolean
  /** Gives it back, so that the next start need not wait. */
  release(): Promise<void>
}

/**
 * Takes the lease of a store, waiting for one whose holder may be dead. A StartupProblem when another process lives: at
 * once on this machine, else after it has counted.
 */
export async function takeInstanceLease<Tables>(
  store: Store<Tables>,
  options: InstanceLeaseOptions,
): Promise<InstanceLease> {
  const lease = new HeldLease(storeOf<LeaseTables>()(store), options)
  await lease.take()
  return lease
}

class HeldLease implements InstanceLease {
  readonly #store: Store<LeaseTables>
  readonly #options: InstanceLeaseOptions
  readonly #times: LeaseTimes
  readonly #holder = randomUUID()
  #lastBeat = 0
  #isAlone = false
  #isLost = false
  #beating: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store<LeaseTables>, options: InstanceLeaseOptions) {
    this.#store = store
    this.#options = options
    this.#times = options.times ?? TIMES
  }

  async take(): Promise<void> {
    await this.#untilTaken()
    this.#lastBeat = performance.now()
    this.#timer = setInterval(() => this.#tick(), this.#times.beat).unref()
  }

  get isAlone(): boolean {
    return this.#isAlone
  }

  isHeld(): boolean {
    // This clock goes on while the process is stopped.
    return !this.#isLost && performance.now() - this.#lastBeat < this.#times.lease
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#store.db.deleteFrom('instance_lease').where('holder', '=', this.#holder).execute()
  }

  async #untilTaken(): Promise<void> {
    let watched: { readonly row: LeaseRow; readonly since: number } | undefined
    for (;;) {
      const row = await currentLease(this.#store.db)
      const stoodStill = watched && isSame(watched.row, row) ? performance.now() - watched.since : 0
      const isFree = !row || isCertainlyGone(markOf(row))
      if (isFree || stoodStill >= this.#times.lease) {
        this.#isAlone = isFree
        if (await this.#replace(row)) return
        continue
      }
      if (runsHere(row) || (watched && watched.row.holder === row.holder && watched.row.beat !== row.beat))
        throw secondProcess(this.#store.service, row)
      if (!isSame(watched?.row, row)) watched = this.#watch(row)
      await delay(this.#times.look)
    }
  }

  #watch(row: LeaseRow) {
    const seconds = this.#times.lease / SECOND
    this.#options.logger.warn(
      { host: row.host, pid: row.pid },
      `another process may work on this database: waiting up to ${seconds} s for a sign of life`,
    )
    return { row, since: performance.now() }
  }

  /** What was there is the lock: of two that wait one takes it. */
  async #replace(row: LeaseRow | undefined): Promise<boolean> {
    const { space, pid, startedAt } = thisProcess()
    const own = { holder: this.#holder, beat: 0, host: hostname(), space, pid, process_started: startedAt }
    const { db } = this.#store
    if (!row) {
      const insert = db.insertInto('instance_lease').values({ id: 1, ...own })
      const { numInsertedOrUpdatedRows } = await insert
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return Number(numInsertedOrUpdatedRows) === 1
    }
    const update = db.updateTable('instance_lease').set(own)
    const { numUpdatedRows } = await update
      .where('holder', '=', row.holder)
      .where('beat', '=', row.beat)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) === 1
  }

  #tick(): void {
    this.#beating ??= this.#beat()
      .catch((error) => this.#options.logger.warn({ err: error }, 'no sign of life could be given'))
      .finally(() => {
        this.#beating = undefined
      })
  }

  async #beat(): Promise<void> {
    const begun = performance.now()
    const { numUpdatedRows } = await this.#store.db
      .updateTable('instance_lease')
      .set((row) => ({ beat: row('beat', '+', 1) }))
      .where('holder', '=', this.#holder)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 1) this.#lastBeat = begun
    else this.#lose()
  }

  #lose(): void {
    clearInterval(this.#timer)
    this.#isLost = true
    this.#options.onLost(takenOver(this.#store.service))
  }
}

const currentLease = (db: Kysely<LeaseTables>): Promise<LeaseRow | undefined> =>
  db.selectFrom('instance_lease').selectAll().executeTakeFirst()

const isSame = (a: LeaseRow | undefined, b: LeaseRow | undefined): boolean =>
  a?.holder === b?.holder && a?.beat === b?.beat

const markOf = ({ space, pid, process_started }: LeaseRow) => ({ space, pid, startedAt: process_started })

/** The same kernel says that it runs: there is nothing to wait for. */
function runsHere(row: LeaseRow): boolean {
  const own = thisProcess()
  return own.space !== null && row.space === own.space && !isCertainlyGone(markOf(row))
}

const secondProcess = (service: string, { host, pid }: LeaseRow): StartupProblem =>
  databaseProblem(
    service,
    `another process works on this database (${host}, process ${pid}), and only one can; stop it first, or name another database.`,
  )

const takenOver = (service: string): StartupProblem =>
  databaseProblem(
    service,
    'another process took this database over while this one gave no sign of life; this one has stopped.',
  )
