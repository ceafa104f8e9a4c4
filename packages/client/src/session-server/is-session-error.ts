import { type ErrorGuard, errorGuard } from '../core/error-guard.ts'
import type { ErrorCode } from './generated.ts'

/** Whether something caught is an answer of the session server; with codes, whether it is one of these. */
export const isSessionError: ErrorGuard<ErrorCode> = errorGuard()
