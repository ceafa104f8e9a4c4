import { type Dialect, type Failure, type FailureContext, JSON_TYPE, rendered } from '@chancela/service-kernel/http'
import Type from 'typebox'

const nullable = { type: ['string', 'null'] } as const

const ErrorModelV2 = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Union([Type.Record(Type.String(), Type.Unsafe<string | null>(nullable)), Type.Null()]),
    detail: Type.String({ description: 'The same text as message, for clients of the earlier generation.' }),
    validationResults: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { $id: 'ErrorModelV2' },
)

const MessageModel = Type.Object(
  {
    message: Type.String(),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  },
  { $id: 'MessageModel' },
)

const ExceptionModel = Type.Object(
  {
    message: Type.String(),
    exceptionCode: Type.String({ description: 'Names the occurrence in the log: the correlation id.' }),
  },
  { $id: 'ExceptionModel' },
)

/** Spec 1 C, Errors: ErrorModelV2 under 422, `{ message }` under other statuses, an exception code under 500. */
export const errorModelV2: Dialect = {
  name: 'errorModelV2',
  render: (failure, context) => rendered(JSON_TYPE, bodyOf(failure, context)),
  describe: (status) => ({ contentType: 'application/json', schema: schemas[status] ?? MessageModel }),
}

const schemas: Readonly<Record<number, typeof ErrorModelV2 | typeof ExceptionModel>> = {
  422: ErrorModelV2,
  500: ExceptionModel,
}

function bodyOf(failure: Failure, { correlationId }: FailureContext): object {
  const { status, code, message } = failure
  if (status === 422) return { code, message, ...detailsOf(failure) }
  if (status === 500) return { message, exceptionCode: correlationId }
  // Details of a 404 are what its readers look for beside the message: resourceName and resourceId.
  return { ...failure.details, message, ...(failure.fields && { errors: failure.fields }) }
}

// `detail` repeats the message: clients of the earlier generation read it and nothing else.
function detailsOf({ message, details, fields }: Failure): object {
  const { validationResults = null, ...rest } = { ...joined(fields), ...details }
  const texts = Object.entries(rest).map(([name, value]) => [name, textOf(value)])
  return { details: texts.length ? Object.fromEntries(texts) : null, detail: message, validationResults }
}

const joined = (fields: Failure['fields']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields ?? {}).map(([field, texts]) => [field, texts.join('; ')]))

// The model's details are a map of text; clients with typed maps fail on anything else.
const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
