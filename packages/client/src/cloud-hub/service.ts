import type { Refusal } from '../core/errors.ts'
import { jsonIn } from '../core/operation.ts'
import type { Service } from '../core/service.ts'
import {
  type ErrorCode,
  type HubError,
  type HubProblem,
  headers,
  type Operations,
  operations,
  type ValidationProblem,
} from './generated.ts'

/** The cloud hub, as the client's core sees it. */
export const cloudHub: Service<keyof Operations> = {
  operations,
  headers,
  refusalIn,
  // Nothing was signed, and the session is unchanged.
  retryable: new Set<ErrorCode>(['ServerBusy', 'TooManyRequests', 'ProviderUnavailable']),
  // Never after a provider that timed out or answered wrongly: it may have signed, and some charge per signature.
  repeated: new Map<ErrorCode, 'every call' | 'harmless calls'>([
    ['ServerBusy', 'every call'],
    ['ProviderUnavailable', 'harmless calls'],
    ['UnexpectedError', 'harmless calls'],
  ]),
}

type Form = (body: unknown) => Refusal | undefined

/** Each status has a form of its own. */
const forms: Readonly<Record<number, Form>> = {
  400: (body) => {
    const { title, errors } = (body ?? {}) as Partial<ValidationProblem>
    return errors && { code: 'InvalidRequest' satisfies ErrorCode, message: title ?? 'InvalidRequest', details: errors }
  },
  // The body is empty.
  401: () => ({ code: 'Unauthorized' satisfies ErrorCode, message: 'The key is missing or unknown.' }),
  422: (body) => {
    const { code, message, details } = (body ?? {}) as Partial<HubError>
    return isCode(code) ? { code, message: message ?? code, details: details ?? undefined } : undefined
  },
  // A short code as a bare string.
  500: (body) => (isCode(body) ? { code: body, message: `The hub answered ${body}.` } : undefined),
}

const problem: Form = (body) => {
  const { code, title } = (body ?? {}) as Partial<HubProblem>
  return isCode(code) ? { code, message: title ?? code } : undefined
}

const isCode = (value: unknown): value is string => typeof value === 'string' && /^\w+$/.test(value)

function refusalIn({ status, text }: { readonly status: number; readonly text: string }): Refusal | undefined {
  return (forms[status] ?? problem)(jsonIn(text))
}
