import { type Dialect, type Failure, JSON_TYPE, rendered } from '@chancela/service-kernel/http'
import Type from 'typebox'

const ErrorModel = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
  },
  { $id: 'ErrorModel' },
)

/** One error body for every status (document-platform facts 1.2); details map to strings, as clients type them. */
export const errorModel: Dialect = {
  name: 'errorModel',
  render: (failure) => rendered(JSON_TYPE, bodyOf(failure)),
  describe: () => ({ contentType: 'application/json', schema: ErrorModel }),
}

function bodyOf({ code, message, details, fields }: Failure): object {
  const wrong = Object.entries(fields ?? {}).map(([field, texts]) => [field, texts.join('; ')])
  const told = Object.entries(details ?? {}).map(([name, value]) => [name, textOf(value)])
  const all = [...wrong, ...told]
  return { code, message, details: all.length > 0 ? Object.fromEntries(all) : null }
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
