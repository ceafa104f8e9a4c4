import type { TSchema } from 'typebox'
import type { Failure } from '../failure.ts'

/** What a dialect may include besides the failure itself. */
export interface FailureContext {
  readonly correlationId: string
  /** Path of the request, without its query. */
  readonly path: string
  readonly environment: 'development' | 'production'
  /** What was thrown; only for development. */
  readonly error?: unknown
}

/** A body as sent; without a content type the response is empty. */
export interface RenderedFailure {
  readonly contentType?: string
  readonly body: string
}

/** How a service formats its failures: one table entry of the suite, one file each. */
export interface Dialect {
  readonly name: string
  render(failure: Failure, context: FailureContext): RenderedFailure
  /** The body under a status, for the OpenAPI document; undefined where the body is empty. */
  describe(status: number): { readonly contentType: string; readonly schema: TSchema } | undefined
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export const rendered = (contentType: string, body: unknown): RenderedFailure => ({
  contentType,
  body: JSON.stringify(body),
})
