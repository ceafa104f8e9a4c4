import type { Refusal } from '../core/errors.ts'
import { jsonIn } from '../core/operation.ts'
import type { Service } from '../core/service.ts'
import { type ErrorCode, type ErrorEnvelope, headers, type Operations, operations } from './generated.ts'

/** The session server, as the core of the client needs to know it. */
export const sessionServer: Service<keyof Operations> = {
  operations,
  headers,
  refusalIn,
  // Nothing was done, or nothing is changed by asking.
  retryable: new Set<ErrorCode>([
    'SERVER_BUSY',
    'INTERNAL_ERROR',
    'SIGNER_ERROR',
    'SIGN_TIMEOUT',
    'DOCUMENT_NOT_READY',
  ]),
  // A busy server has done nothing and counted no PIN. Besides that only reads are repeated: a refused PIN is never offered
  // again (that may lock its holder out), and a document is not sent again once something may have begun (it may get
  // signed twice).
  repeated: new Map<ErrorCode, 'every call' | 'harmless calls'>([
    ['SERVER_BUSY', 'every call'],
    ['INTERNAL_ERROR', 'harmless calls'],
    ['SIGNER_ERROR', 'harmless calls'],
  ]),
}

function refusalIn({ text }: { readonly text: string }): Refusal | undefined {
  const envelope = jsonIn(text) as Partial<ErrorEnvelope> | null | undefined
  return typeof envelope?.error?.code === 'string' ? envelope.error : undefined
}
