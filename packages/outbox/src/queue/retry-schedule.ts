import { plus, SECOND } from '@chancela/service-kernel/clock'

/** When to try again, as data: one wait per retry, so that a job has one attempt more than there are waits. */
export interface RetrySchedule {
  readonly waitSeconds: readonly number[]
  /** Each wait is extended by a random part of up to this fraction, so that retries spread. Default 0. */
  readonly jitter?: number
}

/** When the attempt after this failed one is due; undefined when no attempt is left. */
export function nextAttempt(
  { waitSeconds, jitter = 0 }: RetrySchedule,
  failedAttempt: number,
  now: Date,
  random: () => number = Math.random,
): Date | undefined {
  const wait = waitSeconds[failedAttempt - 1]
  return wait === undefined ? undefined : plus(now, wait * (1 + jitter * random()) * SECOND)
}

/** How many attempts a job has under the schedule. */
export const attemptsOf = ({ waitSeconds }: RetrySchedule): number => waitSeconds.length + 1
