import { recordedCodes } from '../contract/errors.ts'
import type { JobRow } from '../store/tables.ts'
import type { JobStatus } from './job.ts'

/** What start-up recovery does with a job of the last process. */
export type RecoveryAction =
  /** It waits for a worker, a person or an external service. Its files stay in place. */
  | 'leave'
  /** It was in flight: its files under processing/ go to error/, a signed file is removed. */
  | 'fail'
  /** It completed: its output is given its name, and its input is compared and deleted. */
  | 'finish'
  /** It failed or was canceled: its files under processing/ go to error/. */
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

/** The error of an interrupted job: whether the key was used decides what a person checks before a retry. */
export function interruptedMessage(
  { reached_key_at }: Pick<JobRow, 'reached_key_at'>,
  cause: string = recordedCodes['job.interrupted'],
): string {
  const key =
    reached_key_at === null
      ? 'The key had not been asked to sign.'
      : `The key had been asked to sign at ${reached_key_at}: a signature may have been made, but none was put out.`
  return `${cause} ${key} The input file was left in place.`
}
