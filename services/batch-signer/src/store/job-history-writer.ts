import type { Db } from '@chancela/service-kernel/store'
import { isEnd, type JobStatus } from '../rules/job.ts'
import type { Said } from '../rules/sentences.ts'
import {
  addToCalendar,
  addToFolders,
  addToTally,
  addToThroughput,
  insertHistory,
  type MovedRow,
} from './job-statements.ts'

/** A line of a history; words alone are known in English only. */
export type Line = string | Said

/** A job that changed its state; `from` is null for a new one. */
export interface Moved extends MovedRow {
  readonly at: string
  readonly from: JobStatus | null
  readonly status: JobStatus
  readonly message: Line
  readonly code?: string
}

/** What a completed job adds to the statistics; times in whole milliseconds. */
interface Times {
  readonly encrypted: boolean
  readonly queueMs: number
  readonly signingMs: number
  readonly verificationMs: number
  readonly outputMs: number
}

/** From pick-up to output. */
export const durationOf = (times: Pick<Times, 'signingMs' | 'verificationMs' | 'outputMs'>): number =>
  times.signingMs + times.verificationMs + times.outputMs

/** PostgreSQL stores neither U+0000 nor lone surrogates: one in an error text must not lose the change itself. */
export const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD').replace(/\p{Cs}/gu, '\uFFFD')

/** History, counts and statistics of one transaction, collected while it runs and written at its end. */
export class HistoryWriter {
  readonly #history: (readonly unknown[])[] = []
  readonly #tally = new Counts()
  readonly #calendar = new Counts()
  readonly #folders = new Map<string, { n: number; at: string }>()
  readonly #minutes = new Map<string, Minute>()

  move(moved: Moved): void {
    const { id, at, from, status, message, code } = moved
    this.line(id, at, status, message, code)
    this.#tallied(moved, from, -1)
    this.#tallied(moved, status, 1)
    // Most moves are from one state under way to another, which no calendar shows.
    if (from !== null && !isEnd(from) && !isEnd(status)) return
    this.#dated(moved, from, -1)
    this.#dated(moved, status, 1)
  }

  /** A deleted job leaves the counts; its history is deleted with its row. */
  remove(row: MovedRow, status: JobStatus): void {
    this.#tallied(row, status, -1)
    this.#dated(row, status, -1)
  }

  line(id: string, at: string, status: JobStatus, message: Line, code?: string): void {
    const { text, told = null } = typeof message === 'string' ? { text: message } : message
    this.#history.push([id, at, status, code ?? null, storable(text), told && JSON.stringify(told)])
  }

  folder(name: string, at: string): void {
    this.#folders.set(name, { n: (this.#folders.get(name)?.n ?? 0) + 1, at })
  }

  ended(at: string, what: 'completed' | 'failed' | 'canceled', done?: Times): void {
    const key = at.slice(0, 16)
    const minute = this.#minutes.get(key) ?? emptyMinute()
    this.#minutes.set(key, minute)
    minute[what] += 1
    if (done) addTimes(minute, done)
  }

  // Sorted, so that two instances cannot deadlock.
  async write<T>(db: Db<T>): Promise<void> {
    await writeRows(db, insertHistory, this.#history)
    await writeRows(db, addToTally, this.#tally.rows())
    await writeRows(db, addToCalendar, this.#calendar.rows())
    await writeRows(
      db,
      addToFolders,
      sorted(this.#folders, (name, { n, at }) => [name, n, at]),
    )
    await writeRows(db, addToThroughput, sorted(this.#minutes, minuteRow))
  }

  #tallied({ profile_name, source, format }: MovedRow, status: JobStatus | null, by: number): void {
    if (status !== null) this.#tally.add([profile_name, status, source, format], by)
  }

  #dated({ profile_name, source, format, created_at }: MovedRow, status: JobStatus | null, by: number): void {
    if (status === null) return
    const ended = isEnd(status) ? status : ''
    this.#calendar.add(['day', created_at.slice(0, 10), profile_name, source, format, ended], by)
    this.#calendar.add(['minute', created_at.slice(0, 16), profile_name, source, format, ended], by)
  }
}

/** Sums by key; zero sums are not written. */
class Counts {
  readonly #sums = new Map<string, { readonly key: readonly string[]; n: number }>()

  add(key: readonly string[], by: number): void {
    const text = key.join('\n')
    const sum = this.#sums.get(text)
    if (sum) sum.n += by
    else this.#sums.set(text, { key, n: by })
  }

  rows(): (readonly unknown[])[] {
    return sorted(this.#sums, (_, { key, n }) => [...key, n]).filter((row) => row.at(-1) !== 0)
  }
}

type Rows = readonly (readonly unknown[])[]

async function writeRows<T>(db: Db<T>, statement: (db: Db<T>, rows: Rows) => Promise<unknown>, rows: Rows) {
  if (rows.length > 0) await statement(db, rows)
}

const sorted = <V>(map: ReadonlyMap<string, V>, rowOf: (key: string, value: V) => readonly unknown[]) =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => rowOf(key, value))

const emptyMinute = () => ({
  completed: 0,
  failed: 0,
  canceled: 0,
  encrypted: 0,
  queueMs: 0,
  signingMs: 0,
  verificationMs: 0,
  outputMs: 0,
  longestMs: 0,
  shortestMs: Number.MAX_SAFE_INTEGER,
})

type Minute = ReturnType<typeof emptyMinute>

function addTimes(minute: Minute, times: Times): void {
  const total = durationOf(times)
  if (times.encrypted) minute.encrypted += 1
  minute.queueMs += times.queueMs
  minute.signingMs += times.signingMs
  minute.verificationMs += times.verificationMs
  minute.outputMs += times.outputMs
  minute.longestMs = Math.max(minute.longestMs, total)
  minute.shortestMs = Math.min(minute.shortestMs, total)
}

const minuteRow = (minute: string, sums: Minute): readonly unknown[] => [
  minute,
  sums.completed,
  sums.failed,
  sums.canceled,
  sums.encrypted,
  sums.queueMs,
  sums.signingMs,
  sums.verificationMs,
  sums.outputMs,
  sums.longestMs,
  sums.completed > 0 ? sums.shortestMs : 0,
]
