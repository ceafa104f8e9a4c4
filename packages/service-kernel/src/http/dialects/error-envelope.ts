import Type from 'typebox'
import type { Failure } from '../failure.ts'
import { type Dialect, JSON_TYPE, rendered } from './dialect.ts'

const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'Stable; clients branch on it. New codes may be added.' }),
      message: Type.String({ description: 'English, for logs.' }),
      details: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Present where the code says so.' }),
      ),
    }),
  },
  { $id: 'ErrorEnvelope' },
)

/** `{ error: { code, message, details } }` under every status, as the session server and the consoles write it. */
export const errorEnvelope: Dialect = {
  name: 'errorEnvelope',
  render: (failure) =>
    rendered(JSON_TYPE, { error: { code: failure.code, message: failure.message, details: detailsOf(failure) } }),
  describe: () => ({ contentType: 'application/json', schema: ErrorEnvelope }),
}

/** Names the first wrong field, as the specification requires, and all of them for clients that show a form. */
function detailsOf({ details, fields }: Failure): object | undefined {
  if (!fields) return details
  return { field: Object.keys(fields)[0], errors: fields, ...details }
}
