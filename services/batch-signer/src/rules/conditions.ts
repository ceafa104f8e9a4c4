import type { RecordedCode } from '../contract/errors.ts'
import { JobFailure } from './job-failure.ts'
import { reasonOf, type ToldReason } from './job-reason.ts'

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
  'recipients-unusable': { code: 'job.encryption-failed', isTriedAgain: true },
  'timestamp-unavailable': { code: 'profile.timestamp-unavailable', isTriedAgain: true },
} as const satisfies Readonly<Record<string, Condition>>

export type HoldReason = keyof typeof conditions

/** The detail of a failure, as its constructor takes it after the code. */
type HeldDetail = ConstructorParameters<typeof JobFailure> extends [unknown, ...infer M] ? M : never

/** Work cannot go on now, whatever the file: the job goes back to the queue. */
export abstract class Held<R extends string> extends JobFailure {
  readonly condition: R

  constructor(condition: R, code: RecordedCode, ...more: HeldDetail) {
    super(code, ...more)
    this.condition = condition
  }
}

/** The profile cannot sign now. */
export class ProfileHeld extends Held<HoldReason> {
  constructor(condition: HoldReason, detail?: string | ToldReason, more: HeldDetail[1] = {}) {
    super(condition, conditions[condition].code, toldBy(condition, detail), more)
  }
}

/** What others said in English stays in the message; readers of another language get the sentence of the condition. */
const toldBy = (condition: HoldReason, detail: string | ToldReason | undefined): ToldReason =>
  typeof detail === 'object' ? detail : { ...reasonOf(condition), ...(detail !== undefined && { sentence: detail }) }
