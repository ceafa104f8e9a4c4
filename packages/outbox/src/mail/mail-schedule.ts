import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import type { RetrySchedule } from '../queue/index.ts'

// A restarted server answers within minutes, a broken one within a day; senders should retry for days (RFC 5321
// §4.5.4.1), but a request to sign that arrives later than that only confuses.
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR]

/** Attempts of the longest schedule. */
export const LONGEST_SCHEDULE = WAITS.length + 1

export const mailSchedule = (maxAttempts: number): RetrySchedule => ({
  waitSeconds: WAITS.slice(0, maxAttempts - 1).map((wait) => wait / SECOND),
  jitter: 0.1,
})
