import { ChancelaError, type Refusal } from '../core/errors.ts'
import { isRead, jsonIn, type Operation } from '../core/operation.ts'
import type { Service } from '../core/service.ts'
import { type ErrorCode, type ErrorEnvelope, headers, type Operations, operations } from './generated.ts'

/** Codes after which the specification lets the same call be made again: nothing was done, or nothing is changed by asking. */
const retryable: ReadonlySet<string> = new Set<ErrorCode>([
  'SERVER_BUSY',
  'INTERNAL_ERROR',
  'SIGNER_ERROR',
  'SIGN_TIMEOUT',
  'DOCUMENT_NOT_READY',
])

/**
 * Codes after which the client asks again by itself. A busy server has done nothing and counted no PIN, so any call is
 * repeated; besides that only reads are. A refused PIN is never offered again (that may lock its holder out), and a
 * document is not sent again once something may have begun (it may get signed twice).
 */
const repeatedCodes: readonly (readonly [ErrorCode, (operation: Operation) => boolean])[] = [
  ['SERVER_BUSY', () => true],
  ['INTERNAL_ERROR', isRead],
  ['SIGNER_ERROR', isRead],
]

/** The session server, as the core of the client needs to know it. */
export const sessionServer: Service<keyof Operations> = {
  operations,
  headers,
  refusalIn,
  isRetryable: (code) => retryable.has(code),
  isRepeated: (operation, problem) =>
    problem instanceof ChancelaError
      ? repeatedCodes.some(([code, applies]) => code === problem.code && applies(operation))
      : isRead(operation) && problem.reason !== 'timed-out',
}

function refusalIn(text: string): Refusal | undefined {
  const envelope = jsonIn(text) as Partial<ErrorEnvelope> | null | undefined
  return typeof envelope?.error?.code === 'string' ? envelope.error : undefined
}
