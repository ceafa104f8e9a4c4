import { recordedCodes } from '../contract/errors.ts'
import type { JobRow } from '../store/tables.ts'
import type { JobStatus } from './job.ts'

/** What start-up recovery does with a job the last process left behind. */
export type RecoveryAction =
  /** It waits for somebody: a worker, a person, an external service. Its files stay where they are. */
  | 'leave'
  /** It was in flight: what it has under processing/ goes to error/, an output without an end is taken back. */
  | 'fail'
  /** It completed: what is still under processing/ goes, and its input is compared and deleted. */
  | 'finish'
  /** It ended badly: what is still under processing/ goes to error/. */
  | 'relocate'

/** The table of the specification, "startup recovery", by the state in which the last process left a job. */
export const recoveryActions = {
  Queued: 'leave',
  Processing: 'fail',
  Verifying: 'fail',
  Completed: 'finish',
  Failed: 'relocate',
  Canceled: 'relocate',
  AwaitingSigner: 'leave',
  AwaitingApproval: 'leave',
} as const satisfies Readonly<Record<JobStatus, RecoveryAction>>

/** The sentence an interrupted job ends with: whether its key was asked decides what a person checks before a retry. */
export function interruptedMessage({ reached_key_at }: Pick<JobRow, 'reached_key_at'>): string {
  const key =
    reached_key_at === null
      ? 'The key had not been asked to sign.'
      : `The key had been asked to sign at ${reached_key_at}: a signature may have been made, but none was put out.`
  return `${recordedCodes['job.interrupted']} ${key} The input file was left in place.`
}
