import { ChancelaError } from '../core/errors.ts'
import type { ErrorCode } from './generated.ts'

/** A code of the contract, or one that it learned after this client was made. */
type AnyCode = ErrorCode | (string & {})

/** Whether something caught is an answer of the session server; with codes, whether it is one of these. */
export function isSessionError(error: unknown): error is ChancelaError<AnyCode>
export function isSessionError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly [Code, ...(readonly Code[])]
): error is ChancelaError<Code>
export function isSessionError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof ChancelaError && (codes.length === 0 || codes.includes(error.code))
}
