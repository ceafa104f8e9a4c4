import { type Answer, json, text } from '../http.ts'
import type { Context } from '../provider-context.ts'
import type { ErrorShape } from '../quirks.ts'

/** Refusals of RFC 6749 and RFC 6750, with their HTTP statuses. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  invalid_token: 401,
} as const

export type RefusalCode = keyof typeof statuses

interface Refusal {
  readonly code: RefusalCode
  readonly status: number
  readonly description: string
}

/** Names of providers that number their refusals. */
const named: Readonly<Record<RefusalCode, { readonly number: number; readonly status: string }>> = {
  invalid_request: { number: 1001, status: 'INVALID_PARAM' },
  invalid_client: { number: 1056, status: 'INVALID_CREDENTIALS' },
  invalid_grant: { number: 1056, status: 'INVALID_CREDENTIALS' },
  invalid_scope: { number: 1001, status: 'INVALID_PARAM' },
  unsupported_grant_type: { number: 1001, status: 'INVALID_PARAM' },
  invalid_token: { number: 1020, status: 'INVALID_ACCESS_TOKEN' },
}

/** How a refusal is formatted, by provider family. */
const shapes: Readonly<Record<ErrorShape, (refusal: Refusal) => Answer>> = {
  oauth: ({ code, status, description }) => json(status, { error: code, error_description: description }),
  problem: ({ code, status, description }) =>
    json(status, { type: 'about:blank', title: code, status, detail: description }),
  detail: ({ code, status, description }) =>
    json(status, { detail: { code: named[code].number, status: named[code].status, message: description } }),
  message: ({ status, description }) => json(status, { Message: description }),
  text: ({ status, description }) => text(status, description),
  code: ({ code, description }) => json(422, { code, message: description }),
  nested: ({ status, description }) => json(status, { error: { code: status * 1000, message: description } }),
}

export const refuse = ({ quirks }: Context, code: RefusalCode, description: string): Answer =>
  shapes[quirks.errorShape]({ code, status: statuses[code], description })
