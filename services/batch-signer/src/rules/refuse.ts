import { Refusal, type RefusalDetails, refuser } from '@chancela/service-kernel/errors'
import { type ErrorCode, errors } from '../contract/errors.ts'

/** Refuses a call with a code of the vocabulary. */
export const refuse = refuser(errors)

/** The same under another status: two codes have one per route (job.path-too-long, profile.not-found). */
export const refuseAs = (status: number, code: ErrorCode, details?: RefusalDetails): Refusal<ErrorCode> =>
  new Refusal(code, { status, message: errors[code].message }, { ...(details && { details }) })
