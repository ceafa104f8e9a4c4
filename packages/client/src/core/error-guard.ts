import { ChancelaError } from './errors.ts'

/** Whether something caught is an answer of the service; with codes, whether it is one of these. */
export interface ErrorGuard<ErrorCode extends string> {
  /** Any code of the contract, or one added after this client was built. */
  (error: unknown): error is ChancelaError<ErrorCode | (string & {})>
  <Code extends ErrorCode>(
    error: unknown,
    ...codes: readonly [Code, ...(readonly Code[])]
  ): error is ChancelaError<Code>
}

/** The guard for the codes of one contract. */
export const errorGuard = <ErrorCode extends string>(): ErrorGuard<ErrorCode> =>
  ((error: unknown, ...codes: readonly string[]): boolean =>
    error instanceof ChancelaError && (codes.length === 0 || codes.includes(error.code))) as ErrorGuard<ErrorCode>
