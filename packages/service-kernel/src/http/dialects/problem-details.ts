import Type from 'typebox'
import type { Failure } from '../failure.ts'
import { type Dialect, type FailureContext, PROBLEM_TYPE, rendered } from './dialect.ts'

const ProblemDetails = Type.Object(
  {
    type: Type.String({ description: 'RFC 9457 problem type.' }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable slug; clients dispatch on it. Never renamed or reused.' }),
    traceId: Type.String({ description: 'The request, as a W3C trace id.' }),
    requestId: Type.String({ description: 'The request, as in the correlation id header.' }),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    detail: Type.Optional(Type.String({ description: 'Only outside production.' })),
    instance: Type.Optional(Type.String({ description: 'Only outside production.' })),
  },
  { $id: 'ProblemDetails' },
)

/** Spec 2, Errors: RFC 9457 with a code; production sends only code, traceId, requestId and errors. */
export const problemDetails: Dialect = {
  name: 'problemDetails',
  render: (failure, context) =>
    rendered(PROBLEM_TYPE, {
      type: 'about:blank',
      title: failure.message,
      status: failure.status,
      code: failure.code,
      traceId: context.correlationId.replaceAll('-', ''),
      requestId: context.correlationId,
      ...(failure.fields && { errors: failure.fields }),
      ...(context.environment === 'development' && explanation(failure, context)),
    }),
  describe: () => ({ contentType: 'application/problem+json', schema: ProblemDetails }),
}

const explanation = (failure: Failure, { path, error }: FailureContext): object => ({
  ...(failure.details && { details: failure.details }),
  detail: failure.kind === 'internal' && error instanceof Error ? (error.stack ?? error.message) : told(failure),
  instance: path,
})

/** The message and what it is about: `… jobIds: 1f…, 2a…`. */
const told = ({ message, details = {} }: Failure): string =>
  [
    message,
    ...Object.entries(details)
      .filter(([name]) => name !== 'fields')
      .map(([name, value]) => `${name}: ${worded(value)}`),
  ].join(' ')

const worded = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(worded).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
