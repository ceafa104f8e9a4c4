import type { RecordedCode } from '../contract/errors.ts'
import { JobFailure } from './job-failure.ts'

interface Condition {
  /** What the waiting jobs and the events carry. */
  readonly code: RecordedCode
  /** Whether the service tries it again by itself; a wrong PIN locks a token, and what was never given does not come. */
  readonly isTriedAgain: boolean
}

/**
 * Every condition that keeps a profile from signing without any fault of its files: the profile is held, its jobs wait
 * in the queue, and work goes on when the condition is over.
 */
export const conditions = {
  'key-missing': { code: 'profile.degraded', isTriedAgain: false },
  'key-unavailable': { code: 'profile.degraded', isTriedAgain: true },
  'token-unavailable': { code: 'profile.degraded', isTriedAgain: true },
  'pin-refused': { code: 'profile.degraded', isTriedAgain: false },
  'certificate-expired': { code: 'job.certificate-invalid', isTriedAgain: true },
  'certificate-not-yet-valid': { code: 'job.certificate-invalid', isTriedAgain: true },
  'certificate-revoked': { code: 'job.certificate-invalid', isTriedAgain: true },
  'certificate-suspended': { code: 'job.certificate-invalid', isTriedAgain: true },
  'certificate-refused': { code: 'job.certificate-invalid', isTriedAgain: true },
  'revocation-unanswered': { code: 'job.certificate-invalid', isTriedAgain: true },
  'timestamp-unavailable': { code: 'profile.timestamp-unavailable', isTriedAgain: true },
} as const satisfies Readonly<Record<string, Condition>>

export type HoldReason = keyof typeof conditions

/** The profile cannot sign now, whatever the file: the job goes back to the queue. */
export class ProfileHeld extends JobFailure {
  readonly condition: HoldReason

  constructor(condition: HoldReason, detail?: string, more: { lines?: readonly string[]; cause?: unknown } = {}) {
    super(conditions[condition].code, detail, more)
    this.condition = condition
  }
}
