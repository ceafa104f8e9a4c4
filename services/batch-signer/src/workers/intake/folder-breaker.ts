import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { CircuitBreaker } from '@chancela/service-kernel/concurrency'

/**
 * Stops a folder whose files cannot be enqueued ten times in a row (batch-signer facts 2.1), and lets it try again after a
 * pause that doubles: one failure of the trial stops it again, one success ends the matter. Time is of a monotonic clock.
 */
export const folderBreaker = (now: () => number): CircuitBreaker =>
  new CircuitBreaker({ failures: 10, pause: 2 * SECOND, longestPause: 5 * MINUTE, now })
