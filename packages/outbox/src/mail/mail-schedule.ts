import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import type { RetrySchedule } from '../queue/index.ts'

// A server that was restarted answers within minutes, one that has a problem within a day; senders are asked to try for
// days (RFC 5321 §4.5.4.1), but a call to sign that comes later than that only confuses.
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR]

/** Attempts of the longest schedule there is. */
export const LONGEST_SCHEDULE = WAITS.length + 1

export const mailSchedule = (maxAttempts: number): RetrySchedule => ({
  waitSeconds: WAITS.slice(0, maxAttempts - 1).map((wait) => wait / SECOND),
  jitter: 0.1,
})
