import { STATUS_CODES } from 'node:http'
import type { FieldErrors } from '@chancela/service-kernel/errors'
import {
  type Dialect,
  type Failure,
  type FailureContext,
  JSON_TYPE,
  PROBLEM_TYPE,
  type RenderedFailure,
  rendered,
  statusType,
} from '@chancela/service-kernel/http'
import Type from 'typebox'

const HubError = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { $id: 'HubError' },
)

const problemFields = {
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  traceId: Type.String(),
}

const ValidationProblem = Type.Object(
  { ...problemFields, errors: Type.Record(Type.String(), Type.Array(Type.String())) },
  { $id: 'ValidationProblem' },
)

const HubProblem = Type.Object({ ...problemFields, code: Type.String() }, { $id: 'HubProblem' })

const ShortCode = Type.String({ $id: 'ShortCode', description: 'A short code, as a bare JSON string.' })

type Form = {
  render(failure: Failure, context: FailureContext): RenderedFailure
  describe: ReturnType<Dialect['describe']>
}

const refusal: Form = {
  render: ({ code, message, details = null }) => rendered(JSON_TYPE, { code, message, details }),
  describe: { contentType: 'application/json', schema: HubError },
}

const validation: Form = {
  render: (failure, { correlationId }) =>
    rendered(PROBLEM_TYPE, {
      type: statusType(failure.status),
      title: 'One or more validation errors occurred.',
      status: failure.status,
      errors: failure.fields ?? fieldsFrom(failure),
      traceId: correlationId,
    }),
  describe: { contentType: 'application/problem+json', schema: ValidationProblem },
}

// Clients of the original service read no body here, and some print one: no bytes, no content type.
const empty: Form = { render: () => ({ body: '' }), describe: undefined }

const shortCode: Form = {
  render: ({ code }) => rendered(JSON_TYPE, code),
  describe: { contentType: 'application/json', schema: ShortCode },
}

const problem: Form = {
  render: ({ status, code }, { correlationId }) =>
    rendered(PROBLEM_TYPE, {
      type: statusType(status),
      title: STATUS_CODES[status] ?? 'Error',
      status,
      code,
      traceId: correlationId,
    }),
  describe: { contentType: 'application/problem+json', schema: HubProblem },
}

const forms: Readonly<Record<number, Form>> = { 400: validation, 401: empty, 422: refusal, 500: shortCode }

const formOf = (status: number): Form => forms[status] ?? problem

/** Spec 1 B, Errors: each status has its own body format. */
export const hubModel: Dialect = {
  name: 'hubModel',
  render: (failure, context) => formOf(failure.status).render(failure, context),
  describe: (status) => formOf(status).describe,
}

// A refusal with status 400 names its fields in the details; problems of the whole body are under "$".
function fieldsFrom({ kind, details, message }: Failure): FieldErrors {
  if (!details || kind === 'invalid-json') return { $: [message] }
  if (kind !== 'refusal') return { [String(details.field)]: [message] }
  return Object.fromEntries(Object.entries(details).map(([field, text]) => [field, [String(text)]]))
}
