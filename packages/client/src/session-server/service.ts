import type { Refusal } from '../core/errors.ts'
import { jsonIn } from '../core/operation.ts'
import type { Service } from '../core/service.ts'
import { type ErrorCode, type ErrorEnvelope, headers, type Operations, operations } from './generated.ts'

/** The session server, as the client's core sees it. */
export const sessionServer: Service<keyof Operations> = {
  operations,
  headers,
  refusalIn,
  // Nothing was done, or the call only reads.
  retryable: new Set<ErrorCode>([
    'SERVER_BUSY',
    'INTERNAL_ERROR',
    'SIGNER_ERROR',
    'SIGN_TIMEOUT',
    'DOCUMENT_NOT_READY',
  ]),
  // A busy server has done nothing and counted no PIN. Otherwise only reads are retried: a refused PIN is never sent
  // again (that may lock its holder out), and a document is not sent again once processing may have begun (it may get
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
