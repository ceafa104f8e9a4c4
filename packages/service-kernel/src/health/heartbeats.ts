import { MINUTE } from '../clock/index.ts'
import type { CheckResult } from './readiness.ts'

/** The life of one worker, as it tells it. */
export interface Heartbeat {
  /** A turn came to its end: the worker is not stuck, and could do its work. */
  beat(): void
  /** The worker was stopped: nothing is expected of it any more. */
  end(): void
}

/** Loops that run by themselves, each of which must come to the end of a turn now and then. */
export interface Heartbeats {
  /** Expects a turn of the worker at most every so many milliseconds; the first one from now. */
  expect(worker: string, everyMs: number): Heartbeat
  /** Red while a worker is overdue; names each with the minutes since its last turn. */
  check(): CheckResult
}

/** What a turn may take, or fail, beyond its time. */
const PATIENCE = 10 * MINUTE

/**
 * Watches the workers of a service. Time is that of the process, not of the clock, which may jump by days.
 */
export function createHeartbeats(elapsedMs: () => number = () => performance.now()): Heartbeats {
  const workers = new Set<{ readonly name: string; readonly within: number; last: number }>()
  return {
    expect(name, everyMs) {
      const worker = { name, within: everyMs + PATIENCE, last: elapsedMs() }
      workers.add(worker)
      return {
        beat: () => {
          worker.last = elapsedMs()
        },
        end: () => void workers.delete(worker),
      }
    },
    check() {
      const now = elapsedMs()
      const overdue = [...workers].filter(({ last, within }) => now - last > within)
      if (overdue.length === 0) return { ok: true, detail: 'Every worker comes to the end of its turns.' }
      const told = overdue.map(({ name, last }) => `${name} (${Math.floor((now - last) / MINUTE)} min)`)
      return { ok: false, detail: `No turn came to its end: ${told.join(', ')}.` }
    },
  }
}
