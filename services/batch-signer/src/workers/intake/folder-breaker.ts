import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { CircuitBreaker } from '@chancela/service-kernel/concurrency'

/**
 * Stops a folder after ten enqueue failures in a row (batch-signer facts 2.1), and retries after a pause that doubles:
 * one failure of the trial stops it again, one success closes the breaker. Uses a monotonic clock.
 */
export const folderBreaker = (now: () => number): CircuitBreaker =>
  new CircuitBreaker({ failures: 10, pause: 2 * SECOND, longestPause: 5 * MINUTE, now })
