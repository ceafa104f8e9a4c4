import type { JobRow } from '../store/tables.ts'
import type { JobStatus } from './job.ts'
import { reasonOf, type ToldReason } from './job-reason.ts'

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

/** Why a job was not brought to its end. */
export type Interruption = 'interrupted' | 'unfinished' | 'taken-over'

/** The error of an interrupted job: whether the key was used decides what a person checks before a retry. */
export const interruptedReason = (
  { reached_key_at }: Pick<JobRow, 'reached_key_at'>,
  cause: Interruption = 'interrupted',
): ToldReason =>
  reached_key_at === null ? reasonOf(`${cause}-before-key`) : reasonOf(`${cause}-after-key`, { at: reached_key_at })
